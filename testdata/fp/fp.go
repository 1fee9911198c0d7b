// Package fp holds programs without races that are reported today, with the
// reason. When one falls silent its test fails, and it moves to its topic.
package fp

const n = 10
