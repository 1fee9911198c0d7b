package main

import (
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
)

// TestProgramID: a program is known by its build ID, and one that has none by the file.
func TestProgramID(t *testing.T) {
	const id = "aaaaaaaaaaaaaaaaaaaa/bbbbbbbbbbbbbbbbbbbb/cccccccccccccccccccc/dddddddddddddddddddd"
	const inText = "\xff Go build ID: \"" + id + "\"\n \xff"
	note := func(id string) string {
		head := binary.NativeEndian.AppendUint32([]byte("\x04\x00\x00\x00"), uint32(len(id)))
		head = binary.NativeEndian.AppendUint32(head, 4)
		return string(head) + "Go\x00\x00" + id
	}
	for _, c := range []struct {
		name, text string
		whole      bool
	}{
		{"note", "\x7fELF" + note(id) + "code", false},
		{"text", "MZ" + inText + "code", false},
		{"empty note", "\x7fELF" + note("") + "code", true},
		{"own note", "\x7fELF" + note("mine") + "code", true},
		{"cut note", ("\x7fELF" + note(id))[:40], true},
		{"none", "\x7fELF code", true},
		{"empty", "\x7fELF\xff Go build ID: \"\"\n \xffcode", true},
		{"redacted", "\x7fELF\xff Go build ID: \"redacted\"\n \xffcode", true},
		{"cut", "MZ" + inText[:60], true},
		{"nothing", "", true},
	} {
		exe := filepath.Join(t.TempDir(), c.name)
		if err := os.WriteFile(exe, []byte(c.text), 0o777); err != nil {
			t.Fatal(err)
		}
		got, err := programID(exe)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
		}
		if whole := bytes.Equal(got, []byte(c.text)); whole != c.whole || !whole && string(got) != id {
			t.Errorf("%s: %q", c.name, got)
		}
	}
}
