package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
)

// This file measures the facts that go vet keeps. The go command runs a vettool
// for each package and removes what it made but for the cache, so that the sizes
// are taken by a wrapper: this very program, under another name.

// vetWrapperEnv names the tool that the wrapper is to run.
const vetWrapperEnv = "ITERACE_EVAL_VETTOOL"

// A vetWrapper is a vettool that notes the sizes of facts in a file beside it.
type vetWrapper struct{ path string }

func newVetWrapper(tmp, tool string) (*vetWrapper, error) {
	dir, err := os.MkdirTemp(tmp, "wrapper-")
	if err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	data, err := os.ReadFile(self)
	if err != nil {
		return nil, err
	}
	w := &vetWrapper{filepath.Join(dir, filepath.Base(tool))}
	return w, os.WriteFile(w.path, data, 0o777)
}

// sizes returns the bytes of each package's facts.
func (w *vetWrapper) sizes() ([]int64, error) {
	data, err := os.ReadFile(w.path + ".sizes")
	if err != nil {
		return nil, err
	}
	var out []int64
	for _, f := range strings.Fields(string(data)) {
		n, err := strconv.ParseInt(f, 10, 64)
		if err != nil {
			return nil, err
		}
		out = append(out, n)
	}
	return out, nil
}

// runVetWrapper is the wrapper: it runs the tool, and notes the size of what it
// writes. To the go command it is another version each time, as results that are
// cached would not be made.
func runVetWrapper(tool string, args []string) int {
	cmd := exec.Command(tool, args...)
	var out bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = os.Stdin, &out, os.Stderr
	err := cmd.Run()
	self, selfErr := os.Executable()
	if selfErr != nil {
		fmt.Fprintln(os.Stderr, selfErr)
		return 1
	}
	text := out.Bytes()
	if len(args) > 0 && args[0] == "-V=full" {
		text = otherVersion(text, self)
	}
	os.Stdout.Write(text)
	if n := len(args); n > 0 && strings.HasSuffix(args[n-1], ".cfg") {
		if err := noteFacts(args[n-1], self+".sizes"); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	if exit, ok := err.(*exec.ExitError); ok {
		return exit.ExitCode()
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return 0
}

// otherVersion makes the tool's version one of this wrapper's own, which stands in
// a directory of its own.
func otherVersion(version []byte, self string) []byte {
	id := fmt.Appendf(nil, "buildID=%x", filepath.Base(filepath.Dir(self)))
	return bytes.Replace(version, []byte("buildID="), id, 1)
}

// noteFacts adds the size of the facts of one unit to a file. Units run side by
// side: a short write to the end of a file is one piece.
func noteFacts(cfgFile, sizes string) error {
	data, err := os.ReadFile(cfgFile)
	if err != nil {
		return err
	}
	var cfg struct{ VetxOutput string }
	if err := json.Unmarshal(data, &cfg); err != nil {
		return err
	}
	info, err := os.Stat(cfg.VetxOutput)
	if err != nil {
		return nil // the tool failed, and says so
	}
	f, err := os.OpenFile(sizes, os.O_WRONLY|os.O_CREATE|os.O_APPEND, 0o666)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(f, info.Size()); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}
