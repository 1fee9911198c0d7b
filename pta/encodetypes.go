package pta

import (
	"go/types"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// Kinds of type in a blob.
const (
	typeAny = iota // also what has no other kind: constraints, type parameters' bounds
	typeBasic
	typePointer
	typeSlice
	typeArray
	typeMap
	typeChan
	typeStruct
	typeTuple
	typeFunc
	typeInterface
	typeNamed
	typeParam
)

// maxInstance bounds how deep the arguments of a generic type nest whose
// instances are written out: some types have an infinity of them.
const maxInstance = 4

// declareTypes makes sure that all types of the package are in the blob: those
// that mention them may know no more than their names.
func (e *encoder) declareTypes() {
	for _, pkg := range e.p.ssa.AllPackages() {
		if pkg.Pkg.Path() != e.pkg {
			continue
		}
		for _, name := range sortedKeys(pkg.Members) {
			if t, ok := pkg.Members[name].(*ssa.Type); ok {
				e.types.ref(e.p.types.id(t.Type()))
			}
		}
	}
}

// typeTable writes the types that are mentioned, and those that these mention.
func (e *encoder) typeTable() []byte {
	var entries [][]byte
	type declared struct {
		name string
		ref  uint64
	}
	var names []declared
	for i := 0; i < len(e.types.list); i++ {
		t := e.p.types.typ(e.types.list[i])
		entries = append(entries, e.Piece(func() { e.typ(t) }))
		if n, ok := t.(*types.Named); ok && e.own(n) && n.TypeArgs().Len() == 0 {
			names = append(names, declared{n.Obj().Name() + localSuffix(n.Obj(), e.p.ssa), uint64(i)})
		}
	}
	return e.Piece(func() {
		e.Uint(uint64(len(entries)))
		for _, b := range entries {
			e.Uint(uint64(len(b)))
		}
		e.Uint(uint64(len(names)))
		for _, d := range names {
			e.String(d.name)
			e.Uint(d.ref)
		}
		for _, b := range entries {
			e.Out = append(e.Out, b...)
		}
	})
}

// own reports whether a type is declared in the package.
func (e *encoder) own(n *types.Named) bool {
	return n.Obj().Pkg() != nil && n.Obj().Pkg().Path() == e.pkg
}

func (e *encoder) ref(t types.Type) { e.Uint(e.types.ref(e.p.types.id(t))) }

// objectPkg writes the package that an unexported name is known in.
func (e *encoder) objectPkg(o types.Object) {
	if o.Exported() || o.Pkg() == nil {
		e.String("")
		return
	}
	e.String(o.Pkg().Path())
}

func (e *encoder) typ(t types.Type) {
	switch t := t.(type) {
	case *types.Basic:
		e.Uint(typeBasic)
		e.Uint(uint64(t.Kind()))
		e.String(t.Name())
	case *types.Pointer:
		e.Uint(typePointer)
		e.ref(t.Elem())
	case *types.Slice:
		e.Uint(typeSlice)
		e.ref(t.Elem())
	case *types.Array:
		e.Uint(typeArray)
		e.Int(t.Len())
		e.ref(t.Elem())
	case *types.Map:
		e.Uint(typeMap)
		e.ref(t.Key())
		e.ref(t.Elem())
	case *types.Chan:
		e.Uint(typeChan)
		e.Uint(uint64(t.Dir()))
		e.ref(t.Elem())
	case *types.Struct:
		e.Uint(typeStruct)
		e.Uint(uint64(t.NumFields()))
		for i := range t.NumFields() {
			f := t.Field(i)
			e.String(f.Name())
			e.objectPkg(f)
			e.bool(f.Embedded())
			e.String(t.Tag(i))
			e.ref(f.Type())
		}
	case *types.Tuple:
		e.Uint(typeTuple)
		e.Uint(uint64(t.Len()))
		for v := range t.Variables() {
			e.String(v.Name())
			e.ref(v.Type())
		}
	case *types.Signature:
		e.Uint(typeFunc)
		e.signature(t)
	case *types.Interface:
		e.interfaceType(t)
	case *types.Named:
		e.named(t)
	case *types.TypeParam:
		e.Uint(typeParam)
		e.String(t.Obj().Name())
		// What its constraint allows matters as far as it is one underlying type.
		u := ssair.Under(t)
		e.bool(!types.IsInterface(u))
		if !types.IsInterface(u) {
			e.ref(u)
		}
	default:
		e.Uint(typeAny)
	}
}

func (e *encoder) bool(b bool) {
	if b {
		e.Uint(1)
	} else {
		e.Uint(0)
	}
}

func (e *encoder) signature(t *types.Signature) {
	e.ref(tupleOf(t.Params()))
	e.ref(tupleOf(t.Results()))
	e.bool(t.Variadic())
}

// tupleOf replaces the tuple that is nil by an empty one.
func tupleOf(t *types.Tuple) *types.Tuple {
	if t == nil {
		return new(types.Tuple)
	}
	return t
}

func (e *encoder) interfaceType(t *types.Interface) {
	if !t.IsMethodSet() {
		e.Uint(typeAny) // a constraint
		return
	}
	e.Uint(typeInterface)
	e.Uint(uint64(t.NumExplicitMethods()))
	for m := range t.ExplicitMethods() {
		e.String(m.Name())
		e.objectPkg(m)
		e.signature(m.Signature())
	}
	e.Uint(uint64(t.NumEmbeddeds()))
	for x := range t.EmbeddedTypes() {
		e.ref(x)
	}
}

// named writes the name of a type; and what it is, if it is of this package or
// an instance.
func (e *encoder) named(t *types.Named) {
	e.Uint(typeNamed)
	obj := t.Obj()
	if obj.Pkg() == nil {
		e.String("")
		e.String("")
	} else {
		e.String(obj.Pkg().Path())
		e.String(obj.Pkg().Name())
	}
	e.String(obj.Name())
	local := localSuffix(obj, e.p.ssa)
	e.String(local)
	if local != "" && t.TypeArgs().Len() == 0 {
		e.p.localTypes[obj.Pkg().Path()+"."+obj.Name()+local] = t
	}
	e.Uint(uint64(t.TypeArgs().Len()))
	for arg := range t.TypeArgs().Types() {
		e.ref(arg)
	}
	if t.TypeArgs().Len() > 0 {
		e.ref(t.Origin())
	}
	told := obj.Pkg() != nil && (e.own(t) || t.TypeArgs().Len() > 0) && instanceDepth(t) <= maxInstance
	e.bool(told)
	if !told {
		return
	}
	e.ref(t.Underlying())
	e.Uint(uint64(t.NumMethods()))
	for m := range t.Methods() {
		e.String(m.Name())
		e.objectPkg(m)
		_, ptr := types.Unalias(m.Signature().Recv().Type()).(*types.Pointer)
		e.bool(ptr)
		e.signature(m.Signature())
	}
}

// instanceDepth returns how deep type arguments nest in a type.
func instanceDepth(t types.Type) int {
	switch t := types.Unalias(t).(type) {
	case *types.Pointer:
		return instanceDepth(t.Elem())
	case *types.Slice:
		return instanceDepth(t.Elem())
	case *types.Map:
		return max(instanceDepth(t.Key()), instanceDepth(t.Elem()))
	case *types.Named:
		deepest := 0
		for arg := range t.TypeArgs().Types() {
			deepest = max(deepest, 1+instanceDepth(arg))
		}
		return deepest
	}
	return 0
}
