package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// A site is where a subject stands, ready to be analysed.
type site struct {
	*subject
	dir      string
	patterns []string
	env      []string // for the go command, over the process's own
}

// prepare finds a subject's code. A module is downloaded into the module cache
// and copied below tmp, as go.sum of its copy may have to grow.
func (s *subject) prepare(eval, tmp string) (*site, error) {
	if s.module == "" {
		return &site{subject: s, dir: eval, patterns: []string{"./subjects/" + s.name}, env: []string{"GOWORK=off"}}, nil
	}
	cached, err := download(s.module)
	if err != nil {
		return nil, err
	}
	dir := filepath.Join(tmp, s.name)
	if err := copyModule(dir, cached); err != nil {
		return nil, err
	}
	if s.noSum {
		if err := os.Remove(filepath.Join(dir, "go.sum")); err != nil {
			return nil, err
		}
	}
	st := &site{subject: s, dir: dir, patterns: []string{s.pattern}, env: []string{"GOWORK=off", "GOFLAGS=-mod=mod"}}
	if s.driver != "" {
		err = copyTree(filepath.Join(dir, driverPackage), filepath.Join(eval, "subjects", s.driver))
		if s.pattern == "" {
			st.patterns = []string{"./" + driverPackage}
		}
	}
	return st, err
}

// copyModule copies a module out of the cache.
func copyModule(to, from string) error {
	if err := copyTree(to, from); err != nil {
		return err
	}
	return dropSiblings(to)
}

// dropSiblings takes out of a module's go.mod what replaces other modules by directories
// beside it, which are not in the module: their released versions are required as well.
func dropSiblings(dir string) error {
	edit := func(args ...string) ([]byte, error) {
		cmd := exec.Command("go", append([]string{"mod", "edit"}, args...)...)
		cmd.Dir = dir
		return cmd.Output()
	}
	out, err := edit("-json")
	if err != nil {
		return fmt.Errorf("go mod edit -json in %s: %w", dir, err)
	}
	var mod struct {
		Replace []struct {
			Old, New struct{ Path, Version string }
		}
	}
	if err := json.Unmarshal(out, &mod); err != nil {
		return err
	}
	for _, r := range mod.Replace {
		if r.New.Version != "" {
			continue
		}
		if _, err := os.Stat(filepath.Join(dir, r.New.Path)); err == nil {
			continue
		}
		old := r.Old.Path
		if r.Old.Version != "" {
			old += "@" + r.Old.Version
		}
		if _, err := edit("-dropreplace=" + old); err != nil {
			return fmt.Errorf("go mod edit -dropreplace=%s in %s: %w", old, dir, err)
		}
	}
	return nil
}

// download fetches a module by its pinned version and returns where the module
// cache has it. The go command checks its sum.
func download(module string) (string, error) {
	var stderr bytes.Buffer
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Dir = os.TempDir() // outside any module: none is to be changed
	cmd.Stderr = &stderr
	out, runErr := cmd.Output()
	var info struct{ Dir, Error string }
	if err := json.Unmarshal(out, &info); err == nil && info.Error != "" {
		return "", fmt.Errorf("%s: %s", module, info.Error)
	}
	if runErr != nil {
		return "", fmt.Errorf("go mod download %s: %w\n%s", module, runErr, stderr.Bytes())
	}
	return info.Dir, nil
}

// copyTree copies a directory, and makes what it copies writable: the module
// cache is not.
func copyTree(to, from string) error {
	if err := os.MkdirAll(to, 0o777); err != nil {
		return err
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		return err
	}
	for _, e := range entries {
		src, dst := filepath.Join(from, e.Name()), filepath.Join(to, e.Name())
		switch {
		case e.IsDir():
			err = copyTree(dst, src)
		case e.Type().IsRegular():
			var data []byte
			if data, err = os.ReadFile(src); err == nil {
				err = os.WriteFile(dst, data, 0o666)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// environ is the environment of the go command for the subject.
func (s *site) environ() []string { return append(os.Environ(), s.env...) }

// where names the subject's code for people.
func (s *site) where() string {
	if s.module != "" {
		return s.module
	}
	return strings.Join(s.patterns, " ")
}
