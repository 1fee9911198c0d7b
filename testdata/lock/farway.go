package lock

import "sync"

// FW1: a registry yields modules of all kinds, and one of them is asked for where no lock is
// held, many calls below the body. That it is the one which resets the count, as the types
// allow, is not shown.
func FW1_registry() {
	for k := range n {
		go func() {
			if k == 0 {
				farMu.Lock()
				farCounters().stop()
				farMu.Unlock()
				return
			}
			farRequest(farStores())
		}()
	}
}

var (
	farMu    sync.Mutex
	farCount int
)

// A farModule is what the registry has.
type farModule interface{ stop() }

type farCounter struct{ name string }

func (*farCounter) stop() { farCount++ } // assumed farCount

type farStore struct{ name string }

func (*farStore) stop() {}

var farRegistry = map[string]farModule{"counter": &farCounter{}, "store": &farStore{}}

func farCounters() farModule { return farRegistry["counter"] }
func farStores() farModule   { return farRegistry["store"] }

func farRequest(m farModule) { farRoute(m) }
func farRoute(m farModule)   { farHandle(m) }
func farHandle(m farModule)  { farProvide(m) }
func farProvide(m farModule) { farClean(m) }
func farClean(m farModule)   { m.stop() }

// FW2: the same far way runs one function only, whatever comes.
func FW2_oneFunction() {
	for k := range n {
		go func() {
			if k == 0 {
				farMu.Lock()
				farReset()
				farMu.Unlock()
				return
			}
			farReset1()
		}()
	}
}

var farState int

func farReset1() { farReset2() }
func farReset2() { farReset3() }
func farReset3() { farReset4() }
func farReset4() { farReset5() }
func farReset5() { farReset() }
func farReset()  { farState++ } // race! farState

// FW3: near the body it is any module, and no lock is held.
func FW3_near() {
	for k := range n {
		go func() {
			m := nearRegistry[names[k%len(names)]]
			if k == 0 {
				farMu.Lock()
				m.stop()
				farMu.Unlock()
				return
			}
			m.stop()
		}()
	}
}

var (
	names        = []string{"counter", "store"}
	nearCount    int
	nearRegistry = map[string]farModule{"counter": &nearCounter{}, "store": &farStore{}}
)

type nearCounter struct{ name string }

func (*nearCounter) stop() { nearCount++ } // race! nearCount

// FW4: no lock at all, many calls below the body, by a call that may run one function or
// another.
func FW4_farUnlocked() {
	for k := range n {
		go func() { farRequest(farRegistry2[names[k%len(names)]]) }()
	}
}

var (
	farCount2    int
	farRegistry2 = map[string]farModule{"counter": &farCounter2{}, "store": &farStore{}}
)

type farCounter2 struct{ name string }

func (*farCounter2) stop() { farCount2++ } // race farCount2; which method a call far below the body runs is not certain

// FW5: nor is it shown that both write to the same one of two.
func FW5_farOneOfTwo() {
	for k := range n {
		go func() { farRequest(farRegistry3[names[k%len(names)]]) }()
	}
}

var (
	farLeft, farRight struct{ sum int }
	farRegistry3      = map[string]farModule{"counter": &farSwitch{"counter"}, "store": &farStore{}}
)

type farSwitch struct{ name string }

func (s *farSwitch) stop() {
	p := &farLeft
	if len(s.name) > n {
		p = &farRight
	}
	p.sum++ // assumed farLeft.sum
}

// FW6: the lock is released four calls away, and has no name in any of the functions but the last two.
func FW6_farReleased() {
	mine := &farBox{}
	for range n {
		go func() {
			mine.mu.Lock()
			farFirst(func() *farBox { return mine })
			mine.n++ // race! mine.n
			mine.mu.Lock()
			mine.mu.Unlock()
		}()
	}
}

type farBox struct {
	mu sync.Mutex
	n  int
}

func farFirst(pick func() *farBox)  { farSecond(pick) }
func farSecond(pick func() *farBox) { farThird(pick) }
func farThird(pick func() *farBox)  { farLetGo(pick()) }
func farLetGo(b *farBox)            { b.mu.Unlock() }
