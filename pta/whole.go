package pta

import (
	"cmp"
	"go/types"
	"maps"
	"slices"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file makes the templates of a package for the analysis of whole programs,
// which asks more than that of one package at a time: what is the same for every
// program that has the package, and adds up to what the whole program knows.

// A Part is what a whole program keeps of one of its packages.
type Part struct {
	Blob []byte
	// Instances are the symbols of the stored instances of generic functions that
	// other packages declare, in order.
	Instances []string
	// Sites are the calls of the package's functions by symbol, in order.
	Sites []SiteCount
}

// A SiteCount says how many calls name a function.
type SiteCount struct {
	Symbol string
	Calls  int
}

// EncodePart stores the templates of a Unit. Beside the given functions and what
// they mention, these are the methods of what interfaces are given there.
func (p *Program) EncodePart(fns []*ssa.Function) Part {
	type named struct {
		fn   *ssa.Function
		name string
	}
	var dynamic []named
	for _, t := range p.ssa.RuntimeTypes() {
		if storedElsewhere(t, p.Unit) {
			continue
		}
		for sel := range p.ssa.MethodSets.MethodSet(t).Methods() {
			if fn := p.ssa.MethodValue(sel); fn != nil && fn.Blocks != nil {
				dynamic = append(dynamic, named{fn, symbolName(fn)})
			}
		}
	}
	slices.SortFunc(dynamic, func(a, b named) int { return cmp.Compare(a.name, b.name) })
	var ids []FuncID
	for _, fn := range fns {
		ids = append(ids, p.FuncID(fn))
	}
	for _, x := range dynamic {
		ids = append(ids, p.FuncID(x.fn))
	}
	e := p.encode(p.Unit, ids)
	part := Part{Blob: e.blob()}
	sites := make(map[string]int)
	for i := range e.entries {
		fn := p.fns[e.entries[i].id]
		if ssair.Top(fn).Origin() != nil && pkgPath(fn) != p.Unit {
			part.Instances = append(part.Instances, e.entries[i].name)
		}
		for _, b := range fn.Blocks {
			for _, in := range b.Instrs {
				if c, ok := in.(ssa.CallInstruction); ok {
					if callee := c.Common().StaticCallee(); callee != nil {
						sites[symbolName(callee)]++
					}
				}
			}
		}
	}
	slices.Sort(part.Instances)
	for _, name := range slices.Sorted(maps.Keys(sites)) {
		part.Sites = append(part.Sites, SiteCount{name, sites[name]})
	}
	return part
}

// storedElsewhere reports whether the methods of a dynamic type are stored with
// another package than the one that has a value of it: that which declares it.
func storedElsewhere(t types.Type, pkg string) bool {
	n := namedOf(t)
	return n != nil && n.Obj().Pkg() != nil && n.Obj().Pkg().Path() != pkg && n.TypeArgs().Len() == 0 && !isLocal(n.Obj())
}
