package index

// body returns the function's code, or nil for a nil function.
func (f *Func) body() *code {
	if f == nil {
		return nil
	}
	return f.code
}
