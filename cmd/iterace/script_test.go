package main

import (
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/testscript"

	"github.com/iterace/iterace/doc/schema"
)

const scriptDir = "testdata/script"

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"iterace": main})
}

// TestScripts runs the command on small modules, one idea a script. Besides
// the commands of testscript there are
//
//	code N command...  runs command, which must exit with code N
//	validate           checks the last standard output against the JSON schema
//	count N string     the last standard output contains string N times
func TestScripts(t *testing.T) {
	entries, err := os.ReadDir(scriptDir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if filepath.Ext(e.Name()) != ".txtar" {
			t.Errorf("%s/%s: the runner does not know this file", scriptDir, e.Name())
		}
	}
	env := append(goEnv(t), "ITERACE_CACHE="+t.TempDir())
	testscript.Run(t, testscript.Params{
		Dir:                 scriptDir,
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Setup: func(e *testscript.Env) error {
			e.Vars = append(e.Vars, env...)
			return nil
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"code":     code,
			"validate": validate,
			"count":    count,
		},
	})
}

// goEnv returns the variables that let the go command in a script find the
// caches of this machine, and keep it off the network.
func goEnv(t *testing.T) []string {
	names := []string{"GOCACHE", "GOMODCACHE", "GOPATH"}
	out, err := exec.Command("go", append([]string{"env"}, names...)...).Output()
	if err != nil {
		t.Fatal(err)
	}
	env := []string{"GOPROXY=off", "GOTOOLCHAIN=local", "GOFLAGS=", "GOWORK=off"}
	for i, value := range strings.Split(strings.TrimSpace(string(out)), "\n") {
		env = append(env, names[i]+"="+value)
	}
	return env
}

func code(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: code N command...")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else if err != nil {
		ts.Fatalf("%v", err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

func validate(ts *testscript.TestScript, neg bool, args []string) {
	var s jsonschema.Schema
	ts.Check(json.Unmarshal(schema.Report, &s))
	resolved, err := s.Resolve(nil)
	ts.Check(err)
	var doc map[string]any
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &doc))
	ts.Check(resolved.Validate(doc))
}

func count(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: count N string")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	if got := strings.Count(ts.ReadFile("stdout"), args[1]); got != want {
		ts.Fatalf("%q occurs %d times, want %d", args[1], got, want)
	}
}
