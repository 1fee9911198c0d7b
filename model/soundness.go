package model

// An Assumption is a numbered assumption or unsoundness of the analysis; the
// page doc/soundness.md explains each. Code cites them by name, reports and
// notices by number.
type Assumption struct {
	Number string // "S7"
	Name   string // "no-wrap"
}

// Soundness lists the assumptions. Numbers are never reused.
var Soundness = []Assumption{
	{"S1", "roots-apart"},
	{"S2", "many-objects"},
	{"S3", "symbolic-distinct"},
	{"S4", "no-body"},
	{"S5", "symbolic-opaque"},
	{"S6", "opaque-results"},
	{"S7", "no-wrap"},
	{"S8", "loop-terminates"},
	{"S9", "float-range"},
	{"S10", "table-monotone"},
	{"S11", "table-injective"},
	{"S12", "call-injective"},
	{"S13", "unique-channel-items"},
	{"S14", "counter-only-adds"},
	{"S15", "huge-types"},
	{"S16", "unsafe"},
	{"S17", "reflection"},
	{"S18", "deep-reads"},
	{"S19", "budget"},
	{"S20", "instruction"},
	{"S21", "many-spawns"},
	{"S22", "recover"},
	{"S23", "pairs-bounded"},
	{"S24", "model"},
	{"S25", "return-order"},
	{"S26", "stable-base"},
	{"S27", "owner-lock"},
	{"S28", "sent-once"},
	{"S29", "inner-results"},
	{"S30", "handed-on"},
	{"S31", "far-main"},
	{"S32", "row-stride"},
	{"S33", "rows-distinct"},
	{"S34", "closure-frame"},
	{"S35", "assigned-once"},
	{"S36", "cond-l"},
	{"S37", "set-once"},
	{"S38", "no-self-deadlock"},
	{"S39", "hand-over"},
	{"S40", "closed-view"},
	{"S41", "flag-initial"},
	{"S42", "panic-paths"},
	{"S43", "recursion-locks"},
	{"S44", "birth"},
	{"S45", "told-before"},
	{"S46", "retained-streams"},
	{"S47", "pool-values"},
	{"S48", "implementers"},
	{"S49", "literals"},
	{"S50", "pattern-clients"},
	{"S51", "unknown-subtest"},
	{"S52", "timer-stop"},
	{"S53", "receiver-owns"},
	{"S54", "nearest-roots"},
	{"S55", "within-length"},
	{"S56", "ignored-outcome"},
	{"S57", "deep-cone"},
	{"S58", "copies-bounded"},
	{"S59", "rows-apart"},
	{"S60", "generic-body"},
	{"S61", "once-reset"},
	{"S62", "unknown-callee"},
	{"S63", "init-on-demand"},
	{"S64", "generic-imports"},
	{"S65", "sole-owner"},
	{"S66", "tenure"},
	{"S67", "library-internals"},
	{"S68", "context-values"},
	{"S69", "swapped-apart"},
	{"S70", "nowhere-lock"},
	{"S71", "operators"},
	{"S72", "constant-bytes"},
	{"S73", "answered"},
	{"S74", "entries-bounded"},
	{"S75", "taken-whole"},
	{"S76", "left-out"},
	{"S103", "lockers"},
	{"S77", "half-locked"},
	{"S78", "all-slots"},
	{"S79", "write-mode"},
	{"S100", "own-marks"},
	{"S80", "travels"},
	{"S81", "counted"},
	{"S82", "far-way"},
	{"S83", "registered"},
	{"S84", "round-order"},
	{"S85", "round-starts"},
	{"S86", "set-before"},
	{"S87", "many-places"},
	{"S89", "within-range"},
	{"S90", "never-returns"},
	{"S91", "one-asker"},
	{"S92", "own-receiver"},
	{"S93", "one-client"},
	{"S94", "failed-test"},
	{"S95", "whole-list"},
	{"S96", "last-out"},
	{"S97", "many-clients"},
	{"S98", "begin-and-end"},
	{"S99", "documented-alone"},
}

// SoundnessNumber returns the number of an assumption, or the name itself if
// it has none.
func SoundnessNumber(name string) string {
	for _, a := range Soundness {
		if a.Name == name || a.Number == name {
			return a.Number
		}
	}
	return name
}
