package lock

import "sync"

// A method that others call under the object's lock its maker calls without one, before anyone else
// can have the object.

// EY1: what is called under the lock is called by the maker, too.
func EY1_byMaker() {
	for i := range n {
		go func() {
			t := newTank(i)
			tanks.Lock()
			tanks.last = t
			tanks.Unlock()
			tanks.Lock()
			other := tanks.last
			tanks.Unlock()
			other.mu.Lock()
			other.trim()
			other.mu.Unlock()
		}()
	}
}

type tank struct {
	mu    sync.Mutex
	level int
}

func (t *tank) trim() {
	if t.level > 2 {
		t.level = 2 // assumed level
	}
}

func newTank(k int) *tank {
	t := &tank{level: k}
	t.trim()
	return t
}

var tanks struct {
	sync.Mutex
	last *tank
}

// EY2: the maker calls it when others have the object.
func EY2_tooLate() {
	for i := range n {
		go func() {
			v := &vat{level: i}
			v.marks = make([]int, i)
			vats.Lock()
			vats.last = v
			vats.Unlock()
			v.trim()
			vats.Lock()
			other := vats.last
			vats.Unlock()
			other.mu.Lock()
			other.trim()
			other.mu.Unlock()
		}()
	}
}

type vat struct {
	mu    sync.Mutex
	level int
	marks []int
}

func (v *vat) trim() {
	if v.level > 2 { // race! level
		v.level = 2 // race! level
	}
	for i := range v.marks {
		v.marks[i]++ // race! _.marks[*]
	}
}

var vats struct {
	sync.Mutex
	last *vat
}

// EY3: the method itself hands the object on before it goes on.
func EY3_handsOn() {
	for i := range n {
		go func() {
			u := &urn{level: i}
			u.show()
			urns.Lock()
			other := urns.last
			urns.Unlock()
			other.mu.Lock()
			other.show()
			other.mu.Unlock()
		}()
	}
}

type urn struct {
	mu    sync.Mutex
	level int
}

func (u *urn) show() {
	urns.Lock()
	urns.last = u
	urns.Unlock()
	u.level++ // race! level
}

var urns struct {
	sync.Mutex
	last *urn
}

// EY4: who makes objects uses those that others have under their locks.
func EY4_bySpawner() {
	showJar(newJar(1))
	go lastJar().locked()
	showJar(newJar(2))
	lastJar().locked()
}

func showJar(j *jar) {
	jars.Lock()
	jars.last = j
	jars.Unlock()
}

func newJar(k int) *jar {
	j := &jar{level: k} // assumed level
	j.trim()
	return j
}

func lastJar() *jar {
	jars.Lock()
	defer jars.Unlock()
	return jars.last
}

type jar struct {
	mu    sync.Mutex
	level int
}

func (j *jar) locked() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.trim()
}

func (j *jar) trim() {
	if j.level > 2 { // assumed level
		j.level = 2 // assumed level
	}
}

var jars struct {
	sync.Mutex
	last *jar
}

// EY5: what the new object has others have, too.
func EY5_sharedInside() {
	marks := make([]int, n)
	for range n {
		go func() {
			c := &cask{}
			c.marks = marks
			c.trim()
			casks.Lock()
			casks.last = c
			other := casks.last
			casks.Unlock()
			other.mu.Lock()
			other.trim()
			other.mu.Unlock()
		}()
	}
}

type cask struct {
	mu    sync.Mutex
	marks []int
}

func (c *cask) trim() {
	for i := range c.marks {
		c.marks[i]++ // race! marks[*]
	}
}

var casks struct {
	sync.Mutex
	last *cask
}

// EY6: what is given back is passed on; who gave it has shown it before.
func EY6_givenBack() {
	for i := range n {
		go func() {
			k := &keg{level: i}
			kegs.Lock()
			kegs.last = k
			kegs.Unlock()
			k.tapped(i)
			kegs.Lock()
			other := kegs.last
			kegs.Unlock()
			other.mu.Lock()
			other.trim()
			other.mu.Unlock()
		}()
	}
}

type keg struct {
	mu    sync.Mutex
	level int
}

func (k *keg) self() *keg { return k }

func (k *keg) tapped(i int) { k.self().trim() }

func (k *keg) trim() {
	if k.level > 2 { // race! level
		k.level = 2 // race! level
	}
}

var kegs struct {
	sync.Mutex
	last *keg
}
