package lanes

// Copy sets dst(i, j) = src(i, j) for every i < rows and j < cols.
func Copy[T Elem](dst, src Plane[T], rows, cols int) {
	selectCopy(dst, src, rows, cols)
}
