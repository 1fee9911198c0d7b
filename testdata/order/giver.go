package order

import "sync"

// A function that several goroutines run, each with an object of its own.

type giver interface{ add() }

type givNone struct{}

func (givNone) add() {}

// QG1: of the goroutines that have c one runs, and what it runs beside has another object.
func QG1_otherBranch(first bool) {
	c := &givCount{}
	if first {
		go func() { givAdd(c) }()
	} else {
		go func() { givAdd(givNone{}) }()
		go func() { givAdd(c) }()
	}
}

type givCount struct{ n int }

func (c *givCount) add() { c.n++ } // norace

func givAdd(g giver) { g.add() }

// QG2: that has c as well.
func QG2_sameBranch(first bool) {
	c := &givCount2{}
	if first {
		go func() { givAdd2(c) }()
	} else {
		go func() { givAdd2(c) }()
		go func() { givAdd2(c) }()
	}
}

type givCount2 struct{ n int }

func (c *givCount2) add() { c.n++ } // race! c.n

func givAdd2(g giver) { g.add() }

// QG3: who has had them started goes on with c.
func QG3_spawner() {
	c := &givCount3{}
	givStart3(c)
	givAdd3(c)
}

type givCount3 struct{ n int }

func (c *givCount3) add() { c.n++ } // race! c.n

func givAdd3(g giver) { g.add() }

func givStart3(c *givCount3) {
	go func() { givAdd3(givNone{}) }()
	go func() { givAdd3(c) }()
}

// QG4: a goroutine hands c to another one.
func QG4_passedOn() {
	c := &givCount4{}
	var wg sync.WaitGroup
	wg.Go(func() { givRelay4(c) })
	wg.Wait()
	go func() { givAdd4(givNone{}) }()
	go func() { givAdd4(c) }()
}

type givCount4 struct{ n int }

func (c *givCount4) add() { c.n++ } // race! c.n

func givAdd4(g giver) { g.add() }

func givRelay4(g giver) {
	go func() { givAdd4(g) }()
}

// QG5: the goroutine with c has been started before.
func QG5_before(first bool) {
	c := &givCount5{}
	go func() { givAdd5(c) }()
	if first {
		go func() { givAdd5(givNone{}) }()
		go func() { givAdd5(c) }()
	}
}

type givCount5 struct{ n int }

func (c *givCount5) add() { c.n++ } // race! c.n

func givAdd5(g giver) { g.add() }

// QG6: the object is another one's, which is given.
func QG6_owner(first bool) {
	o := &givOwner{&givCount6{}}
	if first {
		go func() { givAdd6(o) }()
	} else {
		go func() { givAdd6(givNone{}) }()
		go func() { givAdd6(o) }()
	}
}

type givOwner struct{ c *givCount6 }

type givCount6 struct{ n int }

func (o *givOwner) add() { o.c.n++ } // norace

func givAdd6(g giver) { g.add() }

// QG7: another one has it, too.
func QG7_twoOwners(first bool) {
	c := &givCount7{}
	o, p := &givOwner7{c}, &givOwner7{c}
	if first {
		go func() { givAdd7(o) }()
	} else {
		go func() { givAdd7(p) }()
		go func() { givAdd7(o) }()
	}
}

type givOwner7 struct{ c *givCount7 }

type givCount7 struct{ n int }

func (o *givOwner7) add() { o.c.n++ } // race! c.n

func givAdd7(g giver) { g.add() }

// QG8: a goroutine starts another one and goes on; what else runs there has another object.
func QG8_spawnersGoroutine() {
	go func() { givAdd8(givNone{}) }()
	go func() {
		c := &givCount8{}
		givStart8(c)
		givAdd8(c)
	}()
}

type givCount8 struct{ n int }

func (c *givCount8) add() { c.n++ } // race! c.n

func givAdd8(g giver) { g.add() }

// QG9: another goroutine with c is started later.
func QG9_later() {
	c := &givCount9{}
	givStart9(c)
	givLater9(c)
}

func givStart8(c *givCount8) {
	go func() { givAdd8(c) }()
}

type givCount9 struct{ n int }

func (c *givCount9) add() { c.n++ } // race! c.n

func givAdd9(g giver) { g.add() }

func givLater9(c *givCount9) {
	go func() { givAdd9(givNone{}) }()
	go func() { givAdd9(c) }()
}

func givStart9(c *givCount9) {
	go func() { givAdd9(c) }()
}
