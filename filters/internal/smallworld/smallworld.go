// Package smallworld is a small points-to analysis for tests of the stages:
// it inlines every call, so that a context is a call string, and solves by
// iterating over all instructions until nothing changes. It stands in for
// package pta where a test wants to pin a stage's own rules, on programs of a
// few functions.
package smallworld

import (
	"fmt"
	"go/token"
	"go/types"
	"sort"
	"strings"

	"golang.org/x/tools/go/ssa"

	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
	"github.com/iterace/iterace/pta"
	"github.com/iterace/iterace/pta/flow"
)

// A Program is a solved program.
type Program struct {
	ssa   *ssa.Program
	lib   flow.Library
	fns   map[*ssa.Function]*fnInfo
	insts []*inst
	byCtx map[instKey]pta.InstID
	objs  []*object
	locs  []loc
	byLoc map[loc]pta.Loc
	vals  map[valKey]*set
	mem   map[pta.Loc]*set
	grew  bool
}

type fnInfo struct {
	ir   *ssair.Func
	flow *flow.Func
}

type instKey struct {
	fn  *ssa.Function
	ctx string
}

type inst struct {
	id      pta.InstID
	fn      *ssa.Function
	info    *fnInfo
	ctx     string
	stack   []*ssa.Function
	tags    []tag // spawns above, outermost first
	callees map[ssair.Instr][]pta.InstID
	callers []pta.Site
	repeats bool // called in a loop of its thread
}

// A tag says that an instance runs below the spawn at site, as one side.
type tag struct {
	site pta.Site
	side model.Thread
}

type object struct {
	model.Object
	made pta.Site
	fn   *ssa.Function // closures
	by   pta.InstID    // instance that made the closure
	mc   *ssa.MakeClosure
}

type loc struct {
	obj  int
	path string
}

type valKey struct {
	inst pta.InstID
	v    ssa.Value
}

type set struct {
	has map[pta.Loc]bool
	all []pta.Loc
}

// Build solves pkg from the given roots.
func Build(prog *ssa.Program, roots []*ssa.Function, lib flow.Library) *Program {
	p := &Program{
		ssa: prog, lib: lib,
		fns:   make(map[*ssa.Function]*fnInfo),
		byCtx: make(map[instKey]pta.InstID),
		byLoc: make(map[loc]pta.Loc),
		vals:  make(map[valKey]*set),
		mem:   make(map[pta.Loc]*set),
	}
	for i, r := range roots {
		p.instance(r, fmt.Sprintf("r%d", i), nil, nil)
	}
	for round := 0; round < 60; round++ {
		p.grew = false
		for i := 0; i < len(p.insts); i++ {
			p.solve(p.insts[i])
		}
		if !p.grew {
			break
		}
	}
	return p
}

func (p *Program) info(fn *ssa.Function) *fnInfo {
	if f := p.fns[fn]; f != nil {
		return f
	}
	ir := ssair.New(fn)
	f := &fnInfo{ir: ir, flow: flow.Build(ir, p.lib)}
	p.fns[fn] = f
	return f
}

func (p *Program) instance(fn *ssa.Function, ctx string, up *inst, tags []tag) *inst {
	k := instKey{fn, ctx}
	if id, ok := p.byCtx[k]; ok {
		return p.insts[id]
	}
	in := &inst{
		id: pta.InstID(len(p.insts)), fn: fn, info: p.info(fn), ctx: ctx, tags: tags,
		callees: make(map[ssair.Instr][]pta.InstID),
	}
	if up != nil {
		in.stack = append(in.stack, up.stack...)
	}
	in.stack = append(in.stack, fn)
	p.byCtx[k] = in.id
	p.insts = append(p.insts, in)
	p.grew = true
	return in
}

func (p *Program) val(i *inst, v ssa.Value) *set {
	k := valKey{i.id, v}
	s := p.vals[k]
	if s == nil {
		s = &set{has: make(map[pta.Loc]bool)}
		p.vals[k] = s
		switch v := v.(type) {
		case *ssa.Global:
			p.add(s, p.object(pta.Site{Inst: -1, At: ssair.NoInstr}, v.String(), func(o *object) {
				o.Kind, o.Name = "global", v.String()
			}))
		case *ssa.Function:
			p.add(s, p.object(pta.Site{Inst: -1, At: ssair.NoInstr}, v.String(), func(o *object) { o.fn, o.Kind = v, "closure" }))
		}
	}
	return s
}

func (p *Program) cell(l pta.Loc) *set {
	s := p.mem[l]
	if s == nil {
		s = &set{has: make(map[pta.Loc]bool)}
		p.mem[l] = s
	}
	return s
}

func (p *Program) add(s *set, l pta.Loc) {
	if !s.has[l] {
		s.has[l] = true
		s.all = append(s.all, l)
		p.grew = true
	}
}

func (p *Program) flow(dst, src *set) {
	for i := 0; i < len(src.all); i++ {
		p.add(dst, src.all[i])
	}
}

func (p *Program) loc(l loc) pta.Loc {
	if id, ok := p.byLoc[l]; ok {
		return id
	}
	id := pta.Loc(len(p.locs))
	p.locs = append(p.locs, l)
	p.byLoc[l] = id
	return id
}

func (p *Program) object(site pta.Site, name string, fill func(*object)) pta.Loc {
	for i, o := range p.objs {
		if o.made == site && o.Name == name {
			return p.loc(loc{i, ""})
		}
	}
	o := &object{made: site}
	o.ID, o.Name = len(p.objs), name
	fill(o)
	o.Name = name
	p.objs = append(p.objs, o)
	return p.loc(loc{o.ID, ""})
}

// alloc is the object that instruction v of i makes.
func (p *Program) alloc(i *inst, v ssa.Value, kind, name string) pta.Loc {
	in := v.(ssa.Instruction)
	at := i.info.ir.Num(in)
	return p.object(pta.Site{Inst: i.id, At: at}, name, func(o *object) {
		o.Kind, o.Type = kind, v.Type().String()
		o.Pos = p.pos(v.Pos())
		o.Many = i.info.ir.Innermost(in.Block()) != nil
	})
}

func (p *Program) pos(pos token.Pos) model.Pos {
	q := p.ssa.Fset.Position(pos)
	return model.Pos{File: q.Filename, Line: q.Line, Col: q.Column}
}

func (p *Program) sub(l pta.Loc, path string) pta.Loc {
	x := p.locs[l]
	if strings.Count(x.path, ".") > 6 {
		return l
	}
	return p.loc(loc{x.obj, x.path + path})
}

func (p *Program) solve(i *inst) {
	for _, b := range i.fn.Blocks {
		for _, in := range b.Instrs {
			p.instr(i, in)
		}
	}
}

func (p *Program) instr(i *inst, in ssa.Instruction) {
	v, _ := in.(ssa.Value)
	switch in := in.(type) {
	case *ssa.Alloc:
		p.add(p.val(i, v), p.alloc(i, v, "var", in.Comment))
	case *ssa.MakeChan, *ssa.MakeMap, *ssa.MakeSlice:
		p.add(p.val(i, v), p.alloc(i, v, "make", "make"))
	case *ssa.MakeClosure:
		l := p.alloc(i, v, "closure", in.Fn.String())
		o := p.objs[p.locs[l].obj]
		o.fn, o.by, o.mc = in.Fn.(*ssa.Function), i.id, in
		p.add(p.val(i, v), l)
	case *ssa.FieldAddr:
		name := in.X.Type().Underlying().(*types.Pointer).Elem().Underlying().(*types.Struct).Field(in.Field).Name()
		for _, l := range p.val(i, in.X).all {
			p.add(p.val(i, v), p.sub(l, "."+name))
		}
	case *ssa.IndexAddr:
		for _, l := range p.val(i, in.X).all {
			p.add(p.val(i, v), p.sub(l, "[*]"))
		}
	case *ssa.Store:
		for _, l := range p.val(i, in.Addr).all {
			p.store(l, p.val(i, in.Val), in.Val.Type())
		}
	case *ssa.MapUpdate:
		for _, l := range p.val(i, in.Map).all {
			p.store(p.sub(l, "[*]"), p.val(i, in.Value), in.Value.Type())
		}
	case *ssa.Send:
		for _, l := range p.val(i, in.Chan).all {
			p.flow(p.cell(p.sub(l, "[*]")), p.val(i, in.X))
		}
	case *ssa.Select:
		for _, st := range in.States {
			for _, l := range p.val(i, st.Chan).all {
				if st.Dir == types.SendOnly {
					p.flow(p.cell(p.sub(l, "[*]")), p.val(i, st.Send))
				} else {
					p.flow(p.val(i, v), p.cell(p.sub(l, "[*]")))
				}
			}
		}
	case *ssa.UnOp:
		switch in.Op {
		case token.MUL:
			for _, l := range p.val(i, in.X).all {
				p.loadInto(p.val(i, v), l, in.Type())
			}
		case token.ARROW:
			for _, l := range p.val(i, in.X).all {
				p.flow(p.val(i, v), p.cell(p.sub(l, "[*]")))
			}
		}
	case *ssa.Lookup:
		for _, l := range p.val(i, in.X).all {
			p.flow(p.val(i, v), p.cell(p.sub(l, "[*]")))
		}
	case *ssa.Phi:
		for _, e := range in.Edges {
			p.flow(p.val(i, v), p.val(i, e))
		}
	case *ssa.Return:
		for _, r := range in.Results {
			for _, s := range i.callers {
				c := p.insts[s.Inst]
				if cv, ok := c.info.ir.At(s.At).(*ssa.Call); ok {
					p.flow(p.val(c, cv), p.val(i, r))
				}
			}
		}
	case *ssa.Call:
		p.call(i, in, &in.Call, v)
	case *ssa.Defer:
		p.call(i, in, &in.Call, nil)
	case *ssa.Go:
		p.call(i, in, &in.Call, nil)
	default:
		if v == nil {
			return
		}
		var rands [8]*ssa.Value
		for _, r := range in.Operands(rands[:0]) { // conversions, extracts, slices …
			if *r != nil {
				if _, ok := in.(*ssa.BinOp); !ok {
					p.flow(p.val(i, v), p.val(i, *r))
				}
			}
		}
	}
}

// store puts a value at l. A struct value is one set: it goes to each field.
func (p *Program) store(l pta.Loc, s *set, t types.Type) {
	p.flow(p.cell(l), s)
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.NumFields() {
			p.store(p.sub(l, "."+st.Field(f).Name()), s, st.Field(f).Type())
		}
	}
}

func (p *Program) loadInto(dst *set, l pta.Loc, t types.Type) {
	p.flow(dst, p.cell(l))
	if st, ok := t.Underlying().(*types.Struct); ok {
		for f := range st.NumFields() {
			p.loadInto(dst, p.sub(l, "."+st.Field(f).Name()), st.Field(f).Type())
		}
	}
}

// Functions returns the package-level functions of pkg whose names start with
// prefix, by name.
func Functions(pkg *ssa.Package, prefix string) []*ssa.Function {
	var out []*ssa.Function
	for name, m := range pkg.Members {
		if fn, ok := m.(*ssa.Function); ok && strings.HasPrefix(name, prefix) && len(fn.Blocks) > 0 {
			out = append(out, fn)
		}
	}
	sort.Slice(out, func(i, j int) bool { return out[i].Name() < out[j].Name() })
	return out
}
