package index

// This file evaluates floating-point expressions as far as they are one
// monotone function of one integer: int(float64(i)*size), int(math.Ceil(…)).
// Results are taken to be in the range of the integer type, and no NaN
// (soundness: float-range).

// A fform is tag(arg), rounded at every operation; no arg: an invariant.
type fform struct {
	tag   string
	arg   poly
	hasX  bool
	trend trend
	ok    bool
}

// fromFloat is int(x).
func (f *frame) fromFloat(r, x vref) poly {
	g := thing{f, x, ""}.float(0)
	if !g.ok {
		return f.opaque(r, 0)
	}
	e := f.e
	var args []poly
	if g.hasX {
		args = append(args, g.arg)
	}
	return e.function("int "+g.tag, f.text(r), args, g.trend, func(a atom, i *atomInfo) {
		if i.app != nil {
			i.app.why = e.fact(i.name+" is monotone", AssumeFloat)
		}
	})
}

func (t thing) float(depth int) fform {
	t = t.chase()
	f, v := t.f, t.val()
	opaque := fform{tag: f.key(v.blk, "f"+t.path, int(t.r)), ok: f.sideOf(v.blk) == 0}
	if t.path != "" || depth > 12 {
		return opaque
	}
	sub := func(i int) fform { return thing{f, v.a[i], ""}.float(depth + 1) }
	switch v.op {
	case opFloatConst:
		return fform{tag: v.s, ok: true}
	case opIntToFloat:
		p := f.eval(v.a[0])
		if f.e.sideOfPoly(p) == 0 {
			return fform{tag: "float(" + p.key() + ")", ok: true}
		}
		return fform{tag: "x", arg: p, hasX: true, trend: rising, ok: true}
	case opFloatNeg:
		x := sub(0)
		return x.apply("-", "", flip)
	case opFloatAdd, opFloatSub, opFloatMul, opFloatQuo:
		return floatBinary(v.op, sub(0), sub(1))
	case opLoad, opFreeVal:
		x := thing{f, v.a[0], ""}.ref()
		if v.op == opFreeVal {
			x = x.fields(v.s)
		}
		if shape, args := x.place.shape(); x.ok && len(args) == 0 && f.invariant(v.at) {
			return fform{tag: "*" + shape, ok: true}
		}
	case opCall:
		switch v.s {
		case "math.Floor", "math.Ceil", "math.Round", "math.Trunc", "math.RoundToEven":
			x := thing{f, v.a[1], ""}.float(depth + 1)
			return x.apply(v.s+"(", ")", same)
		}
	}
	return opaque
}

func same(t trend) trend    { return t }
func unclear(t trend) trend { return either }

func flip(t trend) trend {
	switch t {
	case rising:
		return falling
	case falling:
		return rising
	}
	return t
}

func (x fform) apply(before, after string, turn func(trend) trend) fform {
	x.tag = before + x.tag + after
	if x.hasX {
		x.trend = turn(x.trend)
	}
	return x
}

// floatBinary combines a function and an invariant.
func floatBinary(o op, x, y fform) fform {
	sign := map[op]string{opFloatAdd: "+", opFloatSub: "-", opFloatMul: "*", opFloatQuo: "/"}[o]
	switch {
	case !x.ok || !y.ok || x.hasX && y.hasX:
		return fform{}
	case !x.hasX && !y.hasX:
		return fform{tag: "(" + x.tag + sign + y.tag + ")", ok: true}
	case x.hasX:
		turn := same
		if o == opFloatMul || o == opFloatQuo {
			turn = unclear // the sign of y is not known
		}
		return x.apply("(", sign+y.tag+")", turn)
	}
	switch o {
	case opFloatAdd:
		return y.apply("("+x.tag+sign, ")", same)
	case opFloatSub:
		return y.apply("("+x.tag+sign, ")", flip)
	case opFloatMul:
		return y.apply("("+x.tag+sign, ")", unclear)
	}
	return fform{} // c/x is not monotone around 0
}
