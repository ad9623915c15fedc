package generic

// SliceScatter defines kernels.SliceScatter: dst is data, with updates where
// StridedSlice would read; see Slice.read.
func SliceScatter[T any](dst []T, dv View, data []T, sv View, updates []T, uv View, s Slice) error {
	shape, axes, err := s.read(sv.Shape)
	if err != nil {
		return err
	}
	for c := range Coordinates(sv.Shape) {
		dst[dv.Address(c)] = data[sv.Address(c)]
	}
	for c := range Coordinates(shape) {
		dst[dv.Address(read(axes, c))] = updates[uv.Address(c)]
	}
	return nil
}
