package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/iterace/iterace/analyzer"
	"github.com/iterace/iterace/model/library"
)

// modelVariable names the environment variable that lists model files.
const modelVariable = "ITERACE_MODEL"

// envModels returns the model files that the environment names. The names must
// be absolute, as go vet runs the command in the directory of each package.
func envModels() ([]string, error) {
	var files []string
	for _, name := range filepath.SplitList(os.Getenv(modelVariable)) {
		if name == "" {
			continue
		}
		if !filepath.IsAbs(name) {
			return nil, fmt.Errorf("%s: %s is not an absolute name", modelVariable, name)
		}
		files = append(files, name)
	}
	return files, nil
}

// toolID identifies what decides a vet result beside the code and the flags:
// this program, the modules of the workspace, their model files or that of the
// module that go vet is asked about, and those of the environment. The go command keeps results by it. A model file that
// cannot be used is an error: it is told once here, and else for each package.
func toolID() (string, error) {
	exe, err := os.Executable()
	if err != nil {
		return "", err
	}
	env, err := envModels()
	if err != nil {
		return "", err
	}
	cwd, err := os.Getwd()
	if err != nil {
		return "", err
	}
	own, err := analyzer.ModuleModels(cwd)
	if err != nil {
		return "", err
	}
	h := sha256.New()
	program, err := programID(exe)
	if err != nil {
		return "", err
	}
	h.Write(program) // by whatever name
	for _, m := range analyzer.WorkspaceModules(cwd) {
		fmt.Fprintf(h, "module %s\n", m)
	}
	for _, name := range append(own, env...) {
		text, err := os.ReadFile(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%s %d\n", name, len(text))
		h.Write(text)
	}
	for _, name := range own {
		if _, err := library.Load(library.Options{ModuleDir: filepath.Dir(name), Files: env}); err != nil {
			return "", err
		}
	}
	if len(own) == 0 {
		if _, err := library.Load(library.Options{Files: env}); err != nil {
			return "", err
		}
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// programID identifies a program by its content: by the build ID that the linker puts
// near the start of it, the last part of which is a hash of all the rest, or by the file if
// there is none, as where -buildid was set. To hash the file takes a fifth of a second
// each time that go vet is called, whatever has changed.
func programID(exe string) ([]byte, error) {
	f, err := os.Open(exe)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, 32<<10)) // where the go command looks for it
	if err != nil {
		return nil, err
	}
	for _, id := range [][]byte{noteID(head), textID(head)} {
		if parts := bytes.Split(id, []byte("/")); len(parts) == 4 && len(parts[3]) >= 20 {
			return id, nil
		}
	}
	return os.ReadFile(exe)
}

// noteID returns the build ID as ELF files have it: the text of a note of type 4 of Go's,
// after the lengths of the name and of the text.
func noteID(head []byte) []byte {
	const size = 4 // of a length
	i := bytes.Index(head, []byte("\x04\x00\x00\x00Go\x00\x00"))
	if i < size {
		return nil
	}
	n, rest := binary.NativeEndian.Uint32(head[i-size:]), head[i+8:]
	if uint64(n) > uint64(len(rest)) {
		return nil
	}
	return rest[:n]
}

// textID returns the build ID as other files have it, at the start of the code.
func textID(head []byte) []byte {
	_, rest, _ := bytes.Cut(head, []byte("\xff Go build ID: \""))
	id, _, _ := bytes.Cut(rest, []byte("\"\n \xff"))
	return id
}
