package kernels

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
	n := p.partOf(i)
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
	n := p.partOf(i)
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
