package heap

import (
	"encoding/json"
	"sync"
)

// DP1: what is decoded into a field is written there, and an array in the field does not
// make it more.
func DP1_fieldWithArray(b []byte) {
	v := &station{}
	done := make(chan bool)
	go func() {
		v.mu.Lock()
		json.Unmarshal(b, &v.key)
		v.mu.Unlock()
		done <- true
	}()
	println(v.Level) // norace
	<-done
}

// DP1b: all of it is decoded.
func DP1b_all(b []byte) {
	v := &station{}
	done := make(chan bool)
	go func() {
		v.mu.Lock()
		json.Unmarshal(b, v) // race! v.Level
		v.mu.Unlock()
		done <- true
	}()
	println(v.Level) // race! v.Level
	<-done
}

// DP1c: the field itself is read without the lock.
func DP1c_sameField(b []byte) {
	v := &station{}
	done := make(chan bool)
	go func() {
		v.mu.Lock()
		json.Unmarshal(b, &v.key) // race! v.key.Bytes[*]
		v.mu.Unlock()
		done <- true
	}()
	println(v.key.Bytes[1]) // race! v.key.Bytes[*]
	<-done
}

// DP2: one element stands for any of the array, and for nothing beside it.
func DP2_element(b []byte, i, j int) {
	v := &station{}
	done := make(chan bool)
	go func() {
		json.Unmarshal(b, &v.Rows[i]) // race! v.Rows[*]
		done <- true
	}()
	println(v.Level)   // norace
	println(v.Rows[j]) // race! v.Rows[*]
	println(v.Limit)   // norace
	<-done
}

// DP3: each decodes into its own element of an array in a struct, and reads that.
func DP3_ownElement(bs [4][]byte) {
	var t numbers
	var wg sync.WaitGroup
	for i := range bs {
		wg.Go(func() {
			json.Unmarshal(bs[i], &t.nums[i])
			println(t.nums[i]) // norace
		})
	}
	wg.Wait()
}

// DP3b: it reads the next one's.
func DP3b_nextElement(bs [4][]byte) {
	var t numbers
	var wg sync.WaitGroup
	for i := range bs {
		wg.Go(func() {
			json.Unmarshal(bs[i], &t.nums[i]) // race! t.nums[*]
			println(t.nums[(i+1)%4])          // race! t.nums[*]
		})
	}
	wg.Wait()
}

type numbers struct{ nums [4]int }

type station struct {
	mu    sync.Mutex
	Level int
	key   stationKey
	Rows  [4]int
	Limit int
}

type stationKey struct {
	Name  string
	Bytes [4]byte
}
