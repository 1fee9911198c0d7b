package call

import (
	"flag"
	"sync"
)

// What a variable of a package holds that does not export it is known, whatever program the package
// comes into: nobody else sets it.

var hookNever func(*int)

// Nobody sets the hook.
func HK1_never(k int) int {
	n := 0
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			if hookNever != nil {
				hookNever(&n)
				n++             // norace
				hookNever = nil // norace
			}
		})
	}
	wg.Wait()
	return n
}

var hookSet func(*int)

// Whoever uses the package may set this one.
func HK2_set(k int) int {
	n := 0
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			if hookSet != nil {
				n++ // race! n
			}
		})
	}
	wg.Wait()
	return n
}

// SetHook sets it.
func SetHook(f func(*int)) { hookSet = f }

// HookShown is another package's to set, too.
var HookShown func(*int)

func HK3_exported(k int) int {
	n := 0
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			if HookShown != nil {
				n++ // race! n
			}
		})
	}
	wg.Wait()
	return n
}

var loud bool

func init() { flag.BoolVar(&loud, "loud", false, "say more") }

// What has the variable's address sets it, too.
func HK4_flag(k int) int {
	n := 0
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			if loud {
				n++ // race! n
			}
		})
	}
	wg.Wait()
	return n
}

var traced bool

// Traced gives the address away.
func Traced() *bool { return &traced }

func HK5_given(k int) int {
	n := 0
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			if traced {
				n++ // race! n
			}
		})
	}
	wg.Wait()
	return n
}

var (
	watched bool
	// Watched leads to it.
	Watched = &watched
)

func HK5b_led(k int) int {
	n := 0
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			if watched {
				n++ // race! n
			}
		})
	}
	wg.Wait()
	return n
}

var limit = 3

// The initialiser sets it: it is never zero, but may be more than two.
func HK6_initial(k int) (int, int) {
	n, m := 0, 0
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			if limit > 2 {
				n++ // race! n
			}
			if limit > 3 {
				m++ // norace
			}
		})
	}
	wg.Wait()
	return n, m
}

var mode struct{ deep, shown bool }

// Of a struct no part is looked at: its address is that of its first field.
func HK7_part(k int) int {
	n := 0
	var wg sync.WaitGroup
	for range k {
		wg.Go(func() {
			if mode.deep {
				n++ // race! n
			}
		})
	}
	wg.Wait()
	return n
}
