package order

// The answers for places only change from no to yes while a class is solved, as
// it is found to be over after more and more operations. What an answer of no rests on
// is kept, so that a round asks those again of which something is new: of the three
// thousand places of a loop, asked in five rounds for each of its classes, few
// rest on an operation that another round has settled.

// A question is a place that was asked of a class, with its answer.
type question struct {
	place   place
	crossed bool
	answer  *answer
}

// rests has the questions that were answered no.
type rests struct {
	on    map[int32][]question // by operation after which the class was not over
	other []question           // that rest on walks, or on other classes
	fresh []int32              // operations after which it is over since
	reads []int32              // of the question at hand: operations after which the class is not over
	loose bool                 // it rests on something else, too
}

// has reports whether the class is known to be over when r has happened.
func (c *class) has(r *op) bool {
	if c.over[r.id] {
		return true
	}
	if c.rests != nil && c.asking > 0 {
		c.rests.reads = append(c.rests.reads, r.id)
	}
	return false
}

// isOver notes that the class is over after an operation.
func (c *class) isOver(id int32) {
	c.over[id] = true
	if c.rests != nil {
		c.rests.fresh = append(c.rests.fresh, id)
	}
}

// restless notes that the answer at hand rests on more than operations. It is true.
func (c *class) restless() bool {
	if c.rests != nil {
		c.rests.loose = true
	}
	return true
}

// begin starts a question, perhaps within another, which then rests on walks.
func (c *class) begin() (outer int) {
	if c.rests == nil {
		c.rests = &rests{on: make(map[int32][]question)}
	}
	c.rests.loose = false
	return len(c.rests.reads)
}

// end keeps what the answer to a question rests on.
func (c *class) end(q question, outer int) {
	r := c.rests
	switch {
	case *q.answer == yes:
	case r.loose:
		r.other = append(r.other, q)
	default:
		for _, id := range r.reads[outer:] {
			if list := r.on[id]; len(list) == 0 || list[len(list)-1].answer != q.answer {
				r.on[id] = append(list, q)
			}
		}
	}
	r.reads = r.reads[:outer]
	r.loose = true
}

// askAgain asks the questions again of which something is new, and reports
// whether the answer to one has changed.
func (a *Analysis) askAgain(c *class) bool {
	r := c.rests
	if r == nil {
		return true
	}
	work := r.other
	r.other = nil
	for _, id := range r.fresh {
		work = append(work, r.on[id]...)
		delete(r.on, id)
	}
	r.fresh = r.fresh[:0]
	changed := false
	for i := range work {
		if q := &work[i]; *q.answer == no {
			*q.answer = unasked
		}
	}
	for i := range work {
		q := &work[i]
		if *q.answer == unasked && a.fuel >= 0 {
			a.awaits(q.place, c, q.crossed)
		}
		changed = changed || *q.answer == yes
	}
	return changed
}
