package crowd

import (
	"sync"
	"time"
)

// Drivers are clients, for the race check.

// crowd calls each function a few times in a goroutine of its own.
func crowd(fs ...func()) {
	var wg sync.WaitGroup
	for _, f := range fs {
		wg.Go(func() {
			for range 20 {
				f()
			}
		})
	}
	wg.Wait()
}

func Drive_CR1_getter() {
	t := CR1_getter()
	crowd(func() { t.Add("a") }, func() { t.Of("a") }, func() { t.Total() }, func() { t.Len() })
}

func Drive_CR2_readLock() {
	l := CR2_readLock()
	crowd(func() { l.Get("a") }, func() { l.Get("b") }, func() { l.Put("a", 1) })
}

func Drive_CR3_doubleChecked() {
	s := CR3_doubleChecked(func() map[string]string { return map[string]string{"a": "b"} })
	crowd(func() { s.Get("a") }, func() { s.Get("b") }, func() { s.Get("c") })
}

func Drive_CR4_released() {
	s := CR4_released()
	for range 50 {
		s.Push(1)
	}
	s.low = 60
	crowd(func() { s.Pop() }, func() { s.Pop() })
}

func Drive_CR5_inner() {
	g := CR5_inner()
	g.Join("a", "b")
	crowd(func() { g.Join("a", "c") }, func() { g.Count("a") })
}

func Drive_CR6_twoLocks() {
	r := CR6_twoLocks()
	crowd(func() { r.Low(1) }, func() { r.High(1) })
}

// Types of which nothing makes objects follow this one.
func Drive_CR7_copied() {
	v := CR7_copied()
	crowd(func() { v.Hit("a") }, func() { v.Hit("b") })
	var zero CR8_zero
	crowd(func() { zero.Say("a") }, func() { zero.Len() })
	var l CR9_generic[string, int]
	crowd(func() { l.Get("a") }, func() { l.Fill(nil) })
}

func Drive_CR10_closed() {
	p := CR10_closed()
	crowd(func() { p.Put(1) }, p.Close)
}

func Drive_CR11_once() {
	t := CR11_once("a b")
	crowd(func() { t.Parts() }, func() { t.Loaded() })
}

func Drive_CR12_entry() {
	l := CR12_entry()
	crowd(func() { l.Add("a", 1) }, func() { l.N("a") })
}

func Drive_CR13_shutdown() {
	j := CR13_shutdown()
	crowd(func() { j.Go(func() error { return nil }) })
	j.Shutdown()
	time.Sleep(time.Millisecond)
}

func Drive_CR14_truncated() {
	b := CR14_truncated(func(int) {})
	b.Add(1)
	crowd(func() { b.Add(2) }, b.Flush)
}

func Drive_CR15_unready() {
	m := CR15_unready(func(string) int { time.Sleep(10 * time.Microsecond); return 1 })
	crowd(func() { m.Get("a") }, func() { m.Get("a") })
}

func Drive_CR16_ownLock() {
	l := CR16_ownLock()
	crowd(func() { l.Visit() }, func() { l.Seek(1) })
}

func Drive_CR17_entryLocks() {
	t := CR17_entryLocks()
	crowd(func() { t.Add(1) }, func() { t.Add(2) })
}

func Drive_CS1_setUp() {
	s := CS1_setUp()
	s.SetLog(func(string) {})
	crowd(func() { s.SetLimit(1) }, s.Handle)
}

func Drive_CS2_beginAndEnd() {
	l := CS2_beginAndEnd()
	l.Start("a")
	crowd(func() { l.Startle("b") }, func() { l.Name() }, func() { l.Addr() }, func() { l.Add(1) }, func() { l.Closest() })
	l.Close()
}

func Drive_CS3_documented() {
	r := CS3_documented()
	crowd(func() { r.Seek(1) }, func() { r.At() })
	r.Pos()
}

func Drive_CS5_named() {
	var mu sync.Mutex
	j := CS5_named(mu.Lock, mu.Unlock)
	crowd(j.Write, func() { j.Size() }, func() { j.Rotate("a") })
}

func Drive_CS7_swapped() {
	q := CS7_swapped(func(int) {})
	crowd(func() { q.Add(1) }, q.Purge, func() { q.Show(1) })
}
