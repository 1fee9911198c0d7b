package index

import "sync"

// Where a part begins and ends stands in an array of two.

func AE1_pairs(out []int, parts int) {
	var wg sync.WaitGroup
	for _, c := range ae1Parts(len(out), parts) {
		wg.Go(func() {
			for i := c[0]; i < c[1]; i++ {
				out[i] = i // norace
			}
		})
	}
	wg.Wait()
}

func ae1Parts(n, parts int) [][2]int {
	out := make([][2]int, 0, parts)
	size := (n + parts - 1) / parts
	for lo := 0; lo < n; lo += size {
		out = append(out, [2]int{lo, min(lo+size, n)})
	}
	return out
}

// By the element in its place.
func AE1b_inPlace(out []int, parts int) {
	var wg sync.WaitGroup
	all := ae1Parts(len(out), parts)
	for k := range all {
		wg.Go(func() {
			for i := all[k][0]; i < all[k][1]; i++ {
				out[i] = i // norace
			}
		})
	}
	wg.Wait()
}

// Each part ends with the first element of the next one.
func AE1c_overlap(out []int, parts int) {
	var wg sync.WaitGroup
	var all [][2]int
	size := (len(out) + parts - 1) / parts
	for lo := 0; lo < len(out); lo += size {
		all = append(all, [2]int{lo, min(lo+size+1, len(out))})
	}
	for _, c := range all {
		wg.Go(func() {
			for i := c[0]; i < c[1]; i++ {
				out[i] = i // race! out[*]
			}
		})
	}
	wg.Wait()
}

// Each part begins at zero.
func AE1d_fromZero(out []int, parts int) {
	var wg sync.WaitGroup
	for _, c := range ae1Parts(len(out), parts) {
		wg.Go(func() {
			for i := range c[1] {
				out[i] = i // race! out[*]
			}
		})
	}
	wg.Wait()
}

// An element is set anew before the iterations begin.
func AE1e_setAnew(out []int, parts int) {
	var wg sync.WaitGroup
	all := ae1Parts(len(out), parts)
	all[0][1] = len(out)
	for _, c := range all {
		wg.Go(func() {
			for i := c[0]; i < c[1]; i++ {
				out[i] = i // race! out[*]
			}
		})
	}
	wg.Wait()
}

// The iteration's own pair is set anew, by an index that is not constant.
func AE1f_ownSet(out []int, parts, j int) {
	var wg sync.WaitGroup
	for _, c := range ae1Parts(len(out), parts) {
		c[j] = len(out)
		wg.Go(func() {
			for i := c[0]; i < c[1]; i++ {
				out[i] = i // race! out[*]
			}
		})
	}
	wg.Wait()
}

// By a slice of it.
func AE1g_sliced(out []int, parts int) {
	var wg sync.WaitGroup
	for _, c := range ae1Parts(len(out), parts) {
		s := c[:]
		s[1] = len(out)
		wg.Go(func() {
			for i := c[0]; i < c[1]; i++ {
				out[i] = i // race! out[*]
			}
		})
	}
	wg.Wait()
}

// In the goroutine.
func AE1h_setInside(out []int, parts int) {
	var wg sync.WaitGroup
	for _, c := range ae1Parts(len(out), parts) {
		wg.Go(func() {
			c[1] = len(out)
			for i := c[0]; i < c[1]; i++ {
				out[i] = i // race! out[*]
			}
		})
	}
	wg.Wait()
}

// The pair is handed to a function.
func AE2_handedOn(out []int, parts int) {
	var wg sync.WaitGroup
	for _, c := range ae1Parts(len(out), parts) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ae2Fill(out, c)
		}()
	}
	wg.Wait()
}

func ae2Fill(out []int, part [2]int) {
	for i := part[0]; i < part[1]; i++ {
		out[i] = i // norace
	}
}

func AE2b_wrongEnd(out []int, parts int) {
	var wg sync.WaitGroup
	for _, c := range ae1Parts(len(out), parts) {
		wg.Add(1)
		go func() {
			defer wg.Done()
			ae2bFill(out, c)
		}()
	}
	wg.Wait()
}

func ae2bFill(out []int, part [2]int) {
	for i := part[0]; i <= part[1] && i < len(out); i++ {
		out[i] = i // race! out[*]
	}
}

// Each list is filled by index.
func AE3_byIndex(out []int, parts int) {
	var wg sync.WaitGroup
	all := make([][2]int, parts)
	for k := range all {
		all[k] = [2]int{k * len(out) / parts, (k + 1) * len(out) / parts}
	}
	for _, c := range all {
		wg.Go(func() {
			for i := c[0]; i < c[1]; i++ {
				out[i] = i // norace
			}
		})
	}
	wg.Wait()
}

func AE3b_elementByElement(out []int, parts int) {
	var wg sync.WaitGroup
	all := make([][2]int, parts)
	for k := range all {
		all[k][0] = k * len(out) / parts
		all[k][1] = (k + 1) * len(out) / parts
	}
	for _, c := range all {
		wg.Go(func() {
			for i := c[0]; i < c[1]; i++ {
				out[i] = i // race out[*]; what fills the list is not seen where it sets element by element
			}
		})
	}
	wg.Wait()
}

func AE3c_otherBounds(out []int, parts int) {
	var wg sync.WaitGroup
	all := make([][2]int, parts)
	for k := range all {
		all[k][0] = k * len(out) / parts
		all[k][1] = (k + 2) * len(out) / parts
	}
	for _, c := range all {
		wg.Go(func() {
			for i := c[0]; i < min(c[1], len(out)); i++ {
				out[i] = i // race! out[*]
			}
		})
	}
	wg.Wait()
}
