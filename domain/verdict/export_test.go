package verdict

// UseAnotherCore makes runs of two orders or lines and more use another core, until back is called.
func UseAnotherCore() (back func()) {
	before := worthAnotherCore
	worthAnotherCore = 2
	return func() { worthAnotherCore = before }
}
