package pta

import (
	"go/types"

	"github.com/iterace/iterace/model/library"
)

// resolve returns what the library model says of a method of a library type,
// if only because of an interface that the type implements and that binds who
// implements it (soundness: implementers).
func (p *Program) resolve(m *types.Func) *library.Func {
	if p.resolver == nil {
		byPath := p.knownPackages()
		p.resolver = p.Library.Resolver(func(path string) *types.Package { return byPath[path] })
	}
	return p.resolver.Func(m)
}
