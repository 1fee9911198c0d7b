package channel

import "errors"

// In the body of one case of several that receive, the ok is that case's: what the
// goroutine did before it closed the channel is over.
func SC1_closedInCase() error {
	conns := make(chan item)
	quit := make(chan item, 1)
	var err error
	go func() {
		defer close(conns)
		for i := range n {
			if i > n/2 {
				err = errors.New("no more")
				return
			}
			conns <- item{id: i}
		}
	}()
	for {
		select {
		case c, ok := <-conns:
			if !ok {
				return err
			}
			_ = c
		case q, ok := <-quit:
			if !ok {
				return nil
			}
			_ = q
		}
	}
}

// The other case's channel is closed, which says nothing of this goroutine.
func SC2_closedInOther() error {
	conns := make(chan item)
	quit := make(chan item)
	var err error
	go func() {
		defer close(conns)
		for i := range n {
			if i > n/2 {
				err = errors.New("no more") // race! err
				return
			}
			conns <- item{id: i}
		}
	}()
	go close(quit)
	for {
		select {
		case c, ok := <-conns:
			if !ok {
				return nil
			}
			_ = c
		case q, ok := <-quit:
			if !ok {
				return err // race! err
			}
			_ = q
		}
	}
}
