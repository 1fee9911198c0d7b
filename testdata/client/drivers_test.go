package client

import "time"

// Drivers are clients, for the race check.

func Drive_CL1_getter() {
	t := CL1_getter()
	for range 10 {
		t.Last()
		t.N()
		time.Sleep(time.Millisecond)
	}
	t.Close()
}

func Drive_CL2_returned() {
	p := CL2_returned()
	for range 100 {
		p.Get().Release()
		time.Sleep(100 * time.Microsecond)
	}
}

func Drive_CL3_timer() {
	b, _ := CL3_timer()
	for range 100 {
		b.Add(1)
		time.Sleep(100 * time.Microsecond)
	}
}

func Drive_CL6_generic() {
	l := CL6_generic[string, int]()
	for i := range 100 {
		l.Put("a", i)
		l.Drops()
		time.Sleep(100 * time.Microsecond)
	}
}

func Drive_FP_clientAfterEnd() {
	j := FP_clientAfterEnd()
	<-j.Done()
	j.Err()
}

func Drive_FN_releasedEarly() {
	s := FN_releasedEarly()
	for range 100 {
		s.Release()
		time.Sleep(100 * time.Microsecond)
	}
}

func Drive_CL7_twoGoroutines() {
	s := CL7_twoGoroutines()
	go s.Add()
	s.N()
	time.Sleep(time.Millisecond)
}

func Drive_FN_readBeforeSend() {
	j := FN_readBeforeSend()
	for range 100 {
		j.Append("a")
	}
}
