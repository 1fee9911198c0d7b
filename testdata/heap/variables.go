package heap

// Programs about objects that one function makes for many: what the goroutine
// and its starter have from one variable is one object.

type engine struct {
	running bool
	stop    chan bool
	jobs    []int
}

func newEngine(jobs ...int) *engine {
	e := &engine{stop: make(chan bool), jobs: jobs}
	if len(jobs) > 3 {
		e.jobs = jobs[:3]
	}
	for i := range e.jobs {
		if e.jobs[i] < 0 {
			e.jobs[i] = 0
		}
	}
	return e
}

func (e *engine) run(started chan bool) {
	e.running = true // race! _.running
	started <- true
	<-e.stop
}

func (e *engine) halt() {
	if e.running { // race! _.running
		e.stop <- true
	}
}

// The engine is halted before it is known to run.
func Variables_halted() {
	others := manyEngines()
	e := newEngine(1, 2)
	started := make(chan bool, 1)
	go func() {
		e.run(started)
	}()
	e.halt()
	_ = others
}

type motor struct{ running bool }

func newMotor() *motor { return &motor{} }

func (m *motor) run() {
	m.running = true // norace
}

// Each round sees to another one.
func Variables_ofRounds() {
	others := manyMotors()
	for range 3 {
		m := newMotor()
		done := make(chan bool)
		go func() {
			m.run()
			done <- true
		}()
		<-done
		m.running = false // norace
	}
	_ = others
}

// The variable is given another motor before it is looked at.
func Variables_replaced() {
	others := manyMotors()
	m := newMotor()
	first := m
	go first.run()
	m = newMotor()
	m.running = false // norace
	_ = others
}

func manyEngines() []*engine {
	return []*engine{newEngine(1), newEngine(2), newEngine(3), newEngine(4), newEngine(5), newEngine(6),
		newEngine(7), newEngine(8), newEngine(9), newEngine(10), newEngine(11), newEngine(12), newEngine(13),
		newEngine(14), newEngine(15), newEngine(16), newEngine(17), newEngine(18), newEngine(19), newEngine(20),
		newEngine(21), newEngine(22), newEngine(23), newEngine(24), newEngine(25), newEngine(26), newEngine(27)}
}

func manyMotors() []*motor {
	return []*motor{newMotor(), newMotor(), newMotor(), newMotor(), newMotor(), newMotor(), newMotor(),
		newMotor(), newMotor(), newMotor(), newMotor(), newMotor(), newMotor(), newMotor(), newMotor(), newMotor()}
}

// What is done before the goroutine starts is over, and in the next call it is
// done to another one.
func Variables_before() {
	others := manyMotors()
	for range 2 {
		drive(len(others) > 100)
	}
}

func drive(fast bool) {
	m := newMotor()
	m.running = fast // norace
	done := make(chan bool, 1)
	go func() {
		println(m.running) // norace
		done <- true
	}()
	if fast {
		return
	}
	<-done
}
