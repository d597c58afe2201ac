package verdict

// worthAnotherCore is for how many orders or lines on another core is asked to help: for fewer, waking it takes longer than it saves.
var worthAnotherCore = 1 << 13 // tests make it smaller

// AtOnce runs first and n calls of other at the same time, and returns when all have
// ended. A panic of another becomes one of the caller, which answers for it.
func AtOnce(first func(), n int, other func(i int)) {
	panicked := make(chan any, n)
	for i := range n {
		go func() {
			defer func() { panicked <- recover() }()
			other(i)
		}()
	}
	defer func() {
		var with any
		for range n {
			if p := <-panicked; p != nil {
				with = p
			}
		}
		if with != nil {
			panic(with)
		}
	}()
	first()
}

// inHalves calls do for the places from 0 to n, in two halves at the same time if they are many. do captures nothing, so that a
// small run allocates nothing for it.
func inHalves[T any](of *T, n int, do func(of *T, half, from, to int)) {
	if n < worthAnotherCore {
		do(of, 0, 0, n)
		return
	}
	AtOnce(func() { do(of, 0, 0, n/2) }, 1, func(int) { do(of, 1, n/2, n) })
}
