package kernels

// cost estimates what the call takes on one core, in ns, by dispatch.Costs.
func (c *call) cost() int {
	var ns float64
	switch c.work {
	case copyWork:
		ns = c.copyCost()
	case gatherWork:
		ns = c.gatherCost()
	case scatterWork:
		ns = c.scatterCost()
	case maskWork:
		ns = c.maskCost()
	case bagWork:
		ns = c.bagCost()
	case checkWork, equalWork:
		ns = c.checkCost()
	}
	return int(min(ns, 1<<30)) // fits an int of 32 bits, and exceeds every threshold
}

// split returns how to cut the call for its workers, into so many parts or fewer. One part means
// that it cannot be cut.
func (c *call) split(parts int) split {
	switch c.work {
	case gatherWork:
		return c.splitGather(parts)
	case scatterWork:
		return c.splitScatter(parts)
	case maskWork:
		return c.splitMask(parts)
	case bagWork:
		return c.splitBags(parts)
	case equalWork: // a row is compared whole
		return c.splitLoop(c.longest(0, len(c.loops())-1, false), parts)
	}
	return c.splitCopy(parts)
}

// moved returns how many elements the call moves, -1 if it only reads indices.
func (c *call) moved() int {
	switch c.work {
	case maskWork:
		return c.chosenElements()
	case checkWork, equalWork:
		return -1
	}
	return c.steps()
}

// Each kind of pass has its own function that runs a call, and one that runs a part of a call that
// several goroutines share. They report whether every index was in range. With one function for
// all, which chooses by the call's work, a program with one operator would link all passes and
// their bodies, and be 0.7 MB larger. A function value for the work would move each call to the
// heap, because the compiler does not see what becomes of its arguments; passes of several
// goroutines are there anyway.

func (c *call) runCopy() {
	switch s := c.cut(); {
	case s.parts > 1:
		c.spread(s, copyShare)
		return
	case c.entered:
		defer helpers.leave()
	}
	c.copy(&c.nest)
}

func copyShare(p *pass, i int) bool {
	n := p.partOf(i)
	p.copy(&n)
	return true
}

func (c *call) runGather() bool {
	switch s := c.cut(); {
	case s.parts > 1:
		return c.spread(s, gatherShare)
	case c.entered:
		defer helpers.leave()
	}
	return c.gather(&c.nest)
}

func gatherShare(p *pass, i int) bool {
	n := p.partOf(i)
	return p.gather(&n)
}

func (c *call) runScatter() bool {
	switch s := c.cut(); {
	case s.parts > 1:
		return c.spread(s, scatterShare)
	case c.entered:
		defer helpers.leave()
	}
	return c.scatter(&c.nest)
}

func scatterShare(p *pass, i int) bool {
	n := p.scatterPart(i)
	return p.scatter(&n)
}

func (c *call) runMask() {
	switch s := c.cut(); {
	case s.parts > 1:
		c.spread(s, maskShare)
		return
	case c.entered:
		defer helpers.leave()
	}
	c.masked(&c.nest)
}

func maskShare(p *pass, i int) bool {
	n := p.maskPart(i)
	p.masked(&n)
	return true
}

func (c *call) runBags() bool {
	switch s := c.cut(); {
	case s.parts > 1:
		return c.spread(s, bagsShare)
	case c.entered:
		defer helpers.leave()
	}
	return c.reduceBags(&c.nest)
}

func bagsShare(p *pass, i int) bool {
	n := p.partOf(i)
	return p.reduceBags(&n)
}

func (c *call) runCheck() bool {
	switch s := c.cut(); {
	case s.parts > 1:
		return c.spread(s, checkShare)
	case c.entered:
		defer helpers.leave()
	}
	return c.check(&c.nest)
}

func checkShare(p *pass, i int) bool {
	n := p.partOf(i)
	return p.check(&n)
}

func (c *call) runEqual() bool {
	switch s := c.cut(); {
	case s.parts > 1:
		return c.spread(s, equalShare)
	case c.entered:
		defer helpers.leave()
	}
	return c.keepEqual(&c.nest)
}

func equalShare(p *pass, i int) bool {
	n := p.partOf(i)
	return p.keepEqual(&n)
}
