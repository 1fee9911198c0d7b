package heap

type filled struct{ n int }

// Some of the elements of a list are put into another one: none twice.
func EC1_chosen() {
	all := []*filled{{1}, {0}}
	var some []*filled
	for _, x := range all {
		if x.n == 0 {
			some = append(some, x)
		}
	}
	for _, x := range some {
		go func() { x.n++ }() // norace
	}
}

func EC1b_twoLoops() {
	all := []*filled{{1}, {0}}
	var some []*filled
	for _, x := range all {
		some = append(some, x)
	}
	for _, x := range all {
		some = append(some, x)
	}
	for _, x := range some {
		go func() { x.n++ }() // race! x.n
	}
}

func EC1c_manyTimes() {
	all := []*filled{{1}, {0}}
	var some []*filled
	for range 2 {
		for _, x := range all {
			some = append(some, x)
		}
	}
	for _, x := range some {
		go func() { x.n++ }() // race! x.n
	}
}

func EC1d_twiceInARound() {
	all := []*filled{{1}, {0}}
	var some []*filled
	for _, x := range all {
		some = append(some, x)
		if x.n == 0 {
			some = append(some, x)
		}
	}
	for _, x := range some {
		go func() { x.n++ }() // race! x.n
	}
}

func EC1e_oneElement() {
	all := []*filled{{1}, {0}}
	var some []*filled
	for range all {
		some = append(some, all[0])
	}
	for _, x := range some {
		go func() { x.n++ }() // race! x.n
	}
}

// The list changes in each round: one element may be found at two indices.
func EC1f_otherList() {
	all := []*filled{{1}, {0}}
	var some []*filled
	rest := all
	for i := 0; i < len(rest); i++ {
		some = append(some, rest[i])
		rest = []*filled{all[1], all[0]}
	}
	for _, x := range some {
		go func() { x.n++ }() // race! x.n
	}
}

// It was twice in the first list.
func EC1g_twiceBefore() {
	x := &filled{}
	all := []*filled{x, x}
	var some []*filled
	for _, x := range all {
		some = append(some, x)
	}
	for _, x := range some {
		go func() { x.n++ }() // race! x.n
	}
}

type list struct{ all, some []*filled }

func (l *list) add(x *filled) { l.some = append(l.some, x) }

func EC2_byCall() {
	l := &list{all: []*filled{{1}, {0}}}
	for _, x := range l.all {
		l.add(x)
	}
	for _, x := range l.some {
		go func() { x.n++ }() // norace
	}
}

type list2b struct{ all, some []*filled }

func (l *list2b) add(x *filled) { l.some = append(l.some, x) }

// One of them is added by itself, too.
func EC2b_again() {
	l := &list2b{all: []*filled{{1}, {0}}}
	for _, x := range l.all {
		l.add(x)
	}
	l.add(l.all[0])
	for _, x := range l.some {
		go func() { x.n++ }() // race! x.n
	}
}

type list2c struct{ all, some []*filled }

func (l *list2c) add(x *filled) { l.some = append(l.some, x) }

func (l *list2c) fill() {
	for _, x := range l.all {
		l.add(x)
	}
}

// What fills the list is called twice.
func EC2c_filledTwice() {
	l := &list2c{all: []*filled{{1}, {0}}}
	l.fill()
	l.fill()
	for _, x := range l.some {
		go func() { x.n++ }() // race! x.n
	}
}

type list2d struct{ all, some []*filled }

// What adds an element adds it twice.
func (l *list2d) add(x *filled) {
	for range 2 {
		l.some = append(l.some, x)
	}
}

func EC2d_addedTwice() {
	l := &list2d{all: []*filled{{1}, {0}}}
	for _, x := range l.all {
		l.add(x)
	}
	for _, x := range l.some {
		go func() { x.n++ }() // race! x.n
	}
}

type list2e struct{ some []*filled }

func (l *list2e) add(x *filled) { l.some = append(l.some, x) }

// Two lists are put into one.
func EC2e_twoLists() {
	l := &list2e{}
	for _, x := range []*filled{{1}, {0}} {
		l.add(x)
	}
	for _, x := range []*filled{{2}, {3}} {
		l.add(x)
	}
	for _, x := range l.some {
		go func() { x.n++ }() // norace
	}
}
