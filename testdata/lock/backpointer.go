package lock

import "sync"

// BP1_listOfItsOwn calls what needs a store's lock by the stores of what is in its list.
func BP1_listOfItsOwn() {
	ss := backeds1()
	for i := range 8 {
		go func() {
			s := ss[i%2]
			s.put()
			s.flush()
		}()
	}
}

type backed1 struct {
	mu    sync.Mutex
	views []*backedView1
	n     int
}

type backedView1 struct{ of *backed1 }

func backeds1() (out []*backed1) {
	for range 2 {
		s := &backed1{}
		s.views = append(s.views, &backedView1{s})
		out = append(out, s)
	}
	return out
}

func (s *backed1) put() {
	s.mu.Lock()
	s.compact()
	s.mu.Unlock()
}

func (s *backed1) flush() {
	s.mu.Lock()
	for _, v := range s.views {
		v.close()
	}
	s.mu.Unlock()
}

func (v *backedView1) close() { v.of.compact() }

func (s *backed1) compact() {
	s.n++ // assumed s.n
}

// BP1b_withoutLock does so where the lock is not held.
func BP1b_withoutLock() {
	ss := backeds2()
	for i := range 8 {
		go func() {
			s := ss[i%2]
			s.put()
			s.flush()
		}()
	}
}

type backed2 struct {
	mu    sync.Mutex
	views []*backedView2
	n     int
}

type backedView2 struct{ of *backed2 }

func backeds2() (out []*backed2) {
	for range 2 {
		s := &backed2{}
		s.views = append(s.views, &backedView2{s})
		out = append(out, s)
	}
	return out
}

func (s *backed2) put() {
	s.mu.Lock()
	s.compact()
	s.mu.Unlock()
}

func (s *backed2) flush() {
	s.mu.Lock()
	vs := s.views
	s.mu.Unlock()
	for _, v := range vs {
		v.close()
	}
}

func (v *backedView2) close() { v.of.compact() }

func (s *backed2) compact() {
	s.n++ // race! s.n
}

// BP1c_another passes on another store than the one whose lock is held.
func BP1c_another() {
	ss := backeds3()
	for i := range 8 {
		go func() {
			ss[i%2].put()
			ss[i%2].move(ss[(i+1)%2])
		}()
	}
}

type backed3 struct {
	mu sync.Mutex
	n  int
}

func backeds3() (out []*backed3) {
	for range 2 {
		out = append(out, &backed3{})
	}
	return out
}

func (s *backed3) put() {
	s.mu.Lock()
	s.compact()
	s.mu.Unlock()
}

func (s *backed3) move(to *backed3) {
	s.mu.Lock()
	to.compact()
	s.mu.Unlock()
}

func (s *backed3) compact() {
	s.n++ // race! s.n
}

// BP1d_forReading holds the lock for reading there.
func BP1d_forReading() {
	ss := backeds4()
	for i := range 8 {
		go func() {
			s := ss[i%2]
			s.put()
			s.flush()
		}()
	}
}

type backed4 struct {
	mu    sync.RWMutex
	views []*backedView4
	n     int
}

type backedView4 struct{ of *backed4 }

func backeds4() (out []*backed4) {
	for range 2 {
		s := &backed4{}
		s.views = append(s.views, &backedView4{s})
		out = append(out, s)
	}
	return out
}

func (s *backed4) put() {
	s.mu.Lock()
	s.compact()
	s.mu.Unlock()
}

func (s *backed4) flush() {
	s.mu.RLock()
	for _, v := range s.views {
		v.close()
	}
	s.mu.RUnlock()
}

func (v *backedView4) close() { v.of.compact() }

func (s *backed4) compact() {
	s.n++ // race! s.n
}

// BP1e_started has a goroutine do it.
func BP1e_started() {
	ss := backeds5()
	for i := range 8 {
		go func() {
			s := ss[i%2]
			s.put()
			s.flush()
		}()
	}
}

type backed5 struct {
	mu    sync.Mutex
	views []*backedView5
	n     int
}

type backedView5 struct{ of *backed5 }

func backeds5() (out []*backed5) {
	for range 2 {
		s := &backed5{}
		s.views = append(s.views, &backedView5{s})
		out = append(out, s)
	}
	return out
}

func (s *backed5) put() {
	s.mu.Lock()
	s.compact()
	s.mu.Unlock()
}

func (s *backed5) flush() {
	s.mu.Lock()
	for _, v := range s.views {
		go v.close()
	}
	s.mu.Unlock()
}

func (v *backedView5) close() { v.of.compact() }

func (s *backed5) compact() {
	s.n++ // race! s.n
}

// BP1f_releasedBelow gives the lock back before.
func BP1f_releasedBelow() {
	ss := backeds6()
	for i := range 8 {
		go func() {
			s := ss[i%2]
			s.put()
			s.flush()
		}()
	}
}

type backed6 struct {
	mu    sync.Mutex
	views []*backedView6
	n     int
}

type backedView6 struct{ of *backed6 }

func backeds6() (out []*backed6) {
	for range 2 {
		s := &backed6{}
		s.views = append(s.views, &backedView6{s})
		out = append(out, s)
	}
	return out
}

func (s *backed6) put() {
	s.mu.Lock()
	s.compact()
	s.mu.Unlock()
}

func (s *backed6) flush() {
	s.mu.Lock()
	for _, v := range s.views {
		v.close()
	}
	s.mu.Unlock()
}

func (v *backedView6) close() {
	v.of.mu.Unlock()
	v.of.compact()
	v.of.mu.Lock()
}

func (s *backed6) compact() {
	s.n++ // race! s.n
}

// BP1g_captured passes on another store by a closure.
func BP1g_captured() {
	ss := backeds7()
	for i := range 8 {
		go func() {
			other := ss[(i+1)%2]
			ss[i%2].put()
			ss[i%2].with(func() { other.compact() })
		}()
	}
}

type backed7 struct {
	mu sync.Mutex
	n  int
}

func backeds7() (out []*backed7) {
	for range 2 {
		out = append(out, &backed7{})
	}
	return out
}

func (s *backed7) put() {
	s.mu.Lock()
	s.compact()
	s.mu.Unlock()
}

func (s *backed7) with(f func()) {
	s.mu.Lock()
	f()
	s.mu.Unlock()
}

func (s *backed7) compact() {
	s.n++ // race! s.n
}

// BP1h_twoBelow passes on another store by what needs no lock itself.
func BP1h_twoBelow() {
	ss := backeds8()
	for i := range 8 {
		go func() {
			ss[i%2].put()
			ss[i%2].move(ss[(i+1)%2])
		}()
	}
}

type backed8 struct {
	mu sync.Mutex
	n  int
}

func backeds8() (out []*backed8) {
	for range 2 {
		out = append(out, &backed8{})
	}
	return out
}

func (s *backed8) put() {
	s.mu.Lock()
	s.compact()
	s.mu.Unlock()
}

func (s *backed8) move(to *backed8) {
	s.mu.Lock()
	movedBack(to)
	s.mu.Unlock()
}

func movedBack(to *backed8) { to.compact() }

func (s *backed8) compact() {
	s.n++ // race! s.n
}

// BP1i_oneOfSome holds a lock that has no name where it is taken.
func BP1i_oneOfSome() {
	ss := backeds9()
	for i := range 8 {
		go func() {
			ss[i%2].put()
			someBacked(ss).mu.Lock()
			ss[i%2].views[0].close()
			someBacked(ss).mu.Unlock()
		}()
	}
}

func someBacked(ss []*backed9) *backed9 {
	if len(ss) > 3 {
		return ss[3]
	}
	return ss[0]
}

type backed9 struct {
	mu    sync.Mutex
	views []*backedView9
	n     int
}

type backedView9 struct{ of *backed9 }

func backeds9() (out []*backed9) {
	for range 2 {
		s := &backed9{}
		s.views = append(s.views, &backedView9{s})
		out = append(out, s)
	}
	return out
}

func (s *backed9) put() {
	s.mu.Lock()
	s.compact()
	s.mu.Unlock()
}

func (v *backedView9) close() { v.of.compact() }

func (s *backed9) compact() {
	s.n++ // race! s.n
}

// BP2_deeper has it two calls further down.
func BP2_deeper() {
	ss := backedsA()
	for i := range 8 {
		go func() {
			s := ss[i%2]
			s.put()
			s.flush()
		}()
	}
}

type backedA struct {
	mu    sync.Mutex
	views []*backedViewA
	n     int
}

type backedViewA struct{ of *backedA }

func backedsA() (out []*backedA) {
	for range 2 {
		s := &backedA{}
		s.views = append(s.views, &backedViewA{s})
		out = append(out, s)
	}
	return out
}

func (s *backedA) put() {
	s.mu.Lock()
	s.schedule()
	s.mu.Unlock()
}

func (s *backedA) flush() {
	s.mu.Lock()
	for _, v := range s.views {
		v.close()
	}
	s.mu.Unlock()
}

func (v *backedViewA) close() { v.unref() }

func (v *backedViewA) unref() { v.of.schedule() }

func (s *backedA) schedule() { s.compact() }

func (s *backedA) compact() {
	s.n++ // assumed s.n
}
