package heap

import (
	"encoding/json"
	"runtime"
	"sync"
)

// An iteration keeps its element in memory of its own, a request for example, and
// other functions take it from there.

type query struct{ Hits int }

func newQuery() *query { return new(query) }

type request struct {
	Q    *query
	size int
}

func newRequest(q *query) *request { return &request{Q: q} }

func (r *request) take(q *query) { r.Q = q }

func (r *request) query() *query { return r.Q }

// A1_requestInIteration makes the request in the iteration.
func A1_requestInIteration() {
	queries := []*query{newQuery(), newQuery()}
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() {
			r := newRequest(q)
			r.Q.Hits++ // norace
		})
	}
	wg.Wait()
}

type scorer interface{ score() }

type wordScorer struct{ hits int }

func newWordScorer() *wordScorer { return new(wordScorer) }

type rescorer struct{ job *scoring }

type scoring struct{ s scorer }

func newScoring(s scorer) *scoring { return &scoring{s} }

// A1_behindInterface keeps it behind two pointers and an interface.
func A1_behindInterface() {
	scorers := []scorer{newWordScorer(), newWordScorer()}
	var wg sync.WaitGroup
	for _, s := range scorers {
		wg.Go(func() {
			r := &rescorer{newScoring(s)}
			r.run()
		})
	}
	wg.Wait()
}

func (r *rescorer) run() { r.job.s.score() }

func (w *wordScorer) score() {
	w.hits++ // norace
}

// A1_requestInRound makes it in the round that starts the goroutine.
func A1_requestInRound() {
	queries := []*query{newQuery(), newQuery()}
	var wg sync.WaitGroup
	for _, q := range queries {
		r := &request{Q: q}
		wg.Go(func() {
			r.query().Hits++ // norace
		})
	}
	wg.Wait()
}

// A1_filledLater makes it empty, and stores the element by index later.
func A1_filledLater() {
	queries := []*query{newQuery(), newQuery()}
	var wg sync.WaitGroup
	for i := range queries {
		wg.Go(func() {
			r := new(request)
			r.take(queries[i])
			r.Q.Hits++ // norace
		})
	}
	wg.Wait()
}

// A1_printed has the request printed with all that is behind it.
func A1_printed() {
	queries := []*query{newQuery(), newQuery()}
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() {
			r := newRequest(q)
			r.Q.Hits++                       // norace
			_, _ = json.Marshal([]any{1, r}) // norace
		})
	}
	wg.Wait()
}

// A1b_printedOther has the first request printed behind another's.
func A1b_printedOther() {
	first := newQuery()
	queries := []*query{first, newQuery()}
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() {
			r := newRequest(q)
			r.Q.Hits++                                                  // race! q.Hits
			_, _ = json.Marshal(&pairOfRequests{r, &request{Q: first}}) // race! Hits
		})
	}
	wg.Wait()
}

type pairOfRequests struct{ A, B *request }

// A1b_oneTwice has one query in two elements.
func A1b_oneTwice() {
	q := newQuery()
	queries := []*query{q, q}
	var wg sync.WaitGroup
	for _, q := range queries {
		wg.Go(func() {
			r := newRequest(q)
			runtime.Gosched()
			r.Q.Hits++ // race! q.Hits
		})
	}
	wg.Wait()
}

// A1b_default stores another query in some requests.
func A1b_default() {
	first := newQuery()
	queries := []*query{first, newQuery()}
	var wg sync.WaitGroup
	for i, q := range queries {
		wg.Go(func() {
			r := newRequest(q)
			if i == 1 {
				r.Q = first
			}
			r.Q.Hits++ // race! q.Hits
		})
	}
	wg.Wait()
}

// A1b_otherIndex goes to one element from two iterations.
func A1b_otherIndex() {
	queries := []*query{newQuery(), newQuery(), newQuery()}
	var wg sync.WaitGroup
	for i := range queries {
		wg.Go(func() {
			r := new(request)
			r.take(queries[i/2])
			r.Q.Hits++ // race! q.Hits
		})
	}
	wg.Wait()
}

// A1b_othersRequest takes over what another iteration has made.
func A1b_othersRequest() {
	queries := []*query{newQuery(), newQuery()}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var last *request
	for _, q := range queries {
		wg.Go(func() {
			r := newRequest(q)
			mu.Lock()
			if last != nil {
				r = last
			}
			last = r
			mu.Unlock()
			r.Q.Hits++ // race! q.Hits
		})
	}
	wg.Wait()
}

// A1b_changedByOthers has iterations change each other's requests, under a lock.
func A1b_changedByOthers() {
	queries := []*query{newQuery(), newQuery()}
	var wg, ready sync.WaitGroup
	var mu sync.Mutex
	var all []*request
	ready.Add(len(queries))
	for _, q := range queries {
		wg.Go(func() {
			r := newRequest(q)
			mu.Lock()
			all = append(all, r)
			for _, o := range all {
				o.Q = q // norace
			}
			mu.Unlock()
			ready.Done()
			ready.Wait()
			mu.Lock()
			mine := r.Q // norace
			mu.Unlock()
			mine.Hits++ // race! mine.Hits
		})
	}
	wg.Wait()
}

// A1b_changedByMain has Main change the requests.
func A1b_changedByMain() {
	queries := []*query{newQuery(), newQuery()}
	var wg sync.WaitGroup
	var mu sync.Mutex
	var all []*request
	ready := make(chan bool, len(queries))
	changed := make(chan bool)
	for _, q := range queries {
		wg.Go(func() {
			r := newRequest(q)
			mu.Lock()
			all = append(all, r)
			mu.Unlock()
			ready <- true
			<-changed
			r.Q.Hits++ // race! q.Hits
		})
	}
	for range queries {
		<-ready
	}
	for _, r := range all {
		r.Q = queries[0]
	}
	close(changed)
	wg.Wait()
}

// A1b_kept leaves the request in a list behind another object of the iteration's,
// where Main finds it.
func A1b_kept() {
	queries := []*query{newQuery(), newQuery()}
	var wg sync.WaitGroup
	holders := make([]*requestHolder, len(queries))
	ready := make(chan bool, len(queries))
	changed := make(chan bool)
	for i, q := range queries {
		wg.Go(func() {
			h := &requestHolder{newRequest(q)}
			holders[i] = h
			ready <- true
			<-changed
			h.r.Q.Hits++ // race! q.Hits
		})
	}
	for range queries {
		<-ready
	}
	for _, h := range holders {
		h.r.Q = queries[1]
	}
	close(changed)
	wg.Wait()
}

type requestHolder struct{ r *request }

// A1b_madeBefore has one request for all rounds.
func A1b_madeBefore() {
	queries := []*query{newQuery(), newQuery()}
	var wg sync.WaitGroup
	r := new(request)
	for _, q := range queries {
		r.Q = q // race! r.Q
		wg.Go(func() {
			r.Q.Hits++ // race! r.Q r.Q.Hits
		})
	}
	wg.Wait()
}
