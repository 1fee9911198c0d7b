package order

// The outcome of a call that starts a goroutine is looked at where the loop is over that has tried it.

type triedLink struct {
	n     int
	ready func() error
}

func (c *triedLink) read() { c.n++ } // race! n

// start starts the goroutine if all is well, and then returns no error.
func (c *triedLink) start() error {
	if err := c.ready(); err != nil {
		return err
	}
	go c.read()
	return nil
}

func (c *triedLink) startAnd() (int, error) {
	if err := c.ready(); err != nil {
		return 0, err
	}
	go c.read()
	return 1, nil
}

func (c *triedLink) try() bool {
	if c.ready() != nil {
		return false
	}
	go c.read()
	return true
}

// startAnyway may return an error all the same.
func (c *triedLink) startAnyway() error {
	go c.read()
	return c.ready()
}

// TR1_error starts it in the last round, if at all.
func TR1_error(ready func() error) {
	c := &triedLink{ready: ready}
	var err error
	for range 10 {
		if err = c.start(); err == nil {
			break
		}
	}
	if err != nil {
		c.n = 0 // norace
	}
}

func TR1b_noError(ready func() error) {
	c := &triedLink{ready: ready}
	var err error
	for range 10 {
		if err = c.start(); err == nil {
			break
		}
	}
	if err == nil {
		c.n = 0 // race! n
	}
}

// TR1c_goesOn tries it again when it has done it.
func TR1c_goesOn(ready func() error) {
	c := &triedLink{ready: ready}
	var err error
	for range 10 {
		if err = c.start(); err == nil {
			continue
		}
	}
	if err != nil {
		c.n = 0 // race! n
	}
}

func TR1d_anyway(ready func() error) {
	c := &triedLink{ready: ready}
	var err error
	for range 10 {
		if err = c.startAnyway(); err == nil {
			break
		}
	}
	if err != nil {
		c.n = 0 // race! n
	}
}

// TR1e_otherError looks at the error of something else.
func TR1e_otherError(ready func() error) {
	c := &triedLink{ready: ready}
	var err error
	for range 10 {
		if err = c.start(); err == nil {
			err = ready()
			break
		}
	}
	if err != nil {
		c.n = 0 // race! n
	}
}

func TR2_bool(ready func() error) {
	c := &triedLink{ready: ready}
	ok := false
	for k := 0; k < 10 && !ok; k++ {
		ok = c.try()
	}
	if !ok {
		c.n = 0 // norace
	}
}

func TR2b_boolGoesOn(ready func() error) {
	c := &triedLink{ready: ready}
	ok := false
	for range 10 {
		ok = c.try()
	}
	if !ok {
		c.n = 0 // race! n
	}
}

func TR3_ofTwo(ready func() error) {
	c := &triedLink{ready: ready}
	n, err := 0, error(nil)
	for range 10 {
		if n, err = c.startAnd(); err == nil {
			break
		}
	}
	if err != nil {
		c.n = n // norace
	}
}

func TR3b_ofTwoWell(ready func() error) {
	c := &triedLink{ready: ready}
	n, err := 0, error(nil)
	for range 10 {
		if n, err = c.startAnd(); err == nil {
			break
		}
	}
	if err == nil {
		c.n = n // race! n
	}
}

// TR1f_laterRound finds an error in a round after one that has started it.
func TR1f_laterRound(ready func() error) {
	c := &triedLink{ready: ready}
	var err error
	for range 10 {
		if err = c.start(); err != nil {
			c.n = 0 // race! n
		}
	}
	if err != nil {
		panic(err)
	}
}

// TR1g_untilDone does so, too, and has no error when it is done.
func TR1g_untilDone(ready func() error) {
	c := &triedLink{ready: ready}
	var err error
	for {
		if err = c.start(); err != nil {
			c.n = 0 // race! n
		} else if ready() == nil {
			break
		}
	}
	if err != nil {
		println("never")
	}
}

func TR4_twice(ready func() error) {
	c := &triedLink{ready: ready}
	err := c.start()
	if err == nil {
		println("started")
	}
	if err != nil {
		c.n = 0 // norace
	}
}

func TR4b_twiceWell(ready func() error) {
	c := &triedLink{ready: ready}
	err := c.start()
	if err != nil {
		println("not started")
	}
	if err == nil {
		c.n = 0 // race! n
	}
}
