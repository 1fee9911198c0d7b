package index

import (
	"math/rand"
	"runtime"
	"sync"
	"sync/atomic"
)

// Programs about lists that are filled before the loop, one iteration for each
// element: no two iterations have what one round of the filling loop has put
// there.

// The bounds of chunks are appended.
func List_chunks(all []int) {
	var jobs []item
	for lo := 0; lo < len(all); lo += 10 {
		jobs = append(jobs, item{lo, min(lo+10, len(all))})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // norace
			}
		})
	}
	wg.Wait()
}

// They are stored by index.
func List_stored(all []int, n int) {
	jobs := make([]item, n)
	for k := range jobs {
		jobs[k] = item{k * len(all) / n, (k + 1) * len(all) / n}
	}
	var wg sync.WaitGroup
	for k := range jobs {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := jobs[k].lo; i < jobs[k].hi; i++ {
				all[i]++ // norace
			}
		}()
	}
	wg.Wait()
}

// The worker has a pointer to its element.
func List_elementPointers(all []int) {
	jobs := make([]item, 0, 16)
	for lo := 0; lo < len(all); lo += 10 {
		jobs = append(jobs, item{lo: lo, hi: lo + 10})
	}
	var wg sync.WaitGroup
	for i := 0; i < len(jobs); i++ {
		j := &jobs[i]
		wg.Add(1)
		go func() {
			defer wg.Done()
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // norace
			}
		}()
	}
	wg.Wait()
}

// The list has pointers to the jobs.
func List_pointers(all []int) {
	var jobs []*item
	for lo := 0; lo < len(all); lo += 10 {
		jobs = append(jobs, &item{lo, min(lo+10, len(all))})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // norace
			}
		})
	}
	wg.Wait()
}

// The list has the starts only.
func List_starts(all []int) {
	n := len(all) / 10
	starts := make([]int, n)
	for i := 0; i < n; i++ {
		starts[i] = 10 * i
	}
	var wg sync.WaitGroup
	for _, s := range starts {
		wg.Go(func() {
			for i := range 10 {
				all[s+i]++ // norace
			}
		})
	}
	wg.Wait()
}

// The chunks overlap by one element.
func List_overlapping(all []int) {
	var jobs []item
	for lo := 0; lo+11 < len(all); lo += 10 {
		jobs = append(jobs, item{lo, lo + 11})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

// The same chunks are appended twice.
func List_filledTwice(all []int) {
	var jobs []item
	for range 2 {
		for lo := 0; lo < len(all); lo += 10 {
			jobs = append(jobs, item{lo, min(lo+10, len(all))})
		}
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

// Two loops append.
func List_twoFillers(all []int) {
	var jobs []item
	for lo := 0; lo < len(all); lo += 10 {
		jobs = append(jobs, item{lo, min(lo+10, len(all))})
	}
	for lo := 0; lo < len(all); lo += 10 {
		jobs = append(jobs, item{lo, min(lo+10, len(all))})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

// Each append adds the job and another one.
func List_twoElements(all []int) {
	var jobs []item
	for lo := 0; lo+20 < len(all); lo += 10 {
		jobs = append(jobs, item{lo, lo + 10}, item{lo + 10, lo + 20})
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

// Only every other element is filled: the rest name element 0.
func List_partlyFilled(all []int) {
	jobs := make([]item, 10)
	for i := 0; i < len(jobs); i += 2 {
		jobs[i] = item{lo: i}
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

// The filling may stop early.
func List_leftEarly(all []int, last int) {
	jobs := make([]item, len(all))
	for i := range jobs {
		if i == last {
			break
		}
		jobs[i] = item{lo: i}
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

// Some rounds leave their element out.
func List_someFilled(all []int, left []bool) {
	jobs := make([]item, len(all))
	for i := range jobs {
		if !left[i] {
			jobs[i] = item{lo: i}
		}
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

// The first half of the list is all that is filled.
func List_halfFilled(all []int) {
	jobs := make([]item, 10)
	for i := 0; i < len(jobs)/2; i++ {
		jobs[i] = item{lo: i}
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

// The list is looked at beyond what was appended.
func List_beyond(all []int) {
	jobs := make([]item, 0, 10)
	for i := range 5 {
		jobs = append(jobs, item{lo: i})
	}
	var wg sync.WaitGroup
	for _, j := range jobs[:10] {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

// One job is changed after all are there.
func List_changed(all []int) {
	var jobs []item
	for i := range 10 {
		jobs = append(jobs, item{lo: i})
	}
	jobs[1].lo--
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

// A function changes them.
func List_changedByCallee(all []int) {
	var jobs []item
	for i := range 10 {
		jobs = append(jobs, item{lo: i})
	}
	clearJobs(jobs)
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

func clearJobs(jobs []item) {
	for i := range jobs {
		jobs[i].lo = 0
	}
}

// The job that a pointer points to is changed.
func List_changedByPointer(all []int) {
	var jobs []*item
	for lo := 0; lo+10 < len(all); lo += 10 {
		j := &item{lo, lo + 10}
		jobs = append(jobs, j)
		j.hi++
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

// All elements are one job.
func List_oneJob(all []int) {
	j := &item{0, len(all)}
	var jobs []*item
	for range 4 {
		jobs = append(jobs, j)
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

// The next job's end is the end.
func List_next(all []int) {
	var jobs []item
	for lo := 0; lo+10 < len(all); lo += 10 {
		jobs = append(jobs, item{lo, lo + 10})
	}
	var wg sync.WaitGroup
	for k := 0; k+1 < len(jobs); k++ {
		wg.Go(func() {
			for i := jobs[k].lo; i < jobs[k+1].hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

// Two iterations have one element.
func List_pairs(all []int) {
	var jobs []item
	for i := range 10 {
		jobs = append(jobs, item{lo: i})
	}
	var wg sync.WaitGroup
	for k := range 20 {
		wg.Go(func() {
			all[jobs[k/2].lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

// The list is gone through twice.
func List_twice(all []int) {
	var jobs []item
	for i := range 10 {
		jobs = append(jobs, item{lo: i})
	}
	var wg sync.WaitGroup
	for range 2 {
		for _, j := range jobs {
			wg.Go(func() {
				all[j.lo]++ // race! all[*]
			})
		}
	}
	wg.Wait()
}

// A worker changes its job first.
func List_changedByWorker(all []int) {
	var jobs []item
	for i := range 10 {
		jobs = append(jobs, item{lo: i})
	}
	var wg sync.WaitGroup
	for k := range jobs {
		wg.Go(func() {
			jobs[k].lo = 0
			all[jobs[k].lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

// An element of the list, and one that the list does not name.
func List_beside(all []int) {
	var jobs []item
	for i := range 5 {
		jobs = append(jobs, item{lo: 2 * i})
	}
	var wg sync.WaitGroup
	for k, j := range jobs {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
			all[k]++    // race! all[*]
		})
	}
	wg.Wait()
}

// What is appended depends on the elements before.
func List_copies(all []int) {
	jobs := make([]item, 0, 10)
	jobs = append(jobs, item{lo: 1})
	for range 5 {
		jobs = append(jobs, jobs[0])
	}
	var wg sync.WaitGroup
	for _, j := range jobs {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

// A function makes the list.
func List_made(all []int) {
	var wg sync.WaitGroup
	for _, j := range itemsOf(len(all), 4) {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // norace
			}
		})
	}
	wg.Wait()
}

func itemsOf(n, parts int) []item {
	if n == 0 {
		return nil
	}
	jobs := make([]item, 0, parts)
	size := (n + parts - 1) / parts
	for lo := 0; lo < n; lo += size {
		jobs = append(jobs, item{lo, min(lo+size, n)})
	}
	return jobs
}

// It makes it by index.
func List_madeByIndex(all []int) {
	var wg sync.WaitGroup
	list := tableOf(len(all), 4)
	for i := range list {
		wg.Go(func() {
			for k := list[i].lo; k < list[i].hi; k++ {
				all[k]++ // norace
			}
		})
	}
	wg.Wait()
}

func tableOf(n, parts int) []item {
	jobs := make([]item, parts)
	for i := range jobs {
		jobs[i] = item{n * i / parts, n * (i + 1) / parts}
	}
	return jobs
}

// The function's chunks overlap.
func List_madeOverlapping(all []int) {
	var wg sync.WaitGroup
	for _, j := range overlapping(len(all)) {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

func overlapping(n int) []item {
	var jobs []item
	for lo := 0; lo+2 < n; lo += 2 {
		jobs = append(jobs, item{lo, lo + 3})
	}
	return jobs
}

// It returns the list before all of it is filled.
func List_madePartly(all []int) {
	var wg sync.WaitGroup
	for _, j := range partly(len(all), 3) {
		wg.Go(func() {
			all[j.lo]++ // race! all[*]
		})
	}
	wg.Wait()
}

func partly(n, last int) []item {
	jobs := make([]item, n)
	for i := range jobs {
		if i == last {
			return jobs
		}
		jobs[i] = item{lo: i}
	}
	return jobs
}

// Two calls make the same.
func List_madeTwice(all []int) {
	var wg sync.WaitGroup
	for _, j := range append(itemsOf(len(all), 4), itemsOf(len(all), 4)...) {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

// The function returns one of two lists.
func List_madeEither(all []int) {
	var wg sync.WaitGroup
	for _, j := range either(len(all), len(all) > 1000) {
		wg.Go(func() {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // race! all[*]
			}
		})
	}
	wg.Wait()
}

func either(n int, small bool) []item {
	if !small {
		return []item{{0, n}, {0, n}}
	}
	var jobs []item
	for lo := 0; lo+2 < n; lo += 2 {
		jobs = append(jobs, item{lo, lo + 2})
	}
	return jobs
}

// The list is made for a function that runs something for each element.
func List_handedOn(all []int) {
	eachItem(itemsOf(len(all), 4), func(_ int, j item) {
		for i := j.lo; i < j.hi; i++ {
			all[i]++ // norace
		}
	})
}

func eachItem(jobs []item, f func(k int, j item)) {
	var wg sync.WaitGroup
	for k, j := range jobs {
		wg.Go(func() { f(k, j) })
	}
	wg.Wait()
}

// Not all parts are appended.
func List_handedOnNotEmpty(in []int) []int {
	out := make([]int, len(in))
	jobs := fullParts(len(in), 8)
	eachItem(jobs, func(_ int, j item) {
		dst := out[j.lo:j.hi]
		for i, v := range in[j.lo:j.hi] {
			dst[i] = v * v // norace
		}
	})
	return out
}

func fullParts(n, parts int) []item {
	parts = min(parts, n)
	jobs := make([]item, 0, parts)
	for i := 0; i < parts; i++ {
		j := item{i * n / parts, (i + 1) * n / parts}
		if j.lo < j.hi {
			jobs = append(jobs, j)
		}
	}
	return jobs
}

// The caller fills it, in each of several phases.
func List_handedOnFilled(all []int) {
	for range 3 {
		jobs := make([]item, len(all)/10)
		for k := range jobs {
			jobs[k] = item{k * 10, k*10 + 10}
		}
		eachItem(jobs, func(_ int, j item) {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // norace
			}
		})
	}
}

// So does a function in each phase.
func List_madeInPhases(all []int) {
	for size := 4; size < 8; size++ {
		eachItem(itemsOf(len(all), size), func(_ int, j item) {
			for i := j.lo; i < j.hi; i++ {
				all[i]++ // norace
			}
		})
	}
}

// The spawner has phases, too.
func List_phases(all []int) {
	for size := 4; size < 8; size++ {
		var jobs []item
		for lo := 0; lo < len(all); lo += size {
			jobs = append(jobs, item{lo, min(lo+size, len(all))})
		}
		var wg sync.WaitGroup
		for _, j := range jobs {
			wg.Go(func() {
				for i := j.lo; i < j.hi; i++ {
					all[i]++ // norace
				}
			})
		}
		wg.Wait()
	}
}

// In some phases the list of the phase before is gone on with.
func List_phasesGrowing() {
	all := make([]int, 40)
	var jobs []item
	for size := 4; size < 8; size++ {
		if size%2 == 0 {
			jobs = make([]item, 0, 40)
		}
		for lo := 0; lo < len(all); lo += size {
			jobs = append(jobs, item{lo, min(lo+size, len(all))})
		}
		var wg sync.WaitGroup
		for _, j := range jobs {
			wg.Go(func() {
				for i := j.lo; i < j.hi; i++ {
					runtime.Gosched()
					all[i]++ // race! all[*]
				}
			})
		}
		wg.Wait()
	}
}

// In each phase the list begins anew, with what is left from the phase before.
func List_phasesOfOne() {
	all := make([]int, 40)
	jobs := make([]item, 0, 40)
	for size := 4; size < 8; size++ {
		for lo := 0; lo < len(all); lo += size {
			jobs = append(jobs, item{lo, min(lo+size, len(all))})
		}
		var wg sync.WaitGroup
		for _, j := range jobs {
			wg.Go(func() {
				for i := j.lo; i < j.hi; i++ {
					runtime.Gosched()
					all[i]++ // race! all[*]
				}
			})
		}
		wg.Wait()
	}
}

// Each part is one longer than it should be.
func List_handedOnOverlapping() {
	all := make([]int, 40)
	eachItem(overlapping(len(all)), func(_ int, j item) {
		for i := j.lo; i < j.hi; i++ {
			runtime.Gosched()
			all[i]++ // race! all[*]
		}
	})
}

// The list is longer in each phase, and has each part more than once.
func List_handedOnGrowing() {
	all := make([]int, 40)
	var jobs []item
	for range 3 {
		jobs = append(jobs, item{0, 10})
		eachItem(jobs, func(_ int, j item) {
			for i := j.lo; i < j.hi; i++ {
				runtime.Gosched()
				all[i]++ // race! all[*]
			}
		})
	}
}

// One part is changed before the list is handed on.
func List_handedOnChanged() {
	all := make([]int, 40)
	jobs := itemsOf(len(all), 4)
	jobs[1].lo = 0
	eachItem(jobs, func(_ int, j item) {
		for i := j.lo; i < j.hi; i++ {
			runtime.Gosched()
			all[i]++ // race! all[*]
		}
	})
}

// The list ends with a part that was not appended.
func List_handedOnLonger() {
	all := make([]int, 40)
	jobs := make([]item, 2)
	for lo := 0; lo < len(all); lo += 10 {
		jobs = append(jobs, item{lo, lo + 10})
	}
	jobs[1].hi = 10
	eachItem(jobs, func(_ int, j item) {
		for i := j.lo; i < j.hi; i++ {
			runtime.Gosched()
			all[i]++ // race! all[*]
		}
	})
}

// All rounds have the first part.
func List_handedOnFirstOnly() {
	all := make([]int, 40)
	eachFirst(itemsOf(len(all), 4), func(j item) {
		for i := j.lo; i < j.hi; i++ {
			runtime.Gosched()
			all[i]++ // race! all[*]
		}
	})
}

func eachFirst(jobs []item, f func(j item)) {
	var wg sync.WaitGroup
	for range jobs {
		wg.Go(func() { f(jobs[0]) })
	}
	wg.Wait()
}

// Two goroutines hand the same list on.
func List_handedOnByTwo() {
	all := make([]int, 40)
	jobs := itemsOf(len(all), 4)
	var wg sync.WaitGroup
	for range 2 {
		wg.Go(func() {
			eachItem(jobs, func(_ int, j item) {
				for i := j.lo; i < j.hi; i++ {
					runtime.Gosched()
					all[i]++ // race! all[*]
				}
			})
		})
	}
	wg.Wait()
}

// Of two lists, each is handed on, and the first round has what the second has.
func List_handedOnTwo(all []int) {
	eachItem(itemsOf(len(all), 4), func(_ int, j item) {
		for i := j.lo; i < j.hi; i++ {
			all[i]++ // norace
		}
	})
	eachItem(itemsOf(len(all), 3), func(_ int, j item) {
		for i := j.lo; i < j.hi; i++ {
			all[i]++ // norace
		}
	})
}

type stretch struct{ from, n int }

// Workers take the elements of a list in turn. Each element was filled by a round of its own, and where one
// ends the next one begins.
func List_takenInTurn(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go func() {
			defer wg.Done()
			for k := w; k < len(places); k += workers {
				p := places[k]
				copy(out[p.from:p.from+p.n], rows[k]) // norace
			}
		}()
	}
	wg.Wait()
	return out
}

// By a cursor.
func List_takenByCursor(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				k := int(next.Add(1)) - 1
				if k >= len(places) {
					return
				}
				copy(out[places[k].from:places[k].from+places[k].n], rows[k]) // norace
			}
		})
	}
	wg.Wait()
	return out
}

// A chunk of the list for each worker.
func List_takenByChunk(all []int, workers int) {
	var jobs []item
	for lo := 0; lo < len(all); lo += 10 {
		jobs = append(jobs, item{lo, min(lo+10, len(all))})
	}
	per := (len(jobs) + workers - 1) / workers
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			for k := w * per; k < min((w+1)*per, len(jobs)); k++ {
				for i := jobs[k].lo; i < jobs[k].hi; i++ {
					all[i]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

// In an order of their own, which has each once.
func List_takenInOrder(rows [][]byte, workers int) []byte {
	order := rand.Perm(len(rows))
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for n := w; n < len(order); n += workers {
				p := places[order[n]]
				copy(out[p.from:p.from+p.n], rows[order[n]]) // assumed out[*]; see S11
			}
		})
	}
	wg.Wait()
	return out
}

// Each worker takes all of them.
func List_takenByAll(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for k := 0; k < len(places); k++ {
				p := places[k]
				copy(out[p.from:p.from+p.n], rows[k]) // race! out[*]
			}
		})
	}
	wg.Wait()
	return out
}

// A stretch takes one byte of the next one.
func List_takenTooFar(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r) + 1}
		total += len(r)
	}
	out := make([]byte, total+1)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for k := w; k < len(places); k += workers {
				p := places[k]
				clear(out[p.from : p.from+p.n]) // race! out[*]
			}
		})
	}
	wg.Wait()
	return out
}

// From where the worker's last one began.
func List_takenFromTheLast(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			last := places[w]
			for k := w; k < len(places); k += workers {
				p := places[k]
				clear(out[last.from : p.from+p.n]) // race! out[*]
				last = p
			}
		})
	}
	wg.Wait()
	return out
}

// To the end of the next one.
func List_takenToTheNext(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for k := w; k+1 < len(places); k += workers {
				clear(out[places[k].from : places[k+1].from+places[k+1].n]) // race! out[*]
			}
		})
	}
	wg.Wait()
	return out
}

// One of two ways leads to an element that another worker has.
func List_takenByTwoWays(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for k := w; k < len(places); k += workers {
				p := places[k]
				if p.n == 0 {
					p = places[0]
				}
				clear(out[p.from : p.from+p.n]) // race! out[*]
			}
		})
	}
	wg.Wait()
	return out
}

// The element is filled again meanwhile.
func List_takenWhenSet(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for k := w; k < len(places); k += workers {
				places[k].n = total - places[k].from
				p := places[k]
				clear(out[p.from : p.from+p.n]) // race! out[*]
			}
		})
	}
	wg.Wait()
	return out
}

// The cursor is looked at, and moved later.
func List_takenWithoutCursor(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var next atomic.Int64
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for {
				k := int(next.Load())
				if k >= len(places) {
					return
				}
				next.Add(1)
				p := places[k]
				copy(out[p.from:p.from+p.n], rows[k]) // race! out[*]
			}
		})
	}
	wg.Wait()
	return out
}

// The order is a list itself.
func List_takenBackwards(rows [][]byte, workers int) []byte {
	order := make([]int, len(rows))
	for i := range order {
		order[i] = len(rows) - 1 - i
	}
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for n := w; n < len(order); n += workers {
				p := places[order[n]]
				clear(out[p.from : p.from+p.n]) // norace
			}
		})
	}
	wg.Wait()
	return out
}

// Two elements are the worker's own, and it goes from the beginning of one as far as the other is long.
func List_takenOfTwo(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, 2*total)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for k := 2 * w; k+1 < len(places); k += 2 * workers {
				clear(out[places[k].from : places[k].from+places[k+1].n]) // race! out[*]
			}
		})
	}
	wg.Wait()
	return out
}

func stretchAt(places []stretch, k int) stretch { return places[k] }

// A small function looks the element up, which all workers take.
func List_takenByCallee(rows [][]byte, workers int) []byte {
	places := make([]stretch, len(rows))
	total := 0
	for k, r := range rows {
		places[k] = stretch{total, len(r)}
		total += len(r)
	}
	out := make([]byte, total)
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for k := range places {
				p := stretchAt(places, k)
				clear(out[p.from : p.from+p.n]) // race! out[*]
			}
		})
	}
	wg.Wait()
	return out
}

// The worker is given the list.
func List_takenByParameter(all []int, workers int) {
	parts := itemsBy(len(all), 10)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Add(1)
		go workOn(&wg, all, parts, w, workers)
	}
	wg.Wait()
}

func itemsBy(n, size int) []item {
	var parts []item
	for lo := 0; lo < n; lo += size {
		parts = append(parts, item{lo, min(lo+size, n)})
	}
	return parts
}

func workOn(wg *sync.WaitGroup, all []int, parts []item, w, workers int) {
	defer wg.Done()
	for k := w; k < len(parts); k += workers {
		for i := parts[k].lo; i < parts[k].hi; i++ {
			all[i]++ // norace
		}
	}
}

// The indices are sent.
func List_takenFromChannel(all []int, workers int) {
	parts := itemsBy(len(all), 10)
	idx := make(chan int)
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for k := range idx {
				p := parts[k]
				for i := p.lo; i < p.hi; i++ {
					all[i]++ // norace
				}
			}
		})
	}
	for k := range parts {
		idx <- k
	}
	close(idx)
	wg.Wait()
}

// The list has pointers.
func List_takenPointers(all []int, workers int) {
	var parts []*item
	for lo := 0; lo < len(all); lo += 10 {
		parts = append(parts, &item{lo, min(lo+10, len(all))})
	}
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for k := w; k < len(parts); k += workers {
				p := parts[k]
				for i := p.lo; i < p.hi; i++ {
					all[i]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

// A field keeps the list.
func List_takenFromField(all []int, workers int) {
	j := &itemsOn{all: all, parts: itemsBy(len(all), 10)}
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() { j.run(w, workers) })
	}
	wg.Wait()
}

type itemsOn struct {
	all   []int
	parts []item
}

func (j *itemsOn) run(w, workers int) {
	for k := w; k < len(j.parts); k += workers {
		p := j.parts[k]
		for i := p.lo; i < p.hi; i++ {
			j.all[i]++ // norace
		}
	}
}

// The cursor has a lock.
func List_takenUnderLock(all []int, workers int) {
	parts := itemsBy(len(all), 10)
	var mu sync.Mutex
	next := 0
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for {
				mu.Lock()
				k := next
				next++
				mu.Unlock()
				if k >= len(parts) {
					return
				}
				p := parts[k]
				for i := p.lo; i < p.hi; i++ {
					all[i]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

// The list has the chunks themselves.
func List_takenSlices(all []int, workers int) {
	var parts [][]int
	for lo := 0; lo < len(all); lo += 10 {
		parts = append(parts, all[lo:min(lo+10, len(all))])
	}
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() {
			for k := w; k < len(parts); k += workers {
				for i := range parts[k] {
					parts[k][i]++ // norace
				}
			}
		})
	}
	wg.Wait()
}

// The field gets another list meanwhile, in another order.
func List_takenFromFieldSet(all []int, workers int) {
	j := &itemsIn{all: all, parts: itemsBy(len(all), 10)}
	var wg sync.WaitGroup
	for w := 0; w < workers; w++ {
		wg.Go(func() { j.run(w, workers) })
	}
	wg.Wait()
}

type itemsIn struct {
	all   []int
	parts []item
}

func (j *itemsIn) run(w, workers int) {
	for k := w; k < len(j.parts); k += workers { // race! j.parts
		p := j.parts[k] // race! j.parts
		for i := p.lo; i < p.hi; i++ {
			j.all[i]++ // race! _[*]
		}
	}
	j.parts = itemsBy(len(j.all), 7) // race! j.parts
}
