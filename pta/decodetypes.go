package pta

import (
	"go/token"
	"go/types"

	"github.com/iterace/iterace/internal/wire"
)

// This file makes types of what a blob says. Where export data has the type,
// that one is used. Unexported and local types, and those of packages that
// nothing exported mentions, are made here: one for each symbol, so that all
// blobs agree on it.

var anyType = types.NewInterfaceType(nil, nil).Complete()

// typ returns the type at a place of the blob.
func (l *linked) typ(n uint64) types.Type {
	r := l.open()
	if n >= uint64(len(r.types)) {
		return anyType
	}
	if l.types == nil {
		l.types = make([]types.Type, len(r.types))
	}
	if t := l.types[n]; t != nil {
		return t
	}
	if l.busy[n] {
		return anyType // a type cannot be its own part without a name
	}
	if l.busy == nil {
		l.busy = make(map[uint64]bool)
	}
	l.busy[n] = true
	t := l.decodeType(wire.NewDecoder(r.types[n], r.strings), n)
	l.types[n] = t
	delete(l.busy, n)
	return t
}

func (l *linked) decodeType(d *wire.Decoder, n uint64) types.Type {
	ref := func() types.Type { return l.typ(d.Uint()) }
	switch d.Uint() {
	case typeBasic:
		kind, name := d.Uint(), d.String()
		if o := types.Universe.Lookup(name); o != nil {
			return types.Unalias(o.Type())
		}
		if kind < uint64(len(types.Typ)) {
			return types.Typ[kind]
		}
	case typePointer:
		return types.NewPointer(ref())
	case typeSlice:
		return types.NewSlice(ref())
	case typeArray:
		k := d.Int()
		return types.NewArray(ref(), k)
	case typeMap:
		key := ref()
		return types.NewMap(key, ref())
	case typeChan:
		dir := types.ChanDir(d.Uint())
		return types.NewChan(dir, ref())
	case typeStruct:
		return l.structType(d, ref)
	case typeTuple:
		return types.NewTuple(l.vars(d, ref)...)
	case typeFunc:
		return l.signature(d, nil, ref)
	case typeInterface:
		return l.interfaceType(d, ref)
	case typeNamed:
		return l.namedType(d, n, ref)
	case typeParam:
		name := types.NewTypeName(token.NoPos, l.p.typesPackage(l.pkg, ""), d.String(), nil)
		constraint := anyType
		if d.Uint() != 0 {
			core := types.NewUnion([]*types.Term{types.NewTerm(true, ref())})
			constraint = types.NewInterfaceType(nil, []types.Type{core})
		}
		return types.NewTypeParam(name, constraint)
	}
	return anyType
}

func (l *linked) structType(d *wire.Decoder, ref func() types.Type) types.Type {
	var fields []*types.Var
	var tags []string
	for range d.Len() {
		name := d.String()
		pkg := l.p.typesPackage(d.String(), "")
		embedded := d.Uint() != 0
		tags = append(tags, d.String())
		fields = append(fields, types.NewField(token.NoPos, pkg, name, ref(), embedded))
	}
	return types.NewStruct(fields, tags)
}

func (l *linked) vars(d *wire.Decoder, ref func() types.Type) []*types.Var {
	var out []*types.Var
	for range d.Len() {
		name := d.String()
		out = append(out, types.NewParam(token.NoPos, nil, name, ref()))
	}
	return out
}

func (l *linked) signature(d *wire.Decoder, recv *types.Var, ref func() types.Type) *types.Signature {
	tuple := func() *types.Tuple {
		t, _ := ref().(*types.Tuple)
		return t
	}
	params, results := tuple(), tuple()
	variadic := d.Uint() != 0
	if variadic && !endsInSlice(params) {
		d.Fail()
		variadic = false
	}
	return types.NewSignatureType(recv, nil, nil, params, results, variadic)
}

func endsInSlice(t *types.Tuple) bool {
	if t.Len() == 0 {
		return false
	}
	_, ok := t.At(t.Len() - 1).Type().(*types.Slice)
	return ok
}

func (l *linked) interfaceType(d *wire.Decoder, ref func() types.Type) types.Type {
	var methods []*types.Func
	var embedded []types.Type
	seen := make(map[string]bool)
	for range d.Len() {
		name := d.String()
		pkg := l.p.typesPackage(d.String(), "")
		sig := l.signature(d, nil, ref)
		if !seen[name] {
			seen[name] = true
			methods = append(methods, types.NewFunc(token.NoPos, pkg, name, sig))
		}
	}
	for range d.Len() {
		embedded = append(embedded, ref())
	}
	// Not completed here: an embedded interface may be under way.
	return types.NewInterfaceType(methods, embedded)
}

func (l *linked) namedType(d *wire.Decoder, n uint64, ref func() types.Type) types.Type {
	path, pkgName, name, local := d.String(), d.String(), d.String(), d.String()
	if path == "" {
		if o := types.Universe.Lookup(name); o != nil {
			return o.Type()
		}
		return anyType
	}
	var args []types.Type
	for range d.Len() {
		args = append(args, ref())
	}
	var origin types.Type
	if len(args) > 0 {
		origin = ref()
	}
	if t := l.p.knownType(path, name, local, origin, args); t != nil {
		return t
	}
	key := path + "." + name + local
	for _, a := range args {
		key += "[" + types.TypeString(a, nil) + "]"
	}
	t, ok := l.p.madeTypes[key]
	if !ok {
		t = l.p.makeType(path, pkgName, name, local, args)
		l.p.madeTypes[key] = t
	}
	l.types[n] = t // before its parts
	if t.Underlying() != nil && l.p.made[t].told {
		return t
	}
	if told := d.Uint() != 0; told {
		l.p.made[t].told = true
		l.declare(d, t, ref)
	} else if home := l.p.link(path); home != nil && home != l {
		if m, ok := home.open().named[name+local]; ok {
			home.typ(m)
		}
	}
	if t.Underlying() == nil {
		t.SetUnderlying(anyType)
	}
	return t
}

// declare reads what a named type is.
func (l *linked) declare(d *wire.Decoder, t *types.Named, ref func() types.Type) {
	u := ref()
	if _, named := u.(*types.Named); named {
		u = u.Underlying()
	}
	if _, param := u.(*types.TypeParam); param || u == nil {
		u = anyType
	}
	t.SetUnderlying(u)
	seen := make(map[string]bool)
	for range d.Len() {
		name := d.String()
		pkg := l.p.typesPackage(d.String(), "")
		if home := t.Obj().Pkg(); pkg == nil || home == nil || pkg.Path() != home.Path() { // a method of another package is in a broken blob only
			pkg = home
		}
		var recv types.Type = t
		if d.Uint() != 0 {
			recv = types.NewPointer(t)
		}
		sig := l.signature(d, types.NewParam(token.NoPos, pkg, "", recv), ref)
		if !seen[name] {
			seen[name] = true
			t.AddMethod(types.NewFunc(token.NoPos, pkg, name, sig))
		}
	}
}

// A madeType is a type that export data does not tell of.
type madeType struct {
	local string // see localSuffix
	told  bool   // what it is is known
}

func (p *Program) makeType(path, pkgName, name, local string, args []types.Type) *types.Named {
	// The arguments of an instance become part of the name.
	for i, a := range args {
		switch i {
		case 0:
			name += "["
		default:
			name += ","
		}
		name += types.TypeString(a, nil)
	}
	if len(args) > 0 {
		name += "]"
	}
	t := types.NewNamed(types.NewTypeName(token.NoPos, p.typesPackage(path, pkgName), name, nil), nil, nil)
	p.made[t] = &madeType{local: local}
	return t
}

// knownType returns the type that source or export data has, or nil.
func (p *Program) knownType(path, name, local string, origin types.Type, args []types.Type) types.Type {
	if local != "" {
		return p.localTypes[path+"."+name+local] // nil if not of this package
	}
	if len(args) > 0 {
		o, ok := origin.(*types.Named)
		if !ok || p.made[o] != nil || o.TypeParams().Len() != len(args) {
			return nil
		}
		t, err := types.Instantiate(p.typeContext, o, args, false)
		if err != nil {
			return nil
		}
		return t
	}
	pkg := p.knownPackages()[path]
	if pkg == nil {
		return nil
	}
	if o, ok := pkg.Scope().Lookup(name).(*types.TypeName); ok {
		return types.Unalias(o.Type())
	}
	return nil
}

// knownPackages returns the packages that the program has types of.
func (p *Program) knownPackages() map[string]*types.Package {
	if p.packages == nil {
		p.packages = make(map[string]*types.Package)
		var visit func(pkg *types.Package)
		visit = func(pkg *types.Package) {
			if p.packages[pkg.Path()] == nil {
				p.packages[pkg.Path()] = pkg
				for _, dep := range pkg.Imports() {
					visit(dep)
				}
			}
		}
		for _, pkg := range p.ssa.AllPackages() {
			visit(pkg.Pkg)
		}
	}
	return p.packages
}

// typesPackage returns a package, made if need be; nil for no path.
func (p *Program) typesPackage(path, name string) *types.Package {
	if path == "" {
		return nil
	}
	if pkg := p.knownPackages()[path]; pkg != nil {
		return pkg
	}
	pkg := p.madePackages[path]
	if pkg == nil {
		pkg = types.NewPackage(path, name)
		p.madePackages[path] = pkg
	} else if pkg.Name() == "" && name != "" {
		pkg.SetName(name)
	}
	return pkg
}
