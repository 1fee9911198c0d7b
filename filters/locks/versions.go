package locks

import (
	"maps"
	"slices"

	"github.com/iterace/iterace/pta"
)

// This file has versions of what loops have in common (common.go). Whether a pointer on the way
// to a lock is set while a loop runs, is answered otherwise in each view in which somebody runs
// beside the loop who sets it: of a message broker with 737 loops, for five instances of 2,158
// that call each other, and nearly always the same. A version of a component is what it is by
// other answers, and by versions of what it leads to; it follows from these alone, so that it does not
// matter which loop has asked for it first, and what is dropped and made again is the same.

// maxVersions bounds how often a view looks for a version of a component: to know more of its
// answers may lead to further questions.
const maxVersions = 2

// maxOthers bounds the versions of a component that are kept, the last ones that were asked for.
const maxOthers = 6

// answers are those to some questions.
type answers struct {
	renewed, replaced map[pta.Site]bool
}

func (x answers) equal(y answers) bool {
	return maps.Equal(x.renewed, y.renewed) && maps.Equal(x.replaced, y.replaced)
}

// leadsTo is what a component takes another one for, to which it leads.
func (x *component) leadsTo(y *component) *component {
	if z := x.lead[y]; z != nil {
		return z
	}
	return y
}

// versionOf returns the version of component x by the answers that this view has to what was
// asked for as, x itself or a version of it; nil if that is as.
func (a *Analysis) versionOf(x, as *component) *component {
	given := answers{maps.Clone(as.answers.renewed), maps.Clone(as.answers.replaced)}
	lead := make(map[*component]*component)
	for k := range x.insts {
		if q := as.asks[k]; q != nil {
			noteOther(&given.renewed, q.renewed, a.w.Renewed)
			noteOther(&given.replaced, q.replaced, a.w.Replaced)
		}
		for _, y := range x.leads[k] {
			if z := a.alike(y).as; z != nil && z != y {
				lead[y] = z
			}
		}
	}
	if given.equal(as.answers) && maps.Equal(lead, as.lead) {
		return nil
	}
	return a.common.version(x, given, lead)
}

// noteOther notes the answers that are not those which are known.
func noteOther(to *map[pta.Site]bool, known map[pta.Site]bool, ask func(pta.Site) bool) {
	for s, yes := range known {
		if now := ask(s); now != yes {
			note(to, s, now)
		}
	}
}

// version returns the version of component x by some answers and versions of what it leads to.
func (c *Common) version(x *component, given answers, lead map[*component]*component) *component {
	c.mu.Lock()
	defer c.mu.Unlock()
	kept := c.others[x]
	at := slices.IndexFunc(kept, func(v *component) bool { return v.answers.equal(given) && maps.Equal(v.lead, lead) })
	var v *component
	if at >= 0 {
		v = kept[at]
		kept = slices.Delete(kept, at, at+1)
	} else {
		v = &component{insts: x.insts, leads: x.leads, answers: given, lead: lead}
		c.within(v, func() {
			for _, i := range x.insts {
				c.a.summary.Set(i, nil)
			}
			c.workOut(v)
		})
	}
	kept = slices.Insert(kept, 0, v)
	c.others[x] = kept[:min(len(kept), maxOthers)]
	return v
}

// within calls f while instances of a component do what they do in it, and what they lead to
// does what it does for it.
func (c *Common) within(x *component, f func()) {
	if len(x.answers.renewed)+len(x.answers.replaced)+len(x.lead) == 0 {
		f()
		return
	}
	was := make(map[pta.InstID]*summary)
	as := func(y *component) {
		for k, i := range y.insts {
			was[i] = c.a.summary.Get(i)
			if k < len(y.summary) {
				c.a.summary.Set(i, y.summary[k])
			}
		}
	}
	as(x)
	for _, y := range x.lead {
		as(y)
	}
	c.a.supposed = x.answers
	f()
	c.a.supposed = answers{}
	for i, s := range was {
		c.a.summary.Set(i, s)
	}
}
