package analyzer

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/iterace/iterace/internal/expect"
)

var (
	racecheck     = flag.Bool("racecheck", false, "run the programs in testdata under the race detector")
	racecheckRuns = flag.Int("racecheck.runs", 20, "how often to run each program, for each of GOMAXPROCS 1, 2, 4")
)

// trustsModel lists programs that do race, but are silent because
// testdata/library/model.toml says so.
var trustsModel = regexp.MustCompile(`^T9[4-9]_`)

// TestRacecheck checks the labels, not the analysis: it runs each program under
// the race detector. One that is labelled race! must be caught, at labelled
// lines only; the others must never be.
//
//	go test ./analyzer -run TestRacecheck -racecheck -timeout 30m
func TestRacecheck(t *testing.T) {
	if !*racecheck {
		t.Skip("takes minutes and a C compiler; run with -racecheck")
	}
	seen := make(confirmed)
	for _, dir := range programDirs(t) {
		t.Run(filepath.Base(dir), func(t *testing.T) {
			files := programFiles(t, dir)
			if !slices.ContainsFunc(files, func(f *expect.File) bool { return len(f.Cases) > 0 }) {
				t.Skip("no cases")
			}
			bin := raceBinary(t, dir, files)
			for _, f := range files {
				for _, c := range f.Cases {
					t.Run(c.Name, func(t *testing.T) { raceCase(t, bin, files, f, c, seen) })
				}
			}
		})
	}
	t.Run("threadsafe", func(t *testing.T) { checkThreadsafe(t, seen) })
}

// raceBinary builds a test binary with one test for each case of the package:
// its driver if there is one (a function Drive_<case> in a _test file), else
// the case itself if it takes no arguments.
func raceBinary(t *testing.T, dir string, files []*expect.File) string {
	t.Helper()
	drivers, _ := os.ReadFile(filepath.Join(dir, "drivers_test.go"))
	var src bytes.Buffer
	fmt.Fprintf(&src, "package %s\n\nimport (\n\"flag\"\n\"testing\"\n)\n\nvar racecheckRounds = flag.Int(\"rounds\", 1, \"\")\n", files[0].Package)
	for _, f := range files {
		for _, c := range f.Cases {
			call := c.Name
			switch driver := "Drive_" + c.Name; {
			case bytes.Contains(drivers, []byte("func "+driver+"(")):
				call = driver
			case c.Params > 0:
				continue
			}
			fmt.Fprintf(&src, "func Test_%s(t *testing.T) { for range *racecheckRounds { %s() } }\n", c.Name, call)
		}
	}
	tmp := t.TempDir()
	test := filepath.Join(tmp, "cases_test.go")
	overlay := filepath.Join(tmp, "overlay.json")
	data, err := json.Marshal(map[string]any{"Replace": map[string]string{
		filepath.Join(dir, "racecheck_cases_test.go"): test,
	}})
	if err != nil {
		t.Fatal(err)
	}
	for name, data := range map[string][]byte{test: src.Bytes(), overlay: data} {
		if err := os.WriteFile(name, data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	bin := filepath.Join(tmp, "cases.test")
	cmd := exec.Command("go", "test", "-race", "-vet=off", "-gcflags=-l", "-c", "-overlay", overlay, "-o", bin, ".")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, out)
	}
	return bin
}

// raceCase runs one case and compares what fires with its labels.
func raceCase(t *testing.T, bin string, files []*expect.File, f *expect.File, c *expect.Case, all confirmed) {
	seen := map[string]bool{}  // innermost lines
	onWay := map[string]bool{} // lines of the calls to them, too
	fired := false
	ran := false
	once := func(procs int) {
		cmd := exec.Command(bin, "-test.run", "^Test_"+c.Name+"$", "-test.v", "-rounds", strconv.Itoa((*racecheckRuns+1)/2))
		cmd.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(procs), "GORACE=atexit_sleep_ms=0")
		cmd.Dir = filepath.Dir(f.Name)
		out, err := cmd.CombinedOutput()
		ran = ran || bytes.Contains(out, []byte("=== RUN"))
		if !trustsModel.MatchString(c.Name) {
			all.add(string(out), filepath.Dir(f.Name))
		}
		lines, calls, mapFault := racyLines(string(out), filepath.Dir(f.Name))
		if err != nil && len(lines) == 0 && !mapFault {
			t.Fatalf("GOMAXPROCS=%d: %v\n%s", procs, err, out)
		}
		fired = fired || len(lines) > 0 || mapFault
		for _, l := range lines {
			seen[l] = true
		}
		for _, l := range calls {
			onWay[l] = true
		}
	}
	// Two processes each, because the detector reports a pair of stacks only once
	// and the scheduler starts each with another seed.
	for _, procs := range []int{1, 2, 4, 1, 2, 4} {
		once(procs)
	}
	// A race may take some luck to happen; that it never does takes more tries.
	for try := 0; try < 20 && ran && !fired && racyCase(f, c); try++ {
		once(1 + try%4)
	}
	if !ran {
		t.Skip("has parameters and no driver")
	}
	if trustsModel.MatchString(c.Name) {
		return
	}
	racy := racyCase(f, c)
	for _, g := range files {
		for _, l := range g.Lines() {
			if !happens(g.Comments[l]) {
				continue
			}
			at := fmt.Sprintf("%s:%d", filepath.Base(g.Name), l)
			if g == f && g.SectionAt(l) == c && !onWay[at] {
				t.Logf("%s: labelled, but not among the detector's lines", at)
			}
			delete(seen, at)
		}
	}
	for l := range seen {
		t.Errorf("%s: the detector reports this line, which is not labelled race!", l)
	}
	switch {
	case racy && !fired:
		t.Errorf("labelled race!, but the detector saw none")
	case !racy && fired && len(seen) == 0:
		t.Errorf("labelled without race, but the detector fires")
	}
}

// happens reports whether the line is said to take part in a race, found or not.
func happens(c *expect.Comment) bool {
	return c.Verdict == expect.MustRace || c.Verdict == expect.Missed
}

// racyCase reports whether a line of the case is said to take part in a race.
func racyCase(f *expect.File, c *expect.Case) bool {
	for _, l := range f.Lines() {
		if f.SectionAt(l) == c && happens(f.Comments[l]) {
			return true
		}
	}
	return false
}

// racyLines returns the file:line of both accesses of each race in the
// detector's output, where they lie in dir: the innermost frame in it; and the
// lines of all frames in it. It also reports whether the runtime stopped the
// program for unguarded map accesses.
func racyLines(out, dir string) (lines, frames []string, mapFault bool) {
	mapFault = strings.Contains(out, "fatal error: concurrent map")
	inStack, found := false, false
	var innermost string
	for _, l := range strings.Split(out, "\n") {
		l = strings.TrimSpace(l)
		switch {
		case accessHead.MatchString(l):
			inStack, found, innermost = true, false, ""
		case l == "" || strings.HasPrefix(l, "Goroutine"):
			inStack = false
		case inStack && innermost == "" && !strings.HasPrefix(l, "/"):
			innermost = l
		}
		file, rest, ok := strings.Cut(l, ".go:")
		if !inStack || !ok || filepath.Dir(file) != dir || strings.HasSuffix(file, "_test") {
			continue
		}
		// Misuse of the group itself is not what the programs are about.
		if strings.HasPrefix(innermost, "sync.(*WaitGroup)") || strings.HasPrefix(innermost, "internal/race.") {
			continue
		}
		num, _, _ := strings.Cut(rest, " ")
		at := filepath.Base(file) + ".go:" + num
		frames = append(frames, at)
		if !found && !zeroing(file+".go", num) {
			lines = append(lines, at)
		}
		found = true
	}
	return lines, frames, mapFault
}

// zeroing reports whether the line only makes an object without fields: where
// one is published without order, the detector also reports that it was zeroed.
// There is no access in the program for that.
func zeroing(file, num string) bool {
	src, err := os.ReadFile(file)
	n, convErr := strconv.Atoi(num)
	lines := strings.Split(string(src), "\n")
	return err == nil && convErr == nil && n <= len(lines) && zeroLiteral.MatchString(lines[n-1])
}

var zeroLiteral = regexp.MustCompile(`^\s*\w+ := &\w+\{\}$`)

var accessHead = regexp.MustCompile(`^(Previous )?(atomic )?([Rr]ead|[Ww]rite) (at|of)`)

// programDirs returns the directories with test programs, sorted. The one whose
// programs are tests themselves is not among them.
func programDirs(t *testing.T) []string {
	t.Helper()
	_, file, _, _ := runtime.Caller(0)
	dirs, err := filepath.Glob(filepath.Join(filepath.Dir(file), "..", "testdata", "*"))
	if err != nil || len(dirs) == 0 {
		t.Fatalf("no test programs: %v", err)
	}
	var out []string
	for _, d := range dirs {
		if m := goFiles(t, d, false); len(m) > 0 {
			out = append(out, d)
		}
	}
	return out
}

// goFiles returns the Go files in dir: those of tests or the others.
func goFiles(t *testing.T, dir string, tests bool) []string {
	t.Helper()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(names, func(name string) bool { return strings.HasSuffix(name, "_test.go") != tests })
}

// programFiles parses the test programs in dir.
func programFiles(t *testing.T, dir string) []*expect.File {
	t.Helper()
	return parseFiles(t, goFiles(t, dir, false))
}

func parseFiles(t *testing.T, names []string) []*expect.File {
	t.Helper()
	var files []*expect.File
	for _, name := range names {
		src, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f, err := expect.ParseFile(name, src)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}
