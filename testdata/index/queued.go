package index

import "sync"

// Functions that each have captured a number are put into a list under a lock, and workers take them out of it.

type fnQueue struct {
	mu     sync.Mutex
	cond   *sync.Cond
	list   []func()
	closed bool
}

func (q *fnQueue) push(f func()) {
	q.mu.Lock()
	q.list = append(q.list, f)
	q.mu.Unlock()
	q.cond.Signal()
}

func (q *fnQueue) close() {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	q.cond.Broadcast()
}

// get waits for a function, and takes the oldest one.
func (q *fnQueue) get() (func(), bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for len(q.list) == 0 && !q.closed {
		q.cond.Wait()
	}
	if len(q.list) == 0 {
		return nil, false
	}
	f := q.list[0]
	q.list = q.list[1:]
	return f, true
}

// QX1: workers wait for work.
func QX1_waits() {
	q := &fnQueue{}
	q.cond = sync.NewCond(&q.mu)
	out := make([]int, n)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				f, ok := q.get()
				if !ok {
					return
				}
				f()
			}
		})
	}
	for i := range out {
		q.push(func() { out[i] = i }) // norace
	}
	q.close()
	wg.Wait()
}

// QX2: the worker itself takes it, between locking and unlocking.
func QX2_inPlace() {
	var mu sync.Mutex
	var list []func()
	out := make([]int, n)
	for i := range out {
		list = append(list, func() { out[i] = i }) // norace
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				mu.Lock()
				if len(list) == 0 {
					mu.Unlock()
					return
				}
				f := list[0]
				list = list[1:]
				mu.Unlock()
				f()
			}
		})
	}
	wg.Wait()
}

// QX3: two functions of a round have one number.
func QX3_twoOfRound() {
	var mu sync.Mutex
	var list []func()
	out := make([]int, n)
	for i := range out {
		list = append(list, func() { out[i]++ }) // race! out[*]
		list = append(list, func() { out[i]++ }) // race! out[*]
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				mu.Lock()
				if len(list) == 0 {
					mu.Unlock()
					return
				}
				f := list[0]
				list = list[1:]
				mu.Unlock()
				f()
			}
		})
	}
	wg.Wait()
}

type fnStack struct {
	mu   sync.Mutex
	list []func()
}

func (q *fnStack) push(f func()) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, f)
}

// pop takes the newest one, if there is one.
func (q *fnStack) pop() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return nil
	}
	f := q.list[len(q.list)-1]
	q.list = q.list[:len(q.list)-1]
	return f
}

// QX4: the list is full when the workers begin.
func QX4_stack() {
	q := &fnStack{}
	out := make([]int, n)
	for i := range out {
		q.push(func() { out[i] = i }) // norace
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for f := q.pop(); f != nil; f = q.pop() {
				f()
			}
		})
	}
	wg.Wait()
}

// QX5: what is run is still in the list.
func QX5_peeks() {
	var mu sync.Mutex
	var list []func()
	out := make([]int, n)
	for i := range out {
		list = append(list, func() { out[i]++ }) // race! out[*]
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				mu.Lock()
				if len(list) == 0 {
					mu.Unlock()
					return
				}
				f := list[0]
				list = list[:len(list)-1]
				mu.Unlock()
				f()
			}
		})
	}
	wg.Wait()
}

type fnPeeked struct {
	mu   sync.Mutex
	list []func()
}

func (q *fnPeeked) peek() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return nil
	}
	return q.list[0]
}

func (q *fnPeeked) pop() func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return nil
	}
	f := q.list[0]
	q.list = q.list[1:]
	return f
}

// QX6: it may be looked at only.
func QX6_mayPeek(more bool) {
	q := &fnPeeked{}
	out := make([]int, n)
	for i := range out {
		q.list = append(q.list, func() { out[i]++ }) // race! out[*]
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			f := q.pop()
			if more {
				f = q.peek()
			}
			if f != nil {
				f()
			}
		})
	}
	wg.Wait()
}

type fnAgain struct {
	mu   sync.Mutex
	list []func()
	last func()
}

// get may give the last one once more.
func (q *fnAgain) get(more bool) func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if more && q.last != nil {
		return q.last
	}
	if len(q.list) == 0 {
		return nil
	}
	q.last = q.list[0]
	f := q.list[0]
	q.list = q.list[1:]
	return f
}

// QX7: one function is run by two.
func QX7_again(more bool) {
	q := &fnAgain{}
	out := make([]int, n)
	for i := range out {
		q.list = append(q.list, func() { out[i]++ }) // race! out[*]
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if f := q.get(more); f != nil {
				f()
			}
		})
	}
	wg.Wait()
}

// QX8: each function is there twice.
func QX8_twice() {
	var mu sync.Mutex
	var list []func()
	out := make([]int, n)
	for i := range out {
		f := func() { out[i]++ } // race! out[*]
		list = append(list, f, f)
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				mu.Lock()
				if len(list) == 0 {
					mu.Unlock()
					return
				}
				f := list[0]
				list = list[1:]
				mu.Unlock()
				f()
			}
		})
	}
	wg.Wait()
}

// QX9: what is taken is there once more, for as long as it runs.
func QX9_putAgain() {
	var mu sync.Mutex
	var list []func()
	out := make([]int, n)
	for i := range out {
		list = append(list, func() { out[i]++ }) // race! out[*]
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for range n {
				mu.Lock()
				if len(list) == 0 {
					mu.Unlock()
					return
				}
				f := list[0]
				list = append(list[1:], f)
				mu.Unlock()
				f()
			}
		})
	}
	wg.Wait()
}

// QX10: without a lock two take the same one.
func QX10_noLock() {
	var list []func()
	out := make([]int, n)
	for i := range out {
		list = append(list, func() { out[i]++ }) // race! out[*]
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if len(list) > 0 { // race! list
				f := list[0]    // race! list
				list = list[1:] // race! list
				f()
			}
		})
	}
	wg.Wait()
}

type fnFilled struct {
	mu   sync.Mutex
	list []func()
}

// QX11: two runs of a function fill the list for one slice.
func QX11_twoRuns() {
	q := &fnFilled{}
	out := make([]int, n)
	q.fill(out)
	q.fill(out)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for {
				q.mu.Lock()
				if len(q.list) == 0 {
					q.mu.Unlock()
					return
				}
				f := q.list[0]
				q.list = q.list[1:]
				q.mu.Unlock()
				f()
			}
		})
	}
	wg.Wait()
}

func (q *fnFilled) fill(out []int) {
	for i := range out {
		q.list = append(q.list, func() { out[i]++ }) // race! out[*]
	}
}

type fnOther struct {
	mu   sync.Mutex
	list []func()
}

// get may give what is left there.
func (q *fnOther) get(more bool) func() {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return nil
	}
	if more {
		return q.first()
	}
	f := q.list[0]
	q.list = q.list[1:]
	return f
}

func (q *fnOther) first() func() { return q.list[0] }

// QX12: what is returned comes from another function, too.
func QX12_fromOther(more bool) {
	q := &fnOther{}
	out := make([]int, n)
	for i := range out {
		q.list = append(q.list, func() { out[i]++ }) // race! out[*]
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			if f := q.get(more); f != nil {
				f()
			}
		})
	}
	wg.Wait()
}

// A fnTask holds what is run.
type fnTask struct{ run func() }

// QX13: tasks come by a channel.
func QX13_tasks() {
	jobs := make(chan *fnTask)
	out := make([]int, n)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range jobs {
				t.run()
			}
		})
	}
	for i := range out {
		jobs <- &fnTask{func() { out[i] = i }} // norace
	}
	close(jobs)
	wg.Wait()
}

// QX14: two tasks have one function.
func QX14_shared() {
	jobs := make(chan *fnTask)
	out := make([]int, n)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range jobs {
				t.run()
			}
		})
	}
	for i := range out {
		f := func() { out[i]++ } // race! out[*]
		jobs <- &fnTask{f}
		jobs <- &fnTask{f}
	}
	close(jobs)
	wg.Wait()
}

// QX15: a task is sent twice.
func QX15_sentTwice() {
	jobs := make(chan *fnTask)
	out := make([]int, n)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range jobs {
				t.run()
			}
		})
	}
	for i := range out {
		t := &fnTask{func() { out[i]++ }} // race! out[*]
		jobs <- t
		jobs <- t
	}
	close(jobs)
	wg.Wait()
}

// QX16: one task has the function of another.
func QX16_lent() {
	jobs := make(chan *fnTask)
	out := make([]int, n)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range jobs {
				t.run()
			}
		})
	}
	for i := range out {
		t := &fnTask{func() { out[i]++ }} // race! out[*]
		u := &fnTask{t.run}
		jobs <- t
		jobs <- u
	}
	close(jobs)
	wg.Wait()
}

type fnMethod struct{ run func() }

func (t *fnMethod) exec() { t.run() }

// QX17: by a method, and for copies, too.
func QX17_method() {
	jobs := make(chan *fnMethod)
	out := make([]int, n)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range jobs {
				t.exec()
			}
		})
	}
	for i := range out {
		jobs <- &fnMethod{func() { out[i] = i }} // norace
	}
	close(jobs)
	wg.Wait()
}

type fnCopied struct{ run func() }

func (t *fnCopied) exec() { t.run() }

// QX18: what is received is a copy, of which the method gets the address.
func QX18_copies() {
	jobs := make(chan fnCopied)
	out := make([]int, n)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range jobs {
				t.exec()
			}
		})
	}
	for i := range out {
		jobs <- fnCopied{func() { out[i] = i }} // norace
	}
	close(jobs)
	wg.Wait()
}

type fnKept struct{ run func() }

func (t *fnKept) exec() { t.run() }

// QX19: the method is called for what was not received, too.
func QX19_kept() {
	jobs := make(chan *fnKept)
	out := make([]int, n)
	var last *fnKept
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := range jobs {
				t.exec()
			}
			last.exec()
		})
	}
	for i := range out {
		last = &fnKept{func() { out[i]++ }} // race! out[*]
		jobs <- last
	}
	close(jobs)
	wg.Wait()
}

type fnTasks struct {
	mu   sync.Mutex
	list []*fnListed
}

type fnListed struct{ run func() }

func (t *fnListed) exec() { t.run() }

func (q *fnTasks) pop() *fnListed {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return nil
	}
	t := q.list[0]
	q.list = q.list[1:]
	return t
}

// QX20: tasks lie in a list.
func QX20_listed() {
	q := &fnTasks{}
	out := make([]int, n)
	for i := range out {
		q.list = append(q.list, &fnListed{func() { out[i] = i }}) // norace
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for t := q.pop(); t != nil; t = q.pop() {
				t.exec()
			}
		})
	}
	wg.Wait()
}

type fnHeld struct{ run func() }

func (t *fnHeld) exec() { t.run() }

// QX21: workers have the tasks of a list that nobody cuts off.
func QX21_notCut() {
	var mu sync.Mutex
	var list []*fnHeld
	out := make([]int, n)
	for i := range out {
		list = append(list, &fnHeld{func() { out[i]++ }}) // race! out[*]
	}
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			mu.Lock()
			t := list[0]
			list = list[:len(list)-1]
			mu.Unlock()
			t.exec()
		})
	}
	wg.Wait()
}
