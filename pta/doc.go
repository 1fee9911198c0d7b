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
//
// # Files
//
// By the question that they answer.
//
// What a function does, as a template:
//   - program, template, format, symbol, print: a program's functions, their templates, names for both
//   - gen, gencall, genmem, forward, append, window, split, content, genextern, gentimer, dispatch, open, generic, unknown: how SSA is lowered
//   - layout, root: what types look like in memory, where a pointer comes from
//   - encode, encodetypes, decode, decodetypes, whole, outside: how templates are stored, and what is known of code that is not there
//
// What the code alone says, before any points-to set is known:
//   - fresh, escape, variable, blank, overwrite: which memory nobody else can know of yet
//   - identity, linker, rounds, recursion, implementer: which functions return what they are given, mix up what they are given, call it in rounds, call themselves
//   - sentinel, hidden, dynamic, room, grown, back, sole, taken, ring, shift: what tests exclude, what hidden variables hold, which appends write nothing, which slices only grow or come back, what lies in one place only, what is taken out of a list, or a ring, which arrays are cut
//
// The solution:
//   - solve, call, node, loads, cycles, naive: the solver, and the one that it is compared with
//   - context, heap, owner, deep: which calls and objects are kept apart
//   - base, result, entry, next, scope, callees, api: the whole program, its loops and its entry points
//   - together: tests that run at the same time, as a program by themselves
//   - overlay, import, cone, below, again, turn, there: one loop again, with an alpha and a beta of its own
//   - local, visible, never, gate, single, lapse: what of the base is left out, or looked at although it is far
//
// Pairs of accesses, and how surely they touch one object:
//   - accesses, races, beside, region: which accesses meet, of two iterations and of an iteration and what runs beside it
//   - evident, bothput, certain, guarded, ownersapart, sameframe, byframe, byrun, home: whether one name is one object
//   - handed, passing, finalized, handover, travel, holding, strand, taken: whether an object is handed on, one thread having it at a time
//
// What stages ask of a loop:
//   - view, chain: the calls and objects of a loop
//   - way, field, loaded, fetched, passed, given, behind, carried, byelement: by which pointers an access gets at an object, and at which field of it
//   - maker: where what a thread runs was made, if nobody else has it
//   - feed, storedonce, each, ownstores, kept, counted, settled, round: what is put where, how often and by whom
//   - swap: which fields change places
//   - sent: what is sent where
package pta
