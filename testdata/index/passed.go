package index

import (
	"encoding/binary"
	"sync"
)

// Programs about functions that several calls share: what one call passes is
// not what another does.

// One function of a library reads the chunk and the key.
func Passed_apart() {
	all, key := make([]byte, 80), make([]byte, 8)
	var wg sync.WaitGroup
	for lo := 0; lo < len(all); lo += 8 {
		wg.Go(func() {
			mine := all[lo : lo+8]
			x := binary.LittleEndian.Uint64(mine) ^ binary.LittleEndian.Uint64(key) // norace
			binary.LittleEndian.PutUint64(mine, x)                                  // norace
		})
	}
	wg.Wait()
}

// The key is the first chunk.
func Passed_first() {
	all := make([]byte, 80)
	key := all[:8]
	var wg sync.WaitGroup
	for lo := 0; lo < len(all); lo += 8 {
		wg.Go(func() {
			mine := all[lo : lo+8]
			x := binary.LittleEndian.Uint64(mine) ^ binary.LittleEndian.Uint64(key) // race! all[*]
			binary.LittleEndian.PutUint64(mine, x)                                  // race! all[*]
		})
	}
	wg.Wait()
}

// It comes from a function that returns either.
func Passed_either(first bool) {
	all, other := make([]byte, 80), make([]byte, 8)
	var wg sync.WaitGroup
	for lo := 0; lo < len(all); lo += 8 {
		wg.Go(func() {
			mine := all[lo : lo+8]
			key := keyOf(all, other, !first)
			x := binary.LittleEndian.Uint64(mine) ^ binary.LittleEndian.Uint64(key) // race! all[*]
			binary.LittleEndian.PutUint64(mine, x)                                  // race! all[*]
		})
	}
	wg.Wait()
}

func keyOf(all, other []byte, first bool) []byte {
	if first {
		return all[:8]
	}
	return other
}

type word []byte

func (w word) load() uint64 { return binary.LittleEndian.Uint64(w) } // race! all[*]

type loader interface{ load() uint64 }

// It is called through an interface.
func Passed_interface() {
	all, key := make([]byte, 80), make([]byte, 8)
	var wg sync.WaitGroup
	for lo := 0; lo < len(all); lo += 8 {
		wg.Go(func() {
			mine := all[lo : lo+8]
			for _, l := range []loader{word(all[:8]), word(key)} {
				binary.LittleEndian.PutUint64(mine, l.load()) // race! all[*]
			}
		})
	}
	wg.Wait()
}

// What is appended does not fit where there is less room than that.
func Append_tooLarge(all []int) {
	var wg sync.WaitGroup
	for lo := 0; lo+4 <= len(all); lo += 4 {
		wg.Go(func() {
			mine := all[lo : lo+4]
			if cap(mine) < 64 {
				mine = append(mine, make([]int, 64-len(mine))...) // norace
			}
			_ = mine
		})
	}
	wg.Wait()
}

// It fits after all but the last.
func Append_fits(all []int) {
	var wg sync.WaitGroup
	for lo := 0; lo+4 <= len(all); lo += 4 {
		wg.Go(func() {
			mine := all[lo : lo+4]
			if cap(mine) < 64 {
				mine = append(mine, make([]int, 8-len(mine))...) // race! all[*]
			}
			_ = mine
		})
	}
	wg.Wait()
}
