package library
import ("testing";"go/types";"slices";"fmt")
func TestZZ(t *testing.T) {
	m := mustLoad(t)
	for _, pkg := range loadStd(t) {
		for _, fn := range exported(pkg.Types) {
			f := m.Func(fn.FullName())
			if f == nil || f.Enters() { continue }
			sig := fn.Signature()
			off := 0
			if sig.Recv() != nil { off = 1 }
			for i := range sig.Params().Len() {
				p := sig.Params().At(i)
				k := i + off
				has := func(l []int) bool { return slices.Contains(l, k) || sig.Variadic() && i == sig.Params().Len()-1 && slices.Contains(l, -1) }
				kind := ""
				switch u := p.Type().Underlying().(type) {
				case *types.Signature:
					if !has(f.Calls) && !has(f.Concurrent) && f.Body != k && !has(f.Retains) && !has(f.Returns) { kind = "func" }
				case *types.Interface:
					n := types.TypeString(p.Type(), nil)
					ok := has(f.DeepReads) || has(f.DeepWrites) || has(f.Returns) || has(f.Retains) || has(f.Formats)
					for _, c := range f.CallsMethods { ok = ok || c.Arg == k }
					for _, c := range f.ConcurrentMethods { ok = ok || c.Arg == k }
					if !ok && n != "context.Context" { kind = "iface " + n }
				case *types.Slice:
					if !has(f.Reads) && !has(f.Writes) && !has(f.DeepReads) && !has(f.DeepWrites) && !has(f.Formats) { kind = "slice " + u.String() }
				case *types.Map:
					if !has(f.Reads) && !has(f.Writes) && !has(f.DeepReads) && !has(f.DeepWrites) { kind = "map " + u.String() }
				case *types.Pointer:
					if !has(f.Reads) && !has(f.Writes) && !has(f.DeepReads) && !has(f.DeepWrites) && !has(f.Retains) && !has(f.Returns) && f.Op == "" { kind = "ptr " + types.TypeString(p.Type(), nil) }
				}
				if kind != "" { fmt.Println(kind, "|", f.Name, "|", Normalize(fn.FullName()), p.Name()) }
			}
		}
	}
}
