package pta

import (
	"github.com/iterace/iterace/index"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/model/library"
	"github.com/iterace/iterace/pta/flow"
	"golang.org/x/tools/go/ssa"
)

// wrapExternal lowers a modelled function that a go statement starts, or that is called through
// a func value or an interface: its effects on its own parameters, as at a direct call.
func (l *lowerer) wrapExternal() {
	e := l.f.Lib
	params := make([]ssa.Value, len(l.fn.Params))
	for k, p := range l.fn.Params {
		params[k] = p
	}
	l.f.Index = index.OfCall(l.fn)
	l.effects(nil, l.fn.Signature, e, params)
	for _, k := range e.Calls {
		l.callback(nil, e, params, k, ModePlain)
	}
	switch e.Op {
	case library.OpOnce, library.OpMapRange, library.OpBubble, library.OpTestCleanup:
		l.callback(nil, e, params, e.Body, ModePlain)
	case library.OpSpawn, library.OpTimerFunc, library.OpParallel:
		l.spawn(nil, e.Op, shortName(e.Name), e.Op == library.OpParallel)
		l.callback(nil, e, params, e.Body, ModeSpawn)
	}
	l.handsTo(nil, e, params)
	if e.Op == library.OpNone && len(l.f.Calls)+len(l.f.Accesses) > 0 {
		l.f.Flow = flow.OfCall(l.fn, holes{l.p})
	}
}

func noBody(l *lowerer) model.Notice {
	return model.Notice{Pos: l.f.Pos, Code: "S4", Message: "no Go body and no model entry for " + l.f.Name + ": taken to do nothing (assembly or cgo)"}
}
