package kernels

// copyView copies data to dst of the same shape. updated says that dst is updated next, so that it
// should stay in the caches.
func copyView(s settings, e *elem, dst, data *view, updated bool) {
	copyPartView(s, e, dst, data, data, updated)
}

// copyPartView is copyView for a checked part of data. The shape and strides of part may be on the
// stack: other goroutines get only the memory, by way of data.
func copyPartView(s settings, e *elem, dst, data, part *view, updated bool) {
	data.offset, data.lo, data.hi, data.count = part.offset, part.lo, part.hi, part.count
	if dst.count == 0 || e.size == 0 {
		return
	}
	c := call{work: copyWork, elem: *e, settings: s}
	c.operands(dst, data, nil)
	c.stream = !updated && c.streams()
	loops := c.array[:0]
	for d, n := range dst.shape {
		loops = add(loops, n, dst.stride(d)*e.units, part.stride(d)*e.units, 0)
	}
	loops = e.addUnits(loops)
	if !dst.contiguous() {
		sequential(loops, &c.at)
	}
	c.set(pad(collapse(loops), 2))
	c.small = c.isSmall(dst.count)
	c.run()
}
