package pta

import (
	"github.com/iterace/iterace/internal/ssair"
)

// InstID names an instance: a function in a context, in the base or in one
// loop's overlay.
type InstID int32

// A Site is an instruction of an instance.
type Site struct {
	Inst InstID
	At   ssair.Instr
}

// A Loc is one leaf of an abstract object.
type Loc int32
