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
