package order

import "sync"

// A labelled parcel goes from stage to stage, each of which adds labels to it.
type labelled struct{ labels []string }

// stage has workers do something with what comes, and hands it on.
func stage(in <-chan *labelled, do func(*labelled)) <-chan *labelled {
	out := make(chan *labelled)
	var wg sync.WaitGroup
	for range 3 {
		wg.Go(func() {
			for p := range in {
				do(p)
				out <- p
			}
		})
	}
	go func() {
		wg.Wait()
		close(out)
	}()
	return out
}

// unlabelled makes parcels without labels.
func unlabelled() <-chan *labelled {
	out := make(chan *labelled)
	go func() {
		for range 10 {
			p := new(labelled)
			p.labels = p.labels[:0]
			out <- p
		}
		close(out)
	}()
	return out
}

// What the first line makes, or what was there, is the parcel's, and who has the parcel may go on with it.
func LB1_labelledTwice() {
	ch := unlabelled()
	for range 2 {
		ch = stage(ch, func(p *labelled) {
			p.labels = append(p.labels, "checked")
			p.labels = append(p.labels, "fragile") // norace
		})
	}
	for p := range ch {
		println(p.labels[0]) // norace
	}
}

// The parcel is labelled again when it has been handed on.
func LB2_labelledLate() {
	in, out := unlabelled(), make(chan *labelled)
	for range 3 {
		go func() {
			for p := range in {
				p.labels = append(p.labels, "checked")
				out <- p
				p.labels = append(p.labels, "fragile") // race! _ _[*]
			}
		}()
	}
	for range 10 {
		p := <-out
		println(cap(p.labels), p.labels[:2][1]) // race! _[*] _
	}
}

// The labels are those of two parcels.
func LB3_labelsOfTwo() {
	in, out, copies := unlabelled(), make(chan *labelled), make(chan *labelled)
	for range 3 {
		go func() {
			for p := range in {
				p.labels = append(p.labels, "checked") // race labels[*]; what another worker has made, and given to q
				q := new(labelled)
				q.labels = p.labels
				copies <- q
				p.labels[0] = "fragile" // race! labels[*]
				out <- p
			}
		}()
	}
	for range 10 {
		q := <-copies
		println(q.labels[0]) // race! _[*]
		<-out
	}
}
