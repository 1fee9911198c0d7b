package order

import (
	"slices"

	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// This file is the rule for a goroutine and who has started it, where they talk by channels that nobody else
// has:
//
//	func (s *store) run() {              func (s *store) do(c cmd) {
//		for c := range s.cmds {              s.cmds <- c
//			x(c)                             s.ack <- struct{}{}
//			<-s.ack                          y()
//		}                                }
//	}
//
// Neither is over for good when the other runs: there are more commands. But each goes on from an operation only when
// the other one is where that can happen. So both are followed together, from operation to operation, from where
// the thread of the one that starts the other begins: a send on an unbuffered
// channel and its receive are one step of both; on a buffered one, what lies in the channel is counted; who sees it closed comes
// after the close. If in no state that they come to both x and y may be next, no run of the program has the one beside the
// other, whatever else orders them. All that is not such an operation is free, and so is which of several channels one is on.

// A talk is two threads and what they do to the channels that are theirs alone.
type talk struct {
	chans  []talkChan
	sides  [2]talkSide
	states [][2]int32                // each pair of positions that they come to at the same time, once
	paired bool                      // they are started as a pair, for which the channels are made
	after  map[talkState][]talkState // what may follow a state, if they are
	panics bool                      // one may send when the channel is closed: who recovers from that has not waited for what came before the close
}

// A talkChan is one of these channels, or all that are made at one place.
type talkChan struct {
	loc  pta.Loc // as Canon has it, unless it is that of a pair
	cap  int64
	many bool
}

// A talkSide is one of the two threads.
type talkSide struct {
	thread    pta.InstID
	ops       []*op
	positions []talkPosition
	known     map[talkKey]int32
}

// A talkPosition is what a thread has done last, and what it may do from there.
type talkPosition struct {
	key   talkKey
	walk  *walk
	next  []int32 // of the side's operations
	asked bool
}

// A talkKey names a position: the operation, or how the thread comes there otherwise; and whether a receive has got a value
// or seen that the channel is closed.
type talkKey struct {
	op     int32
	closed bool
}

const (
	atEntry    = -1 - iota
	unborn     // not started yet: what the other one has sent by then lies in the channels
	afterSpawn // of the other one
)

// A talkState is where both are, and what the channels hold.
type talkState struct {
	at    [2]int32
	holds [maxTalkChans]uint8 // how many, and talkClosed
}

const (
	maxTalkOps    = 40
	maxTalkChans  = 6
	maxTalkStates = 4000
	maxTalkCount  = 3 // as many, or more
	talkClosed    = 1 << 7
)

// inLockstep reports whether x, of a goroutine, and y, of the thread that has started it, never happen at the same
// time, by what the two tell each other.
func (a *Analysis) inLockstep(x, y access) bool {
	if a.again || a.fuel < 0 { // a round's own channels are not one pair's alone by name
		return false
	}
	t, one := a.sole(x.inst)
	m, other := a.sole(y.inst)
	if !one || !other || t == m {
		return false
	}
	k := a.talkOf(t, m)
	return k != nil && !slices.ContainsFunc(k.states, func(s [2]int32) bool {
		w := k.sides[0].positions[s[0]].walk
		return w != nil && w.reaches(x.inst, x.at) && k.sides[1].positions[s[1]].walk.reaches(y.inst, y.at)
	})
}

// talkOf returns the talk of a thread and of who starts it, nil if there is none.
func (a *Analysis) talkOf(t, m pta.InstID) *talk {
	key := [2]pta.InstID{t, m}
	k, known := a.talks[key]
	if !known {
		if k = a.findTalk(t, m); k != nil && !a.follow(k) {
			k = nil
		}
		if a.talks == nil {
			a.talks = make(map[[2]pta.InstID]*talk)
		}
		a.talks[key] = k
	}
	return k
}

// findTalk finds the channels of a talk, and what is done to them.
func (a *Analysis) findTalk(t, m pta.InstID) *talk {
	starts := a.spawnsOf(t)
	if len(starts) == 0 || slices.ContainsFunc(starts, func(s pta.Site) bool {
		by, ok := a.sole(s.Inst)
		return !ok || by != m
	}) {
		return nil
	}
	theirs := a.theirOwn(t, m)
	if len(theirs) == 0 || len(a.spawnsOf(m)) > 0 && a.multi(m, noSite) {
		return nil
	}
	return a.newTalk(t, m, theirs)
}

// theirOwn returns the channels that two threads alone have, by Canon.
func (a *Analysis) theirOwn(t, m pta.InstID) map[pta.Loc]bool {
	theirs := make(map[pta.Loc]bool)
	for _, o := range a.allOps {
		if u, ok := a.sole(o.inst); !ok || u != t {
			continue
		}
		for _, l := range o.locs {
			if c := a.w.Object(l).Canon; a.capacity(l) >= 0 && !a.isTimer(l) {
				theirs[c] = true
			}
		}
	}
	for changed := len(theirs) > 0; changed; {
		changed = false
		for _, o := range a.allOps {
			in, out := 0, 0
			for _, l := range o.locs {
				if theirs[a.w.Object(l).Canon] {
					in++
				} else {
					out++
				}
			}
			if u, ok := a.sole(o.inst); in > 0 && (out > 0 || !ok || u != t && u != m || !a.isPlain(o)) {
				for _, l := range o.locs {
					delete(theirs, a.w.Object(l).Canon)
				}
				changed = true
			}
		}
	}
	return theirs
}

// newTalk returns the talk of two threads by channels that they alone have, nil if that is none, or too much.
func (a *Analysis) newTalk(t, m pta.InstID, theirs map[pta.Loc]bool) *talk {
	k := new(talk)
	k.sides[0].thread, k.sides[1].thread = t, m
	for _, o := range a.allOps {
		if !slices.ContainsFunc(o.locs, func(l pta.Loc) bool { return theirs[a.w.Object(l).Canon] }) {
			continue
		}
		side := &k.sides[1]
		if u, _ := a.sole(o.inst); u == t {
			side = &k.sides[0]
		}
		side.ops = append(side.ops, o)
		for _, l := range o.locs {
			x := a.w.Object(l)
			c := slices.IndexFunc(k.chans, func(c talkChan) bool { return c.loc == x.Canon })
			if c < 0 {
				c = len(k.chans)
				k.chans = append(k.chans, talkChan{x.Canon, a.capacity(l), false})
			}
			ch := &k.chans[c]
			ch.many = ch.many || x.Many || a.w.Object(x.Canon).Many || x.Part != 0 || indexed(x.Field) || a.capacity(l) != ch.cap
			ch.cap = max(ch.cap, a.capacity(l))
		}
	}
	if len(k.sides[1].ops) == 0 || k.isTooMuch() {
		return nil
	}
	return k
}

// isTooMuch reports whether a talk is not followed, since it has too many channels or operations.
func (k *talk) isTooMuch() bool {
	return len(k.chans) > maxTalkChans || len(k.sides[0].ops)+len(k.sides[1].ops) > maxTalkOps
}

// isPlain reports whether an operation is a send, a receive or a close, and walks come to it.
func (a *Analysis) isPlain(o *op) bool {
	return o.kind < opOther && o.lib == library.OpNone && a.isUseful(o)
}

// follow finds the states that a talk comes to, and reports whether these are few enough.
func (a *Analysis) follow(k *talk) bool {
	for i := range k.sides {
		k.sides[i].known = make(map[talkKey]int32)
	}
	first := talkState{at: [2]int32{k.position(0, talkKey{unborn, false}), k.position(1, talkKey{atEntry, false})}}
	if k.paired { // whichever is started first
		first.at[0] = k.position(0, talkKey{atEntry, false})
		k.after = make(map[talkState][]talkState)
	}
	seen := map[talkState]bool{first: true}
	pairs := make(map[[2]int32]bool)
	for work := []talkState{first}; len(work) > 0; {
		s := work[len(work)-1]
		work = work[:len(work)-1]
		if !pairs[s.at] {
			pairs[s.at] = true
			k.states = append(k.states, s.at)
		}
		steps := a.stepsOf(k, s)
		if k.paired {
			k.after[s] = steps
		}
		for _, next := range steps {
			if !seen[next] {
				seen[next] = true
				work = append(work, next)
			}
		}
		if len(seen) > maxTalkStates || a.fuel < 0 || k.panics {
			return false
		}
	}
	return true
}

// position returns the number of a position of a side.
func (k *talk) position(side int, key talkKey) int32 {
	s := &k.sides[side]
	n, known := s.known[key]
	if !known {
		n = int32(len(s.positions))
		s.known[key] = n
		s.positions = append(s.positions, talkPosition{key: key})
	}
	return n
}

// nextOf returns what a side may do next at a position.
func (a *Analysis) nextOf(k *talk, side int, n int32) []int32 {
	s := &k.sides[side]
	p := &s.positions[n]
	if p.asked {
		return p.next
	}
	p.asked = true
	if p.key.op == unborn {
		return nil
	}
	w := a.newWalk()
	var from *op
	if p.key.op >= 0 {
		from = s.ops[p.key.op]
	}
	w.forbids(func(at place, _ bool) bool {
		if slices.ContainsFunc(s.ops, func(o *op) bool { return o.takenAt(at) }) {
			return true
		}
		return from != nil && from.kind == opRecv && from.tellsOtherwise(at, p.key.closed)
	}, s.ops)
	switch {
	case from != nil:
		w.startAfter(from)
	case p.key.op == atEntry:
		w.fromEntry(s.thread)
	default:
		for _, at := range a.spawnsOf(k.sides[0].thread) {
			w.fromSpawn(at)
		}
	}
	p.walk = w.run()
	for i, o := range s.ops {
		if p.walk.reachesOp(o) {
			p.next = append(p.next, int32(i))
		}
	}
	return p.next
}

// takenAt reports whether an operation happens at a step or edge.
func (o *op) takenAt(p place) bool {
	if o.inst != p.inst || p.step >= 0 || o.step >= 0 {
		return o.inst == p.inst && o.step == p.step
	}
	return slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
		return ev.Kind == flow.CaseTaken && ev.Site == o.site && ev.Operand == o.k
	})
}

// tellsOtherwise reports whether an edge, right behind receive o, is that of a test which tells whether the channel is closed, and
// turns out the other way. Nothing that is called stands between: the test is that of this receive.
func (o *op) tellsOtherwise(p place, closed bool) bool {
	if p.step >= 0 || p.inst != o.inst {
		return false
	}
	other := flow.RecvClosed
	if closed {
		other = flow.RecvSent
	}
	after := o.after
	if o.step >= 0 {
		after = []flow.Gap{o.f.AfterStep(o.step)}
	}
	return len(after) == 1 && o.f.BlockOf(after[0]) == p.block && o.f.StepAfter(after[0]) < 0 &&
		slices.ContainsFunc(p.f.Blocks[p.block].Succs[p.edge].Events, func(ev flow.Event) bool {
			return ev.Kind == other && ev.Site == o.site && ev.Operand == o.k
		})
}

// on lists which of a talk's channels an operation may be on.
func (k *talk) on(a *Analysis, o *op) (out []int) {
	for i := range k.chans {
		if slices.ContainsFunc(o.locs, func(l pta.Loc) bool {
			return k.paired && l == k.chans[i].loc || !k.paired && a.w.Object(l).Canon == k.chans[i].loc
		}) {
			out = append(out, i)
		}
	}
	return out
}

// stepsOf returns the states that may follow one.
func (a *Analysis) stepsOf(k *talk, s talkState) (out []talkState) {
	var next [2][]int32
	for i := range next {
		next[i] = a.nextOf(k, i, s.at[i])
	}
	if k.sides[0].positions[s.at[0]].key.op == unborn && slices.ContainsFunc(a.spawnsOf(k.sides[0].thread), func(at pta.Site) bool {
		return k.sides[1].positions[s.at[1]].walk.reaches(at.Inst, at.At)
	}) {
		t := s
		t.at = [2]int32{k.position(0, talkKey{atEntry, false}), k.position(1, talkKey{afterSpawn, false})}
		out = append(out, t)
	}
	for i := range k.sides {
		for _, n := range next[i] {
			o := k.sides[i].ops[n]
			if k.paired && k.isFree(a, o) {
				t := s
				t.at[i] = k.position(i, talkKey{n, false})
				out = append(out, t)
			}
			for _, c := range k.on(a, o) {
				ch := &k.chans[c]
				held := s.holds[c]
				count := held &^ talkClosed
				exact := !ch.many && ch.cap <= maxTalkCount
				to := func(closed bool, holds uint8) {
					t := s
					t.at[i], t.holds[c] = k.position(i, talkKey{n, closed}), holds
					out = append(out, t)
				}
				switch o.kind {
				case opClose:
					to(false, held|talkClosed)
				case opSend:
					if held&talkClosed != 0 {
						k.panics = true
						return nil
					}
					if ch.cap > 0 {
						if !exact || int64(count) < ch.cap {
							to(false, held&talkClosed|min(count+1, maxTalkCount))
						}
					}
					if ch.cap > 0 && !ch.many {
						break
					}
					// Both take this step.
					for _, m := range next[1-i] {
						if r := k.sides[1-i].ops[m]; r.kind == opRecv && slices.Contains(k.on(a, r), c) {
							t := s
							t.at[i], t.at[1-i] = k.position(i, talkKey{n, false}), k.position(1-i, talkKey{m, false})
							out = append(out, t)
						}
					}
				case opRecv:
					if count > 0 {
						to(false, held-1)
						if !exact && count == maxTalkCount {
							to(false, held)
						}
					}
					if held&talkClosed != 0 && (count == 0 || !exact) {
						to(true, held)
					}
				}
			}
		}
	}
	return out
}
