package heap

import (
	"maps"
	"sync"
)

// A struct is copied, and its map set anew before the copy is used: what is in the copy is
// new.

type reply struct {
	code   int
	header map[string]int
}

// copying runs two functions on several goroutines each.
func copying(f, g func(i int)) {
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() { f(i) })
		wg.Go(func() { g(i) })
	}
	wg.Wait()
}

func (r reply) filled(i int) reply {
	c := r
	if i > 1 {
		c.code = i
	}
	c.header = make(map[string]int, len(r.header))
	maps.Copy(c.header, r.header) // norace
	fillIn(c.header, i)
	return c
}

func fillIn(m map[string]int, i int) { m["i"] = i } // norace

func CP1_setAfterBranch() {
	r := reply{header: map[string]int{"a": 1}}
	copying(func(i int) {
		_ = r.filled(i).header["a"] // norace
	}, func(i int) {
		_ = r.header["a"] // norace
	})
}

// On both ways, in different places.
func CP2_setOnBothWays() {
	r := reply{header: map[string]int{"a": 1}}
	copying(func(i int) {
		c := r
		if i > 1 {
			c.header = map[string]int{}
		} else {
			c.code++
			c.header = maps.Clone(r.header) // norace
		}
		c.header["i"] = i // norace
	}, func(i int) {
		_ = r.header["a"] // norace
	})
}

// In each round the copy is another one.
func CP3_inRounds() {
	r := reply{header: map[string]int{"a": 1}}
	copying(func(i int) {
		for k := range 3 {
			c := r
			for c.code < k {
				c.code++
			}
			c.header = map[string]int{}
			markCopy(c)
		}
	}, func(i int) {
		_ = r.header["a"] // norace
	})
}

func markCopy(r reply) { r.header["m"] = 1 } // norace

// One way leaves it.
func CP1b_setOnOneWay() {
	r := reply{header: map[string]int{"a": 1}}
	copying(func(i int) {
		c := r
		if i > 1 {
			c.header = map[string]int{}
		}
		c.header["i"] = i // race! header[*]
	}, func(i int) {
		_ = r.header["a"] // race! header[*]
	})
}

// It is used before it is set.
func CP1c_usedBefore() {
	r := reply{header: map[string]int{"a": 1}}
	copying(func(i int) {
		c := r
		if i > 1 {
			c.header["i"] = i // race! header[*]
		}
		c.header = map[string]int{}
		c.header["i"] = i
	}, func(i int) {
		_ = r.header["a"] // race! header[*]
	})
}

// The copy is handed on before.
func CP1d_handedOn() {
	r := reply{header: map[string]int{"a": 1}}
	copying(func(i int) {
		c := r
		if i > 1 {
			mark(&c)
		}
		c.header = map[string]int{}
	}, func(i int) {
		_ = r.header["a"] // race! header[*]
	})
}

func mark(r *reply) { r.header["m"] = 1 } // race! header[*]

// A function literal has the copy.
func CP1e_captured() {
	r := reply{header: map[string]int{"a": 1}}
	copying(func(i int) {
		c := r
		put := func() { c.header["i"] = i } // race! header[*]
		put()
		c.header = map[string]int{}
		put()
	}, func(i int) {
		_ = r.header["a"] // race! header[*]
	})
}

// The copy is copied before.
func CP1f_copied() {
	r := reply{header: map[string]int{"a": 1}}
	copying(func(i int) {
		c := r
		d := c
		c.header = map[string]int{}
		d.header["i"] = i // race! header[*]
		c.header["i"] = i
	}, func(i int) {
		_ = r.header["a"] // race! header[*]
	})
}

// Another round finds what it was filled with.
func CP3b_filledBefore() {
	r := reply{header: map[string]int{"a": 1}}
	copying(func(i int) {
		c := r
		for k := range 3 {
			if k > 1 {
				c.header["i"] = i // race! header[*]
				c.header = map[string]int{}
			}
		}
	}, func(i int) {
		_ = r.header["a"] // race! header[*]
	})
}

// A panic comes before the map is set, and who recovers returns the copy as it is.
func CP1g_recovered() {
	r := reply{header: map[string]int{"a": 1}}
	use := func(i int) {
		c := r.renewed(i)
		c.header["i"] = i // race! header[*]
	}
	copying(use, use)
}

func (r *reply) renewed(i int) (c reply) {
	defer func() { _ = recover() }()
	c = *r
	if i > 1 {
		panic(i)
	}
	c.header = map[string]int{}
	return c
}
