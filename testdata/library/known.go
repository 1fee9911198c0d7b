package library

import "sync"

// The functions below are what model.toml speaks of. They do race: the
// programs check that the model is believed as far as it goes, and no further.

var (
	simpleState  int
	pastState    int
	closureState int
	deepState    int
)

// simpleSafe is declared threadSafe.
func simpleSafe() {
	simpleState++ // norace (without threadsafe: race simpleState)
}

// safeThenMove is declared threadSafe: its own accesses do not race, those of
// what it calls may.
func safeThenMove(p *P) {
	pastState++ // norace (without threadsafe: race pastState)
	p.moveTo(1, 2)
}

// closureSafe is declared threadSafeOnClosure.
func closureSafe() {
	closureState++ // norace (without threadsafe: race closureState)
}

// closureSafeMove is declared threadSafeOnClosure: what it calls is trusted, too.
func closureSafeMove(p *P) {
	deepState++ // norace (without threadsafe: race deepState)
	p.relocate()
}

func (p *P) relocate() {
	p.x = 7 // norace (without threadsafe: race shared.x)
	p.y = 8 // norace (without threadsafe: race shared.y)
}

// newSafe is declared to instantiate only safe objects.
func newSafe() *safeP { return &safeP{} }

type safeP struct{ x, y int }

func (p *safeP) move() {
	p.x = 1 // norace (without threadsafe: race _.x)
	p.y = 2 // norace (without threadsafe: race _.y)
}

// A function that is known to be thread-safe writes a package variable.
func T94_threadSafe() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { simpleSafe() })
	}
	wg.Wait()
}

// A function that is thread-safe itself moves the shared particle it is given.
func T95_pastThreadSafe() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			safeThenMove(shared) // race! shared.x shared.y
		})
	}
	wg.Wait()
}

// A function that is thread-safe on closure writes a package variable.
func T96_threadSafeOnClosure() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() { closureSafe() })
	}
	wg.Wait()
}

// A function that is thread-safe on closure moves the shared particle.
func T97_argumentOfThreadSafeOnClosure() {
	shared := &P{}
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			closureSafeMove(shared) // norace
		})
	}
	wg.Wait()
}

// Methods of an object from a factory of safe objects are trusted.
func T98_safeObject() {
	shared := newSafe()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			shared.move() // norace
		})
	}
	wg.Wait()
}

// The fields of such an object, touched directly, are not excused.
func T99_safeObjectTouched() {
	shared := newSafe()
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			shared.x++ // race! _.x
		})
	}
	wg.Wait()
}
