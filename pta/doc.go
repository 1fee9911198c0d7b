// Package pta computes what pointers may point to in a whole program and in
// each of its parallel loops.
//
// # Overview
//
// Every function is lowered once, from SSA, to a template (template.go,
// gen.go): inclusion constraints over local nodes, call sites, accesses. A
// template is instantiated by adding an offset to its nodes. The analysis is
// Andersen's: inclusion-based, field-sensitive, with the call graph built on
// the fly (solve.go), and context-sensitive where it pays (context.go).
//
// There are two steps. The base solves everything with three tags: Main, A
// and B stand for "outside", "some parallel loop's alpha" and "its beta". Then
// each parallel loop gets an overlay (overlay.go): its body is solved again
// with an alpha and a beta of its own, on the frozen base.
//
// # Objects and locations
//
// An abstract object is the memory of one allocation site in one context. Its
// layout is a list of leaves; a location is one leaf of one object. Leaves of
// an object have consecutive numbers and a location is also the constraint
// node of its content, so a pointer is one integer and taking a field's
// address is an addition.
//
// An array, and the memory behind a slice, has three copies of its element:
// part any, part α and part β. An access whose index is the iteration's own
// uses the part of its side, every other access uses part any, which overlaps
// both.
//
// # Interfaces and functions
//
// An interface value points to a box: a pair of a dynamic type and a location.
// Boxes are interned, so they need no content of their own. A func value
// points to a function or closure object.
package pta
