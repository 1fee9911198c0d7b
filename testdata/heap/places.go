package heap

import "sync"

// PL1: four places of a plan, and the goroutine and its starter each take one by name. Nothing
// says that they take the same.
func PL1_oneOfFour(mine, yours string) {
	plan := map[string]*spot{"n": {name: "north"}, "s": {name: "south"}, "e": {name: "east"}, "w": {name: "west"}}
	done := make(chan bool)
	go func() {
		plan[mine].visits++ // assumed _.visits; each name leads to any of four (S87)
		done <- true
	}()
	plan[yours].visits++
	<-done
}

// PL1b: of two it is likely enough.
func PL1b_oneOfTwo(mine, yours string) {
	plan := map[string]*spot{"n": {name: "north"}, "s": {name: "south"}}
	done := make(chan bool)
	go func() {
		plan[mine].visits++ // race! _.visits
		done <- true
	}()
	plan[yours].visits++ // race! _.visits
	<-done
}

// PL1c: the starter takes all, one after the other, and knows each by itself.
func PL1c_oneOfFourAll(mine string) {
	n, s, e, w := &spot{name: "north"}, &spot{name: "south"}, &spot{name: "east"}, &spot{name: "west"}
	plan := map[string]*spot{"n": n, "s": s, "e": e, "w": w}
	done := make(chan bool)
	go func() {
		plan[mine].visits++ // race! _.visits
		done <- true
	}()
	n.visits++ // race! _.visits
	s.visits++ // race! _.visits
	e.visits++ // race! _.visits
	w.visits++ // race! _.visits
	<-done
}

// PL1d: two goroutines of one loop do alike, and where one goes another may.
func PL1d_oneOfFourEach(names []string) {
	plan := map[string]*spot{"n": {name: "north"}, "s": {name: "south"}, "e": {name: "east"}, "w": {name: "west"}}
	var wg sync.WaitGroup
	for _, name := range names {
		wg.Go(func() {
			plan[name].visits++ // race! _.visits
		})
	}
	wg.Wait()
}

// PL1e: the starter takes one of three, the goroutine one of all four.
func PL1e_threeAndFour(mine string, way int) {
	n, s, e := &spot{name: "north"}, &spot{name: "south"}, &spot{name: "east"}
	plan := map[string]*spot{"n": n, "s": s, "e": e, "w": {name: "west"}}
	yours := n
	switch way {
	case 1:
		yours = s
	case 2:
		yours = e
	}
	done := make(chan bool)
	go func() {
		plan[mine].visits++ // assumed _.visits; three of twelve pairs are the same object (S87)
		done <- true
	}()
	yours.visits++
	<-done
}

// PL1f: four, but what a call gives its goroutine it goes on with itself.
func PL1f_oneOfFourPassed(names []string) {
	plan := map[string]*spot{"n": {name: "north"}, "s": {name: "south"}, "e": {name: "east"}, "w": {name: "west"}}
	for _, name := range names {
		visit(plan[name])
	}
}

func visit(s *spot) {
	done := make(chan bool)
	go func() {
		s.enter()
		done <- true
	}()
	s.enter()
	<-done
}

func (s *spot) enter() {
	s.visits++ // race! _.visits
}

type spot struct {
	name   string
	visits int
}

// PL1g: all looks at a list that others change in place, once it has let go of the lock.
func PL1g_keptList() {
	r := new(spotList)
	var wg sync.WaitGroup
	for i := range 5 {
		r.add("s")
		wg.Go(func() { r.visit(i) })
	}
	wg.Go(func() {
		for s := range r.all() {
			println(s.visits)
		}
	})
	wg.Wait()
}

// A spotList has a list of spots that is copied for each one that is added.
type spotList struct {
	mu   sync.Mutex
	list []spot
}

func (r *spotList) add(name string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	next := make([]spot, 0, len(r.list)+1)
	next = append(next, r.list...)
	next = append(next, spot{name: name})
	r.list = append(next, r.list[:0]...)
}

func (r *spotList) visit(i int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if i < len(r.list) {
		r.list[i].visits++ // race! _.visits
	}
}

func (r *spotList) all() func(yield func(spot) bool) {
	r.mu.Lock()
	list := r.list
	r.mu.Unlock()
	return func(yield func(spot) bool) {
		for _, s := range list { // race! _.visits
			if !yield(s) {
				return
			}
		}
	}
}

// PL1h: each goes where one of two signs leads, and which way these point is not known.
func PL1h_twoSigns(i, k int) {
	n, s, e, w := &spot{name: "north"}, &spot{name: "south"}, &spot{name: "east"}, &spot{name: "west"}
	var signs struct{ mine, yours *spot }
	switch signs.mine, signs.yours = n, n; i {
	case 1:
		signs.mine = s
	case 2:
		signs.mine = e
	case 3:
		signs.mine = w
	}
	switch k {
	case 1:
		signs.yours = s
	case 2:
		signs.yours = e
	case 3:
		signs.yours = w
	}
	mine := signs.mine
	done := make(chan bool)
	go func() {
		mine.visits++ // assumed _.visits; the signs may point to different ones (S87)
		done <- true
	}()
	signs.yours.visits++
	<-done
}

// PL1i: both go where one sign leads.
func PL1i_oneSign(i int) {
	n, s, e, w := &spot{name: "north"}, &spot{name: "south"}, &spot{name: "east"}, &spot{name: "west"}
	var sign struct{ to *spot }
	switch sign.to = n; i {
	case 1:
		sign.to = s
	case 2:
		sign.to = e
	case 3:
		sign.to = w
	}
	mine := sign.to
	done := make(chan bool)
	go func() {
		func() { mine.visits++ }() // race! _.visits
		done <- true
	}()
	sign.to.visits++ // race! _.visits
	<-done
}
