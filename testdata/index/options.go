package index

import "sync"

// A row's pointer goes into an option, a function which keeps it, and from there into what the
// iteration has made.

type fineTuning struct{ interval, size int }

type tuned struct {
	tuning *fineTuning
	name   string
}

type option func(*tuned)

func withTuning(f *fineTuning) option { return func(t *tuned) { t.tuning = f } }

func withName(name string) option { return func(t *tuned) { t.name = name } }

func newTuned(opts ...option) *tuned {
	var t tuned
	for _, o := range opts {
		o(&t)
	}
	if t.tuning == nil {
		t.tuning = &fineTuning{interval: 1}
	}
	return &t
}

type tuningRow struct {
	name   string
	tuning *fineTuning
}

func OT1_rows() {
	rows := []tuningRow{{"a", &fineTuning{interval: 1}}, {"b", &fineTuning{interval: 2}}, {"c", nil}}
	var wg sync.WaitGroup
	for _, r := range rows {
		wg.Go(func() {
			t := newTuned(withName(r.name), withTuning(r.tuning))
			t.tuning.size++ // norace
		})
	}
	wg.Wait()
}

// All iterations give the same one.
func OT2_shared() {
	rows := []tuningRow{{"a", nil}, {"b", nil}}
	all := &fineTuning{}
	var wg sync.WaitGroup
	for _, r := range rows {
		wg.Go(func() {
			t := newTuned(withName(r.name), withTuning(all))
			t.tuning.size++ // race! t.tuning.size
		})
	}
	wg.Wait()
}

// Two rows have the same one.
func OT3_twice() {
	one := &fineTuning{}
	rows := []tuningRow{{"a", one}, {"b", one}}
	var wg sync.WaitGroup
	for _, r := range rows {
		wg.Go(func() {
			t := newTuned(withTuning(r.tuning))
			t.tuning.size++ // race! t.tuning.size
		})
	}
	wg.Wait()
}

// The option is made for another row than the iteration's.
func OT4_next() {
	rows := []tuningRow{{"a", &fineTuning{interval: 1}}, {"b", &fineTuning{interval: 2}}}
	var wg sync.WaitGroup
	for i, r := range rows {
		wg.Go(func() {
			o := withTuning(r.tuning)
			if i > 0 {
				o = withTuning(rows[i-1].tuning)
			}
			t := newTuned(o)
			t.tuning.size++ // race! t.tuning.size
		})
	}
	wg.Wait()
}

// What the option keeps is set again by a function beside it.
func OT5_setAgain() {
	all := &fineTuning{}
	rows := []tuningRow{{"a", &fineTuning{interval: 1}}, {"b", &fineTuning{interval: 2}}}
	var wg sync.WaitGroup
	for _, r := range rows {
		wg.Go(func() {
			o, reset := tuning5(r.tuning, all)
			reset()
			t := newTuned(o)
			t.tuning.size++ // race! t.tuning.size
		})
	}
	wg.Wait()
}

func tuning5(f, all *fineTuning) (option, func()) {
	return func(t *tuned) { t.tuning = f }, func() { f = all }
}

// The options were made before the iterations, one for all.
func OT6_before() {
	rows := []tuningRow{{"a", nil}, {"b", nil}}
	o := withTuning(&fineTuning{})
	var wg sync.WaitGroup
	for _, r := range rows {
		wg.Go(func() {
			t := newTuned(withName(r.name), o)
			t.tuning.size++ // race! t.tuning.size
		})
	}
	wg.Wait()
}
