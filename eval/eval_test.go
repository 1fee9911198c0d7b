package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/iterace/iterace/analyzer"
)

// TestMain lets the test binary be the command: a measurement starts a process
// of its own.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "measure" {
		if err := run(os.Args[1:], os.Stdout, os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func TestConfigs(t *testing.T) {
	var names []string
	for _, c := range configs() {
		names = append(names, c.String())
	}
	want := []string{
		"tfbsd", "tfbSd", "tfBsd", "tfBSd", "tFbsd", "tFbSd", "tFBsd", "tFBSd",
		"Tfbsd", "TfbSd", "TfBsd", "TfBSd", "TFbsd", "TFbSd", "TFBsd", "TFBSd",
	}
	for _, n := range want[:16] {
		want = append(want, n[:4]+"D")
	}
	if !slices.Equal(names, want) {
		t.Errorf("configurations are\n%v\nwant\n%v", names, want)
	}
	if n := config(allOn).String(); n != "TFBSD" {
		t.Errorf("everything on is called %s", n)
	}
	if d := config(filtering | appLocks).disable(); !slices.Equal(d, []string{"twothreads", "bubbleup", "deeplocks"}) {
		t.Errorf("tFbSd disables %v", d)
	}
	if r := config(filtering | appLocks).row(filtering); r != "tbSd" {
		t.Errorf("row of tFbSd without filtering is %q", r)
	}
}

// Every technique is a stage of the pipeline, and every stage a technique.
func TestStages(t *testing.T) {
	var stages []string
	for _, x := range slices.Concat(techniques[:], ours[:]) {
		stages = append(stages, x.stage)
	}
	want := analyzer.StageNames()
	slices.Sort(stages)
	slices.Sort(want)
	if !slices.Equal(stages, want) {
		t.Errorf("techniques are %v, stages %v", stages, want)
	}
}

func TestChoose(t *testing.T) {
	if s, err := choose("bleve, em3d"); err != nil || len(s) != 2 || s[0].name != "bleve" {
		t.Errorf("got %v, %v", s, err)
	}
	if _, err := choose("nobody"); err == nil {
		t.Error("an unknown subject is no error")
	}
	if vs, err := chooseVariants("TFBSD,TFBSD-order"); err != nil || len(vs) != 2 || !slices.Equal(vs[1].disable, []string{"order"}) {
		t.Errorf("got %v, %v", vs, err)
	}
	if _, err := chooseVariants("TFBS"); err == nil {
		t.Error("an unknown configuration is no error")
	}
}

func TestMean(t *testing.T) {
	for _, tt := range []struct {
		xs   []float64
		want float64
	}{
		{nil, 0},
		{[]float64{0, 0}, 0},
		{[]float64{1, 7}, 3},
	} {
		if got := mean(tt.xs); got < tt.want-1e-9 || got > tt.want+1e-9 {
			t.Errorf("mean of %v is %v, want %v", tt.xs, got, tt.want)
		}
	}
	if got := signedMean([]float64{-3, -3}); got > -3+1e-9 || got < -3-1e-9 {
		t.Errorf("mean of -3 and -3 is %v", got)
	}
}

// Code lines are those with a token on them.
func TestCodeLines(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.go")
	src := "// Package a.\npackage a\n\nvar s = `x\n\ny` // two\n\n/* no\ncode */\nfunc f() {\n}\n"
	if err := os.WriteFile(name, []byte(src), 0o666); err != nil {
		t.Fatal(err)
	}
	if n, err := codeLines(name); err != nil || n != 6 {
		t.Errorf("%d lines, %v; want 6", n, err)
	}
}

// tiny is a program with one race, and one more if locks are not looked at.
func tiny(t *testing.T) *site {
	dir, err := filepath.Abs("testdata/tiny")
	if err != nil {
		t.Fatal(err)
	}
	return &site{subject: &subject{name: "tiny"}, dir: dir, patterns: []string{"."}, env: []string{"GOWORK=off", "GOFLAGS=-mod=mod"}}
}

// TestMeasure measures a tiny program, whose races are known, with everything
// on and without locks.
func TestMeasure(t *testing.T) {
	s := tiny(t)
	kept := 0
	vs := []variant{config(allOn).variant(), (config(allOn) &^ (appLocks | deepLocks)).variant()}
	res, err := gather([]*site{s}, vs, time.Minute, t.Output(), func(*results) error { kept++; return nil })
	if err != nil {
		t.Fatal(err)
	}
	if kept != 1 {
		t.Errorf("kept %d times", kept)
	}
	m := res.Subjects[0]
	full, open := m.full(), m.on(allOn&^(appLocks|deepLocks))
	if full.Failed != "" || len(full.Errors) > 0 {
		t.Fatalf("%s %v", full.Failed, full.Errors)
	}
	if full.Sets != 1 || full.Shown[0].Object+full.Shown[0].Field != "t.racy" {
		t.Errorf("everything on: %+v", full.Shown)
	}
	if open.Sets != 2 || open.Pairs <= full.Pairs {
		t.Errorf("without locks: %d sets, %d pairs after %d: %+v", open.Sets, open.Pairs, full.Pairs, open.Shown)
	}
	if full.Functions < 2 || full.Loops != 1 || full.PeakMB == 0 || full.Load <= 0 || full.SSA <= 0 || full.Base <= 0 {
		t.Errorf("sizes: %+v", full)
	}
	if m.App != 20 || m.Lib < 1000 {
		t.Errorf("%d lines of code and %d of libraries", m.App, m.Lib)
	}

	c := judge([]label{{ID: full.Shown[0].ID, Verdict: new(bool)}, {ID: "0123456789abcdef"}}, open.Shown)
	if c.yes != 0 || c.no != 1 || len(c.gone) != 1 || len(c.missing) != 1 || c.missing[0].Object+c.missing[0].Field != "t.locked" {
		t.Errorf("labels: %+v", c)
	}
	if got := c.complaints(s.subject); len(got) != 2 {
		t.Errorf("complaints: %q", got)
	}
}

// An analysis that takes too long is stopped, and gives a dash.
func TestTimeout(t *testing.T) {
	out, err := tiny(t).run(nil, time.Millisecond)
	if err != nil || !strings.HasPrefix(out.Failed, "out of time") {
		t.Errorf("%+v, %v", out, err)
	}
}

// Ten labels are a sample, or as many as there are sets; a label of another
// configuration is not missed where everything is on.
func TestSampled(t *testing.T) {
	for _, tt := range []struct {
		c    count
		want bool
	}{
		{count{yes: 2, no: 3, missing: make([]shownSet, 20)}, false},
		{count{yes: 2, no: sampleSize - 2, missing: make([]shownSet, 20)}, true},
		{count{yes: 1}, true},
		{count{missing: make([]shownSet, 1)}, false},
	} {
		if got := tt.c.sampled(); got != tt.want {
			t.Errorf("%+v: sampled is %v", tt.c, got)
		}
	}
	c := judge([]label{{ID: "a", Verdict: new(bool), Config: "tfbsd"}, {ID: "b", Verdict: new(bool)}}, nil)
	if len(c.gone) != 1 || c.gone[0].ID != "b" {
		t.Errorf("gone: %+v", c.gone)
	}
}

// The labels that are kept can be read, and each is of a subject.
func TestLabelFiles(t *testing.T) {
	ls, err := readLabels("labels")
	if err != nil {
		t.Fatal(err)
	}
	if len(ls["montecarlo"]) == 0 {
		t.Error("no labels of montecarlo")
	}
	for _, bad := range []string{
		"[[set]]\nid = \"a\"\nwhy = \"b\"\n",
		"[[set]]\nid = \"a\"\nverdict = true\n",
		"[[set]]\nverdict = true\nwhy = \"b\"\n",
		"[[set]]\nid = \"a\"\nverdict = true\nwhy = \"b\"\nverdikt = true\n",
		strings.Repeat("[[set]]\nid = \"a\"\nverdict = true\nwhy = \"b\"\n", 2),
	} {
		name := filepath.Join(t.TempDir(), "em3d.toml")
		if err := os.WriteFile(name, []byte(bad), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, err := readLabelFile(name); err == nil {
			t.Errorf("no error for\n%s", bad)
		}
	}
}

// made is results with known numbers.
func made() *results {
	m := &measured{Name: "em3d", App: 10, Lib: 100, Outcomes: make(map[string]*outcome)}
	for i, c := range configs() {
		m.Outcomes[c.String()] = &outcome{Pairs: 100 - 3*i, Sets: 40 - i, Seconds: 1}
	}
	m.Outcomes["tfbsd"].Bounded = true
	m.Outcomes["tfBsd"].Shown = make([]shownSet, sampleSize+1)
	m.Outcomes["TFBSD"].Shown = []shownSet{{ID: "a"}}
	m.Outcomes["tfbSd"] = &outcome{Failed: "out of time"}
	return &results{Machine: "here", Subjects: []*measured{m}}
}

// TestTables compares all tables of made-up results with a file.
func TestTables(t *testing.T) {
	var b bytes.Buffer
	r, yes := made(), true
	ls := map[string][]label{"em3d": {{ID: "a", Verdict: &yes, Why: "so"}}}
	for _, tab := range r.tables(ls) {
		if err := tab.text(&b); err != nil {
			t.Fatal(err)
		}
	}
	if err := r.tables(ls)[0].markdown(&b); err != nil {
		t.Fatal(err)
	}
	for _, f := range r.findings(ls) {
		fmt.Fprintln(&b, f)
	}
	const golden = "testdata/tables.golden"
	if os.Getenv("UPDATE") != "" {
		if err := os.WriteFile(golden, b.Bytes(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if b.String() != string(want) {
		t.Errorf("tables differ from %s; UPDATE=1 rewrites it:\n%s", golden, b.String())
	}
}

// What was saved is read back, each subject from the first file that has it.
func TestSave(t *testing.T) {
	name := filepath.Join(t.TempDir(), "r.json")
	r := made()
	if err := r.save(name); err != nil {
		t.Fatal(err)
	}
	back, err := readResults(name + "," + name)
	if err != nil {
		t.Fatal(err)
	}
	if len(back.Subjects) != 1 || back.Subjects[0].full().Pairs != r.Subjects[0].full().Pairs {
		t.Errorf("%+v", back.Subjects)
	}
}

func TestScopeIDs(t *testing.T) {
	whole, errs, err := wholeIDs([]byte(`{"version":"v1","races":[{"id":"0b","message":"m"},{"id":"0a-2"},{"id":"0b"}],"errors":[{}]}` + "\niterace: races found"))
	if err != nil || errs != 1 || !slices.Equal(whole, []string{"0a-2", "0b"}) {
		t.Errorf("the whole program has %v, %d errors, %v", whole, errs, err)
	}
	if _, _, err := wholeIDs([]byte("iterace: no such directory")); err == nil {
		t.Error("what is no JSON is no error")
	}
	vet := vetIDs([]byte("# m\n{\"m\": {\"iterace\": [{\"posn\": \"a.go:1:2\", \"message\": \"race on x (definite; id 0b)\"}]}}\n" +
		"# m [m.test]\n{\"m [m.test]\": {\"iterace\": [{\"message\": \"race on x (definite; id 0b)\"}, {\"message\": \"race on y (likely; id 0c-3)\"}]}}"))
	if !slices.Equal(vet, []string{"0b", "0c-3"}) {
		t.Errorf("go vet has %v", vet)
	}
	r := &scopeResult{whole: whole, vet: vet}
	if r.both() != 1 || r.same() {
		t.Errorf("%d in both, same %v", r.both(), r.same())
	}
	if r.whole = []string{"0b", "0c-3"}; !r.same() {
		t.Error("equal lists are not the same")
	}
}

// The wrapper runs the tool, is another version of it each time, and notes the
// size of what the tool writes.
func TestVetWrapper(t *testing.T) {
	dir := t.TempDir()
	facts, cfg := filepath.Join(dir, "facts"), filepath.Join(dir, "vet.cfg")
	if err := os.WriteFile(facts, []byte("12345"), 0o666); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(cfg, fmt.Appendf(nil, `{"VetxOutput":%q}`, facts), 0o666); err != nil {
		t.Fatal(err)
	}
	w := &vetWrapper{filepath.Join(dir, "tool")}
	for range 2 {
		if err := noteFacts(cfg, w.path+".sizes"); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := w.sizes(); err != nil || !slices.Equal(got, []int64{5, 5}) {
		t.Errorf("sizes are %v, %v", got, err)
	}
	a := otherVersion([]byte("iterace version devel buildID=ab\n"), "/x/wrapper-1/iterace")
	b := otherVersion([]byte("iterace version devel buildID=ab\n"), "/x/wrapper-2/iterace")
	if bytes.Equal(a, b) || !bytes.HasPrefix(a, []byte("iterace version devel buildID=")) || !bytes.HasSuffix(a, []byte("ab\n")) {
		t.Errorf("versions are %s and %s", a, b)
	}
}

// TestDropSiblings: a replacement by a directory that is not there goes, and nothing else.
func TestDropSiblings(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "inner"), 0o777); err != nil {
		t.Fatal(err)
	}
	write("go.mod", "module m\n\ngo 1.25\n\nreplace (\n\ta.b/gone v1.0.0 => ../gone\n\ta.b/here => ./inner\n\ta.b/other => c.d/other v1.2.3\n)\n")
	if err := dropSiblings(dir); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]bool{"a.b/gone": false, "a.b/here": true, "a.b/other": true} {
		if strings.Contains(string(text), path) != want {
			t.Errorf("%s is replaced: %v, want %v\n%s", path, !want, want, text)
		}
	}
}
