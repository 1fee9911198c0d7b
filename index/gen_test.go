package index

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
)

// A generator writes random functions with one parallel loop each. Every
// function is written twice: for the analysis, and to be run. In the text,
//
//	@go func(…) { … }(…)@       starts an iteration
//	@touch n e@                 is e = n, in the running version a record of &e
//	@tick@                      is nothing, or bounds the number of rounds
//	@step e@                    is nothing, or ends a run with e < 1: loops are
//	                            assumed to advance even if they have other exits
//
// stand for what differs. Most functions are close to a known way to partition
// an index space, with mistakes mixed in; that is where a prover errs.
type generator struct {
	r     *rand.Rand
	b     strings.Builder
	vars  []string // integers in scope
	sites int
	errs  int // 1 in errs choices is a mistake
}

func (g *generator) pick(s ...string) string { return s[g.r.Intn(len(s))] }
func (g *generator) oneIn(n int) bool        { return g.r.Intn(n) == 0 }
func (g *generator) line(f string, a ...any) { fmt.Fprintf(&g.b, f+"\n", a...) }
func (g *generator) oops() bool              { return g.oneIn(g.errs) }

// expr is an integer expression over the variables in scope.
func (g *generator) expr(depth int) string {
	if depth == 0 || g.oneIn(4) {
		if g.oneIn(4) {
			return g.pick("0", "1", "2", "3")
		}
		return g.vars[g.r.Intn(len(g.vars))]
	}
	x, y := g.expr(depth-1), g.expr(depth-1)
	switch g.r.Intn(18) {
	case 0, 1, 2, 3:
		return fmt.Sprintf("(%s + %s)", x, y)
	case 4, 5:
		return fmt.Sprintf("(%s - %s)", x, y)
	case 6, 7:
		return fmt.Sprintf("(%s * %s)", x, y)
	case 8:
		return fmt.Sprintf("(%s / %s)", x, g.pick("2", "3", "d", "w"))
	case 9:
		return fmt.Sprintf("(%s %% %s)", x, g.pick("2", "4", "w", "d"))
	case 10:
		return fmt.Sprintf("min(%s, %s)", x, y)
	case 11:
		return fmt.Sprintf("max(%s, %s)", x, y)
	case 12:
		return fmt.Sprintf("(%s %s %s)", x, g.pick(">>", "&", "<<", "|", "^", "&^"), g.pick("1", "2", "3", "4"))
	case 13:
		return fmt.Sprintf("int(%s(%s))", g.pick("uint8", "int8", "int32", "uint16"), g.notConst(x))
	case 14:
		return fmt.Sprintf("int(uint(%s)-uint(%s))", g.notConst(x), g.notConst(y))
	case 15:
		return g.pick("-", "^") + x
	case 16:
		return fmt.Sprintf("(%s %s %s)", x, g.pick("/", "%"), g.pick("-2", "-3", "(-w)"))
	}
	return fmt.Sprintf("%s(%s, %s)", g.pick("lower", "clamp"), x, y)
}

// notConst makes sure that the expression is no constant.
func (g *generator) notConst(x string) string { return x + "+" + g.vars[g.r.Intn(len(g.vars))] }

func (g *generator) cond() string {
	if g.oneIn(8) {
		return fmt.Sprintf("uint(%s) %s uint(%s)", g.notConst(g.expr(1)), g.pick("<", ">=", "=="), g.notConst(g.expr(1)))
	}
	return fmt.Sprintf("%s %s %s", g.expr(1), g.pick("<", "<=", ">", ">=", "==", "!="), g.expr(1))
}

// function writes one function.
func (g *generator) function(name string) {
	g.sites = 0
	g.errs = []int{3, 5, 9, 50}[g.r.Intn(4)]
	g.vars = []string{"n", "w", "cs", "d"}
	g.line("func %s(a, tab []int, n, w, cs, d int) {", name)
	if g.oneIn(2) {
		g.line("cs = (n + w - 1) / w")
	}
	if g.oneIn(3) {
		g.line("n = len(a)")
	}
	switch g.r.Intn(9) {
	case 0:
		g.line("for i := range w {\n@tick@")
		g.chunk("i")
	case 1:
		g.line("for i := %s; i < w; i++ {\n@tick@", g.pick("0", "0", "1"))
		g.chunk("i")
	case 2:
		g.line("for lo := 0; lo < n; lo += cs {\n@tick@")
		g.vars = append(g.vars, "lo")
		g.line("hi := %s\n_ = hi", g.upper("lo + cs"))
		g.body("lo", "hi")
	case 3:
		g.line("c := %s\nfor c > 0 {\n@tick@", g.pick("n", "n", "len(a)", "n - 1"))
		g.line("lo, hi := c-cs, c\n_ = hi")
		g.line("if lo < 0 { lo = %s }", g.pick("0", "0", "0", "1"))
		before := g.oneIn(2)
		if before {
			g.line("c -= cs")
		}
		g.vars = append(g.vars, "lo", "hi")
		g.spawn("lo", "hi")
		if !before {
			g.line("c -= cs")
		}
	case 4:
		g.line("pos := 0\nfor i := range w {\n@tick@")
		g.vars = append(g.vars, "i")
		g.line("_ = i")
		g.line("end := pos + %s", g.pick("d", "n/w", "cs", "2"))
		if g.oneIn(2) {
			g.line("if %s { end++ }", g.pick("i < n%w", "i < d", g.cond()))
		}
		if g.oneIn(4) {
			g.line("if end > n { end = n }")
		}
		g.vars = append(g.vars, "end")
		if g.oneIn(2) {
			g.line("from := pos\n_ = from")
			g.vars = append(g.vars, "from")
			g.spawn("from", "end")
		} else {
			g.spawn("pos", "end")
		}
		g.line("pos = %s", g.pick("end", "end", "end", "end + 1", "end - 1"))
	case 5:
		g.line("for i := 0; i < n; i += cs {\n@tick@\nfor k := 0; k < w; k += d {\n@tick@")
		g.vars = append(g.vars, "i", "k")
		g.line("h, wd := min(cs, n-i), min(d, w-k)\n_, _ = h, wd")
		g.vars = append(g.vars, "h", "wd")
		g.open()
		g.line("for r := 0; r < h; r++ {\n@tick@\nfor x := 0; x < %s; x++ {\n@tick@", g.pick("wd", "wd", "d", "w"))
		g.vars = append(g.vars, "r", "x")
		g.line("_, _ = r, x")
		g.touch(g.pick("(i+r)*w+k+x", "(i+r)*w+k+x", "(i+r)*n+k+x", "(i+r)*d+k+x"))
		g.line("}\n}")
		g.shut("")
		g.line("}")
	case 6:
		g.line("src, at := a[:n], 0\nfor len(src) > 0 {\n@tick@")
		g.line("k := min(cs, len(src))")
		g.vars = append(g.vars, "k")
		g.line("seg, from := src[:%s], at", g.pick("k", "k", "k", "min(k+1, len(src))"))
		g.line("_, _ = seg, from\nsrc, at = src[%s:], at+k", g.pick("k", "k", "k", "k/2"))
		g.vars = append(g.vars, "from")
		g.open()
		g.line("for j := range seg {\n@tick@")
		g.vars = append(g.vars, "j")
		if g.oneIn(2) {
			g.place("seg[j]")
		} else {
			g.place("a[from+j]")
		}
		g.line("}")
		g.shut("")
	case 7:
		g.line("for i := %s; i >= 0; i-- {\n@tick@", g.pick("n - 1", "w - 1", "w"))
		g.chunk("i")
	case 8:
		g.line("each(%s, func(s, e int) {\n", g.pick("n", "w", "n/w"))
		g.vars = append(g.vars, "s", "e")
		g.inner("s", "e")
		g.line("})\n}")
		return
	}
	g.line("}\n}")
}

// upper is the end of a chunk.
func (g *generator) upper(end string) string {
	if g.oops() {
		return g.pick(end, "max("+end+", n)", "min("+end+"+1, n)", g.expr(2))
	}
	return g.pick("min("+end+", n)", "min("+end+", len(a))", "clamp("+end+", n)")
}

// chunk computes bounds from the iteration's number and goes on.
func (g *generator) chunk(i string) {
	g.vars = append(g.vars, i)
	g.line("_ = i")
	if g.oneIn(8) {
		g.line("if %s { continue }", g.cond())
	}
	lo, hi := "", ""
	switch g.r.Intn(7) {
	case 0:
		lo, hi = "i*cs", g.upper("(i+1)*cs")
	case 1:
		lo, hi = "i*(n/w)", "(i+1)*(n/w)"
	case 2:
		lo, hi = "i*(n/w)+min(i, n%w)", "(i+1)*(n/w)+min(i+1, n%w)"
	case 3:
		lo, hi = "i*n/w", "(i+1)*n/w"
	case 4:
		lo, hi = "int(float64(i)*float64(n)/float64(w))", "int(float64(i+1)*float64(n)/float64(w))"
	case 5:
		lo, hi = "tab[i]", "tab[i+1]"
	case 6:
		lo, hi = g.expr(2), g.expr(2)
	}
	if g.oops() {
		lo = g.pick(lo+"-1", lo+"+1", "i", g.expr(2))
	}
	if g.oops() {
		hi = g.pick(hi+"+1", hi+"-1", "n", g.expr(2))
	}
	g.line("lo := %s\nhi := %s\n_, _ = lo, hi", lo, hi)
	g.body("lo", "hi")
}

// bookkeeping computes one more variable in roundabout ways.
func (g *generator) bookkeeping() {
	if g.oneIn(2) {
		return
	}
	g.line("t := %s", g.expr(1))
	switch g.r.Intn(8) {
	case 6:
		g.line("if %s { if %s { t = %s } else if %s { t = %s } else { continue } }", g.cond(), g.cond(), g.expr(1), g.cond(), g.expr(1))
	case 7:
		g.line("if %s { t = n / (%s) }", g.cond(), g.notConst(g.expr(1)))
	case 0:
		g.line("if %s { t = %s } else { t++ }", g.cond(), g.expr(1))
	case 1:
		g.line("for q := 0; q < d; q++ {\n@tick@\nt += %s\n}", g.pick("1", "cs", "2", "q"))
	case 2:
		g.line("switch {\ncase %s:\n t = %s\ncase %s:\n t -= 1\n}", g.cond(), g.expr(1), g.cond())
	case 3:
		g.line("for t < n {\n@tick@\nif %s { break }\nt += 2\n}", g.cond())
	case 4:
		g.line("if %s && %s || %s { t = 0 }", g.cond(), g.cond(), g.cond())
	case 5:
		g.line("s := span{%s, t}\nif %s { s.hi = %s }\nt = s.hi - s.lo", g.expr(1), g.cond(), g.expr(1))
	}
	g.vars = append(g.vars, "t")
	g.line("_ = t")
}

func (g *generator) body(lo, hi string) {
	g.vars = append(g.vars, "lo", "hi")
	g.bookkeeping()
	if g.oneIn(3) {
		c := g.cond()
		if g.oneIn(2) {
			c = g.pick("i == w-1", "hi > n", "lo == 0", "i == 0")
			if strings.Contains(c, "i =") && !strings.Contains(strings.Join(g.vars, " ")+" ", " i ") {
				c = "hi > n"
			}
		}
		g.line("if %s { %s = %s }", c, g.pick("hi", "hi", "lo"), g.pick("n", "n", "0", "len(a)", g.expr(1)))
	}
	g.spawn(lo, hi)
}

// spawn starts an iteration that works on [lo, hi).
func (g *generator) spawn(lo, hi string) {
	if g.oneIn(6) {
		// A struct, perhaps changed before or after it is captured.
		g.line("sp := span{%s, %s}", lo, hi)
		if g.oops() {
			g.line("sp.%s = %s", g.pick("lo", "hi"), g.expr(1))
		}
		g.open()
		g.line("lo, hi := sp.lo, sp.hi\n_, _ = lo, hi")
		g.inner("lo", "hi")
		g.line("}()@")
		if g.oops() {
			g.line("sp.%s = %s", g.pick("lo", "hi"), g.expr(1))
		}
		return
	}
	if g.oneIn(6) {
		g.line("run(func() {")
		g.inner(lo, hi)
		g.line("})")
		return
	}
	if g.oneIn(5) {
		g.line("@go func(lo, hi int) {")
		vars := g.vars
		g.vars = append(append([]string(nil), vars...), "lo", "hi")
		g.inner("lo", "hi")
		g.line("}(%s, %s)@", lo, hi)
		g.vars = vars
		return
	}
	g.open()
	g.inner(lo, hi)
	g.shut(g.pick("lo", "hi"))
}

func (g *generator) open() { g.line("@go func() {") }

// shut ends an iteration's body; now and then the spawner then changes v.
func (g *generator) shut(v string) {
	g.line("}()@")
	if v != "" && g.oneIn(8) && strings.Contains(" "+strings.Join(g.vars, " ")+" ", " "+v+" ") {
		g.line("%s = %s", v, g.expr(1))
	}
}

// inner writes a loop over [lo, hi).
func (g *generator) inner(lo, hi string) {
	less := "<"
	if g.oops() {
		less = "<="
	}
	end := "}"
	switch g.r.Intn(8) {
	case 0, 1, 2:
		g.line("for j := %s; j %s %s; j++ {\n@tick@", lo, less, hi)
	case 3:
		g.line("for j := %s - 1; j >= %s; j-- {\n@tick@", hi, lo)
	case 4:
		d := g.pick("2", "3", "d")
		g.line("for j := %s; j %s %s; j += %s {\n@tick@\n@step %s@", lo, less, hi, d, d)
	case 5:
		g.line("for k := range %s - %s {\n@tick@\nj := %s + k", hi, lo, lo)
	case 6:
		g.line("j := %s\nfor j %s %s {\n@tick@", lo, less, hi)
		end = fmt.Sprintf("if %s { j += 2 } else { j++ }\n}", g.cond())
	case 7:
		i := g.pick(g.vars...)
		g.line("for j := %s; j < n; j += w {\n@tick@\n@step w@", i)
	}
	vars := g.vars
	g.vars = append(append([]string(nil), vars...), "j")
	g.line("_ = j")
	if g.oneIn(8) {
		g.line("if %s {", g.cond())
		end = "}\n" + end
	}
	if g.oneIn(8) {
		g.line("if %s { %s }", g.cond(), g.pick("break", "return"))
	}
	switch g.r.Intn(11) {
	case 9:
		g.line("if 0 <= %s && %s <= %s && %s <= len(a) {\nfill(a[%s:%s])\nbreak\n}", lo, lo, hi, hi, lo, hi)
	case 10:
		g.line("if 0 <= %s && %s <= %s && %s <= len(a) {\nb := &box{a, %s}\nb.put(j-%s)\n}", lo, lo, hi, hi, lo, lo)
	case 0, 1, 2, 3:
		g.touch("j")
	case 4:
		g.line("for x := 0; x %s %s; x++ {\n@tick@", g.pick("<", "<", "<", "<="), g.pick("d", "d", "w"))
		g.vars = append(g.vars, "x")
		g.touch(g.pick("j*d+x", "j*d+x", "j*w+x", "x*n+j", "x*d+j"))
		g.line("}")
	case 5:
		g.line("if 0 <= %s && %s <= %s && %s <= len(a) {\nv := a[%s:%s]", lo, lo, hi, hi, lo, hi)
		g.line("if k := j - %s; 0 <= k && k < len(v) {", lo)
		g.place("v[k]")
		g.line("}\n}")
	case 6:
		g.touch(g.expr(2))
	case 7:
		g.touch("j")
		g.touch(g.pick("j+n", "j+1", "j-1", "n-1-j", g.expr(2)))
	case 8:
		g.touch(g.pick("2*j", "2*j+1", "j/2", "j^1", "j&^1", "n-j", "j-"+lo, "j%w", "j*j", "tab[j]"))
	}
	g.vars = vars
	g.line("%s", end)
}

// touch writes an element of a; an index out of range is not an access.
func (g *generator) touch(index string) {
	form := g.r.Intn(4)
	if !g.varies(index) {
		form = 0 // a constant index is checked by the compiler
	}
	switch form {
	case 0:
		g.line("if x := %s; 0 <= x && x < len(a) {", index)
		g.place("a[x]")
		g.line("}")
	case 1:
		g.line("if x := %s; x >= 0 {\nif x < len(a) {\np := &a[x]", index)
		g.place("*p")
		g.line("}\n}")
	default:
		g.line("if 0 <= (%s) && (%s) < len(a) {", index, index)
		g.place("a[" + index + "]")
		g.line("}")
	}
}

// varies reports whether the expression mentions a variable.
func (g *generator) varies(e string) bool {
	words := strings.FieldsFunc(e, func(r rune) bool { return r < 'a' || r > 'z' })
	for _, w := range words {
		if slices.Contains(g.vars, w) {
			return true
		}
	}
	return false
}

func (g *generator) place(e string) {
	g.sites++
	g.line("@touch %d %s@", g.sites, e)
}

// helpers are in both versions.
const helpers = `
func lower(x, y int) int {
	if x < y {
		return x
	}
	return y
}

func clamp(x, n int) int {
	if x > n {
		x = n
	}
	if x < 0 {
		return 0
	}
	return x
}

type span struct{ lo, hi int }

type box struct {
	data []int
	base int
}

func (b *box) put(i int) {
	if k := b.base + i; 0 <= k && k < len(b.data) {
		@touch 901 b.data[k]@
	}
}

func fill(v []int) {
	for i := range v {
		@touch 900 v[i]@
	}
}

func run(f func()) {
	@go func() {
		f()
	}()@
}

func each(n int, f func(s, e int)) {
	procs := 3
	part := float64(n) / float64(procs)
	for i := 0; i < procs; i++ {
		s := int(math.Ceil(float64(i) * part))
		e := int(math.Ceil(float64(i+1) * part))
		@go func() {
			f(s, e)
		}()@
	}
}
`

// analysed is the version for the analysis.
func analysed(text string) string {
	return "package p\n\nimport \"math\"\n" + expand(text, func(kind, arg string) string {
		switch kind {
		case "touch":
			n, e, _ := strings.Cut(arg, " ")
			return e + " = " + n
		case "go":
			return "go " + arg
		}
		return ""
	})
}

// running is the version to be run: iterations are run one after the other, at
// once or when the function has returned.
func running(text string) string {
	return "package main\n\nimport (\n\t\"fmt\"\n\t\"math\"\n)\n" + expand(text, func(kind, arg string) string {
		switch kind {
		case "touch":
			n, e, _ := strings.Cut(arg, " ")
			return "touch(" + n + ", &" + e + ")"
		case "go":
			i := strings.LastIndex(arg, "}(")
			args := strings.TrimSuffix(arg[i+2:], ")")
			if args == "" {
				return "spawn(" + arg[:i+1] + ")"
			}
			return "spawn(bind(" + arg[:i+1] + ", " + args + "))"
		}
		if kind == "step" {
			return "step(" + arg + ")"
		}
		return "tick()"
	}) + runtimeText
}

// expand replaces the marks.
func expand(text string, f func(kind, arg string) string) string {
	var out strings.Builder
	for {
		i := strings.IndexByte(text, '@')
		if i < 0 {
			return out.String() + text
		}
		out.WriteString(text[:i])
		kind := text[i+1:]
		if j := strings.IndexAny(kind, " @"); j >= 0 {
			kind = kind[:j]
		}
		rest := text[i+1+len(kind):]
		depth, j := 0, 0
		for ; ; j++ { // the mark's own end, not one of a mark inside
			if rest[j] != '@' {
				continue
			}
			after := rest[j+1:]
			if strings.HasPrefix(after, "touch ") || strings.HasPrefix(after, "step ") || strings.HasPrefix(after, "tick@") {
				depth++
				j += 4
				if strings.HasPrefix(after, "tick@") {
					depth--
					j++
				}
				continue
			}
			if depth == 0 {
				break
			}
			depth--
		}
		arg := strings.TrimPrefix(rest[:j], " ")
		if kind == "go" {
			arg = expand(arg, f)
		}
		out.WriteString(f(kind, arg))
		text = rest[j+1:]
	}
}

const runtimeText = `
type use struct{ iter, site int }

var (
	iter, current, fuel int
	late                bool
	queue               []func()
	uses                map[*int][]use
)

func tick() {
	if fuel--; fuel < 0 {
		panic("too long")
	}
}

func step(n int) {
	if n < 1 {
		panic("no progress")
	}
}

func spawn(f func()) {
	iter++
	k := iter
	g := func() { current = k; f() }
	if late {
		queue = append(queue, g)
	} else {
		g()
	}
}

func bind(f func(lo, hi int), lo, hi int) func() { return func() { f(lo, hi) } }

func touch(site int, p *int) {
	tick()
	for _, u := range uses[p] {
		if u.iter == current && u.site == site {
			return
		}
	}
	uses[p] = append(uses[p], use{current, site})
}

type pair struct{ a, b int }

// execute returns the pairs of sites at which different iterations touch one
// element; none if the run does not end regularly.
func execute(f func(a, tab []int, n, w, cs, d int), size, n, w, cs, d int, tab []int) (pairs map[pair]bool) {
	defer func() {
		if recover() != nil {
			pairs = nil
		}
	}()
	iter, fuel, queue, uses = 0, 3000, nil, make(map[*int][]use)
	f(make([]int, size), tab, n, w, cs, d)
	for _, g := range queue {
		g()
	}
	pairs = make(map[pair]bool)
	for _, us := range uses {
		for _, u := range us {
			for _, v := range us {
				if u.iter != v.iter && u.site <= v.site {
					pairs[pair{u.site, v.site}] = true
				}
			}
		}
	}
	return pairs
}

func try(name string, f func(a, tab []int, n, w, cs, d int)) {
	seed := uint32(1)
	next := func(n int) int {
		seed = seed*1664525 + 1013904223
		return int(seed>>16) % n
	}
	seen := make(map[pair]bool)
	runs := 0
	for k := 0; k < 400; k++ {
		size := next(24)
		n := next(14)
		if k%3 == 0 {
			n = size
		}
		w, cs, d := next(6), next(6), next(5)
		if k%5 == 0 {
			w, cs, d = w-1, cs-1, d-1
		}
		tab := make([]int, next(8)+2)
		for i := range tab {
			tab[i] = next(10)
			if i > 0 && k%2 == 0 {
				tab[i] += tab[i-1]
			}
		}
		for _, late = range []bool{false, true} {
			pairs := execute(f, size, n, w, cs, d, tab)
			if pairs != nil {
				runs++
			}
			for p := range pairs {
				if !seen[p] {
					seen[p] = true
					fmt.Println(name, p.a, p.b, "size", size, "n", n, "w", w, "cs", cs, "d", d, "tab", tab)
				}
			}
		}
	}
	fmt.Println("runs", name, runs)
}
`
