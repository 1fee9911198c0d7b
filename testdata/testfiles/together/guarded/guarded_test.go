// Package guarded has tests that run at the same time, and guard what they share.
package guarded

import (
	"sync"
	"sync/atomic"
	"testing"
)

var (
	mu, half           sync.Mutex
	locked, halfLocked int
	once, other        sync.Once
	made, madeTwice    []int
	hits               atomic.Int64
	count, plain       int64
	seen               sync.Map
)

// Both hold the lock.
func TestTG30_locks(t *testing.T) {
	t.Parallel()
	mu.Lock()
	defer mu.Unlock()
	locked++ // norace
}

func TestTG30_locksToo(t *testing.T) {
	t.Parallel()
	mu.Lock()
	locked-- // norace
	mu.Unlock()
}

// One does.
func TestTG30b_locks(t *testing.T) {
	t.Parallel()
	half.Lock()
	defer half.Unlock()
	halfLocked++ // race! halfLocked
}

func TestTG30b_reads(t *testing.T) {
	t.Parallel()
	if halfLocked > 1 { // race! halfLocked
		t.Error("set")
	}
}

// What a Once makes is there for all who have called Do.
func fixture() []int {
	once.Do(func() { made = []int{1, 2} }) // norace
	return made                            // norace
}

func TestTG31_asks(t *testing.T) {
	t.Parallel()
	if len(fixture()) != 2 {
		t.Error("made")
	}
}

func TestTG31_asksToo(t *testing.T) {
	t.Parallel()
	if fixture()[0] != 1 { // norace
		t.Error("made")
	}
}

// Who does not call Do does not wait.
func TestTG31b_makes(t *testing.T) {
	t.Parallel()
	other.Do(func() { madeTwice = []int{1, 2} }) // race! madeTwice
}

func TestTG31b_reads(t *testing.T) {
	t.Parallel()
	if len(madeTwice) > 2 { // race! madeTwice
		t.Error("made")
	}
}

// Atomic operations do not race with each other, but with others.
func TestTG32_counts(t *testing.T) {
	t.Parallel()
	hits.Add(1)                // norace
	atomic.AddInt64(&count, 1) // norace
	atomic.AddInt64(&plain, 1) // race! plain
	seen.Store("a", 1)         // norace
}

func TestTG32_countsToo(t *testing.T) {
	t.Parallel()
	if hits.Load()+atomic.LoadInt64(&count) > 2 { // norace
		t.Error("hits")
	}
	if plain > 1 { // race! plain
		t.Error("set")
	}
	seen.Store("b", 2) // norace
}
