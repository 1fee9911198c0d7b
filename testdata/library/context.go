package library

import (
	"context"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/singleflight"
)

type traceKey struct{}

type userKey struct{}

type trace struct{ spans []string }

func traceOf(ctx context.Context) *trace {
	t, _ := ctx.Value(traceKey{}).(*trace)
	return t
}

// One trace for all requests.
func K4a_sharedValue() {
	ctx := context.WithValue(context.Background(), traceKey{}, &trace{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			ctx, cancel := context.WithCancel(ctx)
			defer cancel()
			t := traceOf(ctx)
			t.spans = append(t.spans, "x") // race! _.spans _[*]
		})
	}
	wg.Wait()
}

// Each request has its own, which hides that of them all.
func K4b_ownValue() {
	ctx := context.WithValue(context.Background(), traceKey{}, &trace{})
	traceOf(ctx).spans = nil
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			t := traceOf(context.WithValue(ctx, traceKey{}, &trace{}))
			t.spans = append(t.spans, "x") // norace
		})
	}
	wg.Wait()
}

type visitor struct{ seen int }

// A value of another type hides nothing.
func K4c_otherValue() {
	ctx := context.WithValue(context.Background(), userKey{}, &visitor{})
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			ctx := context.WithValue(ctx, traceKey{}, &trace{})
			ctx.Value(userKey{}).(*visitor).seen++ // race! _.seen
		})
	}
	wg.Wait()
}

type page struct {
	text string
	hits int
	uses atomic.Int32
}

func load(g *singleflight.Group) *page {
	v, _, _ := g.Do("page", func() (any, error) {
		p := &page{}
		p.text = "text" // norace
		return p, nil
	})
	return v.(*page)
}

// Who is held up gets the same page.
func K5_flightShared() {
	var g singleflight.Group
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			p := load(&g)
			p.hits++ // race! _.hits
			p.uses.Add(int32(len(p.text)))
		})
	}
	wg.Wait()
}

// Of two groups, nobody gets the other's.
func K5b_ownFlight() {
	var wg sync.WaitGroup
	for range n {
		wg.Go(func() {
			var g singleflight.Group
			v, _, _ := g.Do("own", func() (any, error) { return new(page), nil })
			v.(*page).hits++ // norace
		})
	}
	wg.Wait()
}
