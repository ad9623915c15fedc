package kernels

// copyView copies data to dst of the same shape. updated says that dst is updated next, so that it
// should stay in the caches.
func copyView(s settings, e *elem, dst, data *view, updated bool) {
	copyParts(s, e, dst, dst, data, data, updated)
}

// clearView sets dst to zeros. It returns nil, as the error of a gather whose indices name nothing.
func clearView(e *elem, dst *view) error {
	if dst.count == 0 || e.size == 0 {
		return nil
	}
	c := call{elem: *e}
	c.dst, c.at.dst = e.memory(dst)
	loops := c.array[:0]
	for d, n := range dst.shape {
		loops = add(loops, n, dst.stride(d)*e.units, 0, 0)
	}
	c.set(pad(collapse(e.addUnits(loops)), 1))
	run := c.last(1)
	c.each(1, func(at position) bool {
		c.clear(at.dst, []int{0}, run)
		return true
	})
	return nil
}

// copyParts is copyView for checked parts: to of dst, and from of data. Their shapes and strides may
// be on the stack: other goroutines get only the memory, by way of dst and data.
func copyParts(s settings, e *elem, dst, to, data, from *view, updated bool) {
	dst.offset, dst.lo, dst.hi, dst.count = to.offset, to.lo, to.hi, to.count
	data.offset, data.lo, data.hi, data.count = from.offset, from.lo, from.hi, from.count
	if to.count == 0 || e.size == 0 {
		return
	}
	c := call{work: copyWork, elem: *e, settings: s}
	c.operands(dst, data, nil)
	loops := c.array[:0]
	if to.contiguous() && from.contiguous() {
		loops = add(loops, to.count, e.units, e.units, 0)
	} else {
		for d, n := range to.shape {
			loops = add(loops, n, to.stride(d)*e.units, from.stride(d)*e.units, 0)
		}
	}
	loops = e.addUnits(loops)
	if !to.contiguous() {
		loops = sequential(loops, &c.at)
	}
	c.copyLoops(loops)
	c.small = c.isSmall(to.count)
	c.stream = !updated && c.streams(to.count)
	c.runCopy()
}

// dense copies a table that is transposed to a buffer, row-major, if rows of it are gathered, count
// elements in all, and the table has no more. It returns the buffer, which the caller puts back to
// buffers after the call, or nil if it changed nothing.
func (v *view) dense(s settings, e *elem, count int) (buffer *[]uint64) {
	if e.refs != nil || count < leastTurned || v.count > count || !v.transposed() {
		return nil
	}
	last := len(v.shape) - 1
	for v.shape[last] == 1 { // an axis before is longer: the view is transposed
		last--
	}
	if s := v.strides[last]; s == 1 || s == -1 { // its rows are dense as they are
		return nil
	}
	buffer, memory := bufferFor(v.count*e.units, e.kind)
	table, from := *v, *v
	table.ptr, table.len, table.strides, table.offset, table.lo, table.hi = memory.Ptr, v.count, nil, 0, 0, v.count-1
	copyParts(s, e, &table, &table, &from, &from, true)
	*v = table
	return buffer
}
