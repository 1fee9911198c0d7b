package lock

import (
	"runtime"
	"sync"
	"sync/atomic"
)

// A flag that says who has it, and is what no one's mark is when it is free.

const noClerk = -1

type booth struct {
	holder atomic.Int32
	token  atomic.Bool
	n      int
}

func newBooth() *booth {
	o := &booth{}
	o.holder.Store(noClerk)
	return o
}

func (o *booth) enter(id int32) bool { return o.holder.CompareAndSwap(noClerk, id) }
func (o *booth) leave()              { o.holder.Store(noClerk) }

func (o *booth) acquire(id int32) {
	for !o.holder.CompareAndSwap(noClerk, id) {
		runtime.Gosched()
	}
}

func (o *booth) acquireZero() {
	for !o.holder.CompareAndSwap(0, 1) {
		runtime.Gosched()
	}
}

func (o *booth) work() {
	defer o.leave()
	o.n++ // assumed n; own-marks
}

func MK1_ownMarks() {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			for !o.enter(int32(i)) {
				runtime.Gosched()
			}
			o.work()
		})
	}
	wg.Wait()
}

func MK1b_acquired() {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 4 {
		wg.Go(func() {
			o.acquire(int32(i))
			o.n++ // assumed n; own-marks
			o.leave()
		})
	}
	wg.Wait()
}

func MK1c_tooLate() {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			o.acquire(int32(i))
			o.leave()
			o.n++ // race! n
		})
	}
	wg.Wait()
}

func MK1d_notAsked() {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			o.enter(int32(i))
			o.n++ // race! n
		})
	}
	wg.Wait()
}

func MK1e_leftByAnyone() {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			if i%2 == 0 {
				o.leave()
				return
			}
			o.acquire(int32(i))
			o.n++ // race! n
		})
	}
	wg.Wait()
}

func MK1f_leftBeside() {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			o.acquire(int32(i))
			o.n++ // race! n
			o.leave()
		})
	}
	o.holder.Store(noClerk)
	wg.Wait()
}

// What is free to the one is taken to the other.
func MK1g_twoMeanings() {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			if i%2 == 0 {
				o.acquireZero()
			} else {
				o.acquire(int32(i % 4))
			}
			o.n++ // race! n
		})
	}
	wg.Wait()
}

func MK1h_anyMarkIsSet(mark int32) {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			o.acquire(int32(i))
			o.holder.Store(mark)
			o.n++ // race! n
		})
	}
	wg.Wait()
}

func MK1i_anothersMark(mark int32) {
	o := new(booth)
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			if i%2 == 0 {
				o.holder.CompareAndSwap(1, mark)
				return
			}
			o.acquireZero()
			o.n++ // race! n
		})
	}
	wg.Wait()
}

func MK1j_freeToOthers() {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			if i%2 == 0 {
				for !o.holder.CompareAndSwap(noClerk, 7) {
				}
				o.holder.Store(0)
				o.n++ // race! n
				return
			}
			for !o.holder.CompareAndSwap(0, 8) {
			}
			o.n++ // race! n
		})
	}
	wg.Wait()
}

func MK1k_eitherMeaning() {
	o := newBooth()
	var wg sync.WaitGroup
	for i := range 64 {
		wg.Go(func() {
			if i%2 == 0 {
				for !o.holder.CompareAndSwap(noClerk, 7) {
				}
			} else {
				for !o.holder.CompareAndSwap(0, 7) {
				}
			}
			o.holder.Store(0)
			o.n++ // race! n
		})
	}
	wg.Wait()
}

// A constant mark is seen to be another.
func MK2_constant() {
	o := newBooth()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !o.holder.CompareAndSwap(noClerk, 7) {
			}
			o.n++ // norace
			o.leave()
		})
	}
	wg.Wait()
}

func MK2b_sameMark() {
	o := newBooth()
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			for !o.holder.CompareAndSwap(noClerk, noClerk) {
			}
			o.n++ // race! n
			o.leave()
		})
	}
	wg.Wait()
}

// A token that is there, or taken.
func MK3_token() {
	o := new(booth)
	o.token.Store(true)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !o.token.CompareAndSwap(true, false) {
			}
			o.n++ // norace
			o.token.Store(true)
		})
	}
	wg.Wait()
}

func MK3b_tokenOfAnyone() {
	o := new(booth)
	o.token.Store(true)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			o.token.Store(true)
			for !o.token.CompareAndSwap(true, false) {
			}
			o.n++ // race! n
		})
	}
	wg.Wait()
}

// Given back by an exchange of which noClerk asks how it went.
func MK4_exchanged() {
	o := new(booth)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			o.acquireZero()
			o.n++ // norace
			o.holder.CompareAndSwap(1, 0)
		})
	}
	wg.Wait()
}

func MK4b_exchangedTooEarly() {
	o := new(booth)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			o.acquireZero()
			o.holder.CompareAndSwap(1, 0)
			o.n++ // race! n
		})
	}
	wg.Wait()
}

func MK4c_swappedTooEarly() {
	o := new(booth)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			o.acquireZero()
			o.holder.Swap(0)
			o.n++ // race! n
		})
	}
	wg.Wait()
}

func MK4d_maskedByAnyone() {
	o := new(booth)
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			o.holder.And(2)
			o.acquireZero()
			o.n++ // race! n
		})
	}
	wg.Wait()
}

// While it goes from one state to the next, it is still his.
func MK5_nextState() {
	o := new(booth)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			o.acquireZero()
			if o.holder.CompareAndSwap(1, 2) {
				o.n++ // norace
			}
			o.holder.Store(0)
		})
	}
	wg.Wait()
}

func MK5b_sameAgain() {
	o := new(booth)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			o.acquireZero()
			o.holder.Store(1)
			o.n++ // norace
			if !o.holder.CompareAndSwap(1, 0) {
				panic("nobody else has set it")
			}
		})
	}
	wg.Wait()
}

type boothMark struct{ n int }

// What is put there is not nil.
func MK6_ownPointer() {
	o := new(booth)
	var at atomic.Pointer[boothMark]
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			d := new(boothMark)
			for !at.CompareAndSwap(nil, d) {
			}
			o.n++ // norace
			at.Store(nil)
		})
	}
	wg.Wait()
}

func MK6b_pointerOfAnyone() {
	o := new(booth)
	var at atomic.Pointer[boothMark]
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			d := new(boothMark)
			at.Store(nil)
			for !at.CompareAndSwap(nil, d) {
			}
			o.n++ // race! n
		})
	}
	wg.Wait()
}

// What is started with the flag goes on when that is given back.
func MK7_outlives() {
	o := newBooth()
	var wg sync.WaitGroup
	for range 64 {
		wg.Go(func() {
			if o.holder.CompareAndSwap(noClerk, 7) {
				wg.Go(func() {
					o.n++ // race! n
				})
				o.holder.Store(noClerk)
			}
		})
	}
	wg.Wait()
}

// Who runs beside them has a mark of his own, too.
func MK8_beside(me int32) {
	o := newBooth()
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			for !o.holder.CompareAndSwap(noClerk, 7) {
			}
			o.n++ // assumed n; own-marks
			o.holder.Store(noClerk)
		})
	}
	for !o.holder.CompareAndSwap(noClerk, me) {
	}
	o.n++ // assumed n; own-marks
	o.holder.Store(noClerk)
	wg.Wait()
}
