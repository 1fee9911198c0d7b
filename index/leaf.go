package index

import (
	"go/constant"
	"go/types"

	"github.com/iterace/iterace/internal/ssair"
	"golang.org/x/tools/go/ssa"
)

// This file lowers what is no instruction, and types.

func (b *builder) leaf(v ssa.Value) vref {
	if k, ok := v.(*ssa.Const); ok {
		return b.constVal(k)
	}
	if r, ok := b.others[v]; ok {
		return r
	}
	x := val{kind: kindOf(v.Type()), at: -1, blk: -1, s: v.Name()}
	switch v := v.(type) {
	case *ssa.Parameter:
		x.op = opParam
		for i, p := range b.f.SSA.Params {
			if p == v {
				x.n = int64(i)
			}
		}
	case *ssa.FreeVar:
		x.op = opFree
		for i, p := range b.f.SSA.FreeVars {
			if p == v {
				x.n = int64(i)
			}
		}
	case *ssa.Global:
		x.op, x.s = opGlobal, v.String()
	default:
		return 0
	}
	if b.others == nil {
		b.others = make(map[ssa.Value]vref)
	}
	r := b.add(x)
	b.others[v] = r
	return r
}

func (b *builder) constVal(k *ssa.Const) vref {
	switch kd := kindOf(k.Type()); {
	case k.Value == nil && kd == kStruct:
		return b.zeroStruct(ssair.Under(k.Type()).(*types.Struct), 2)
	case k.Value == nil && kd == kSlice:
		return b.nilSlice()
	case k.Value == nil:
	case kd.isInt():
		if n, ok := constant.Int64Val(constant.ToInt(k.Value)); ok && n < maxCoef && n > -maxCoef {
			return b.constant(n, kd)
		}
	case kd == kBool:
		n := int64(0)
		if constant.BoolVal(k.Value) {
			n = 1
		}
		return b.add(val{op: opBool, kind: kd, n: n, at: -1, blk: -1})
	case kd == kString:
		return b.add(val{op: opString, kind: kd, n: int64(len(constant.StringVal(k.Value))), at: -1, blk: -1})
	case kd == kFloat:
		return b.add(val{op: opFloatConst, kind: kd, s: k.Value.ExactString(), at: -1, blk: -1})
	}
	return b.add(val{kind: kindOf(k.Type()), at: -1, blk: -1})
}

// nilSlice is a slice without memory.
func (b *builder) nilSlice() vref {
	if b.nils == 0 {
		b.nils = b.add(val{op: opNil, kind: kSlice, at: -1, blk: -1})
	}
	return b.nils
}

// zeroStruct is a struct of zeros, of which only the integers matter.
func (b *builder) zeroStruct(st *types.Struct, depth int) vref {
	if st.NumFields() > 16 {
		return b.add(val{kind: kStruct, at: -1, blk: -1})
	}
	fields := make([]vref, st.NumFields())
	for i := range fields {
		switch t := st.Field(i).Type(); {
		case kindOf(t).isInt():
			fields[i] = b.constant(0, kindOf(t))
		case kindOf(t) == kStruct && depth > 0:
			fields[i] = b.zeroStruct(ssair.Under(t).(*types.Struct), depth-1)
		}
	}
	return b.add(val{op: opStruct, kind: kStruct, a: b.list(fields...), at: -1, blk: -1})
}

// kindOf maps a type to its kind: that of a type parameter is what its constraint says, if anything.
func kindOf(t types.Type) kind {
	switch t := ssair.Under(t).(type) {
	case *types.Basic:
		switch t.Kind() {
		case types.Int8:
			return kInt8
		case types.Int16:
			return kInt16
		case types.Int32:
			return kInt32
		case types.Int, types.Int64, types.UntypedInt, types.UntypedRune:
			return kInt
		case types.Uint8:
			return kUint8
		case types.Uint16:
			return kUint16
		case types.Uint32:
			return kUint32
		case types.Uint, types.Uint64, types.Uintptr:
			return kUint
		case types.Float32, types.Float64, types.UntypedFloat:
			return kFloat
		case types.Bool, types.UntypedBool:
			return kBool
		case types.String, types.UntypedString:
			return kString
		}
	case *types.Slice:
		return kSlice
	case *types.Pointer:
		return kPointer
	case *types.Signature:
		return kFunc
	case *types.Chan:
		return kChan
	case *types.Struct:
		return kStruct
	}
	return kOther
}
