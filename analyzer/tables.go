package analyzer

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strconv"
)

// This file leaves tables out before SSA is made. They are half of all instructions of
// a program that imports net/http, stand in initialisers, and those of library code put
// nothing but pointers into memory (see fillsTable in package pta).

// dropTables takes the elements away from tables without pointers that initialise
// variables. Of a slice the last one stays, and its index: the array is as long as
// before. The files must be nobody else's.
func dropTables(files []*ast.File, info *types.Info) {
	for _, f := range files {
		for _, d := range f.Decls {
			d, ok := d.(*ast.GenDecl)
			if !ok || d.Tok != token.VAR {
				continue
			}
			for _, spec := range d.Specs {
				for _, v := range spec.(*ast.ValueSpec).Values {
					dropTable(v, info)
				}
			}
		}
	}
}

// dropTable looks for tables in an initialiser, outside function literals and calls.
func dropTable(x ast.Expr, info *types.Info) {
	switch x := x.(type) {
	case *ast.ParenExpr:
		dropTable(x.X, info)
	case *ast.UnaryExpr:
		dropTable(x.X, info)
	case *ast.KeyValueExpr:
		dropTable(x.Value, info)
	case *ast.CompositeLit:
		switch t := info.TypeOf(x).Underlying().(type) {
		case *types.Array:
			if plain(t.Elem()) && constantParts(x, info) {
				x.Elts = nil
				return
			}
		case *types.Slice:
			if plain(t.Elem()) && constantParts(x, info) {
				keepLast(x, info)
				return
			}
		}
		for _, e := range x.Elts {
			dropTable(e, info)
		}
	}
}

// keepLast leaves the element with the highest index.
func keepLast(x *ast.CompositeLit, info *types.Info) {
	if len(x.Elts) < 2 {
		return
	}
	at, last := int64(-1), int64(-1)
	var value ast.Expr
	for _, e := range x.Elts {
		at++
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if at, ok = constant.Int64Val(constant.ToInt(info.Types[kv.Key].Value)); !ok {
				return
			}
			e = kv.Value
		}
		if at > last {
			last, value = at, e
		}
	}
	key := &ast.BasicLit{ValuePos: value.Pos(), Kind: token.INT, Value: strconv.FormatInt(last, 10)}
	info.Types[key] = types.TypeAndValue{Type: types.Typ[types.Int], Value: constant.MakeInt64(last)}
	x.Elts = []ast.Expr{&ast.KeyValueExpr{Key: key, Colon: value.Pos(), Value: value}}
}

// constantParts reports whether all that a literal is made of is constant.
func constantParts(x *ast.CompositeLit, info *types.Info) bool {
	for _, e := range x.Elts {
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			e = kv.Value
		}
		if lit, ok := e.(*ast.CompositeLit); ok {
			if !constantParts(lit, info) {
				return false
			}
		} else if info.Types[e].Value == nil {
			return false
		}
	}
	return true
}

// plain reports whether values of a type hold no pointers that the analysis follows.
func plain(t types.Type) bool {
	switch t := t.Underlying().(type) {
	case *types.Basic:
		return t.Kind() != types.UnsafePointer
	case *types.Array:
		return plain(t.Elem())
	case *types.Struct:
		for f := range t.Fields() {
			if !plain(f.Type()) {
				return false
			}
		}
		return true
	}
	return false
}
