package pta

import (
	"github.com/iterace/iterace/internal/ssair"
	"github.com/iterace/iterace/model"
)

// InstID names an instance: a function in a context, in the base or in one
// loop's overlay.
type InstID int32

// A Site is an instruction of an instance.
type Site struct {
	Inst InstID
	At   ssair.Instr
}

// SiteOf returns where an access is.
func SiteOf(a *model.Access) Site { return Site{InstID(a.Inst), ssair.Instr(a.Instr)} }

// A Loc is one leaf of an abstract object.
type Loc int32
