package main

import (
	"image"
	"math"
	"slices"
	"time"

	"github.com/lanes-go/lanes/kernels"
)

// A step is an operator that has run: a picture, and a row of the table.
type step struct {
	name    string
	in, out []int // shapes
	pixels  int   // how many were moved or counted
	took    time.Duration
	result  picture
}

// crop copies the window out of rgb.
func crop(rgb picture, window image.Rectangle) (step, error) {
	spec := inside(window)
	shape, err := kernels.StridedSliceShape(rgb.Shape, spec) // what dst must be
	if err != nil {
		return step{}, err
	}
	dst := blank(shape[0], shape[1])
	took, err := timed(func() error { return kernels.StridedSlice(dst, rgb, spec) })
	return step{"crop", rgb.Shape, dst.Shape, pixels(dst), took, dst}, err
}

// view makes the same crop without a copy: the result is a way to look at
// rgb's own memory, and every operator takes it as it is.
func view(rgb picture, window image.Rectangle) (step, error) {
	var v picture
	took, err := timed(func() (err error) {
		v, err = kernels.SliceView(rgb, inside(window))
		return err
	})
	return step{"view", rgb.Shape, v.Shape, pixels(v), took, v}, err
}

// inside is rgb[top:bottom, left:right]; the colours are left over at the end
// and therefore taken whole.
func inside(window image.Rectangle) kernels.SliceSpec {
	return kernels.SliceSpec{
		Begin: []int64{int64(window.Min.Y), int64(window.Min.X)},
		End:   []int64{int64(window.Max.Y), int64(window.Max.X)},
	}
}

// flip turns RGB into BGR: rgb[..., ::-1], the last axis backwards.
func flip(rgb picture) (step, error) {
	reversed := kernels.SliceSpec{
		Begin:        []int64{0, 0},
		End:          []int64{0, 0},
		Strides:      []int64{1, -1},
		BeginMask:    []bool{false, true}, // from the end of the axis, as the stride is negative
		EndMask:      []bool{false, true},
		EllipsisMask: []bool{true},
	}
	dst := blank(rgb.Shape[0], rgb.Shape[1])
	took, err := timed(func() error { return kernels.StridedSlice(dst, rgb, reversed) })
	return step{"bgr", rgb.Shape, dst.Shape, pixels(rgb), took, dst}, err
}

// focus is YOLO's focus layer: space becomes depth. Each of the four pictures
// that take every second pixel both ways goes into three of twelve channels.
// Odd sizes are rounded up; what no pixel fills stays 0.
func focus(rgb picture) (step, error) {
	h, w := (rgb.Shape[0]+1)/2, (rgb.Shape[1]+1)/2
	dst := kernels.New(make([]uint8, h*w*12), h, w, 12)
	took, err := timed(func() error {
		for i, from := range [][2]int64{{0, 0}, {1, 0}, {0, 1}, {1, 1}} {
			if err := everySecond(dst, int64(3*i), rgb, from[0], from[1]); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return step{}, err
	}
	sheet, err := contactSheet(dst)
	return step{"focus", rgb.Shape, dst.Shape, pixels(rgb), took, sheet}, err
}

// everySecond puts rgb[y::2, x::2] into three channels of dst: the operators
// write into a view as readily as they read from one, so concatenating costs
// no copy of its own.
func everySecond(dst kernels.Tensor[uint8], channel int64, rgb picture, y, x int64) error {
	spec := kernels.SliceSpec{
		Begin:   []int64{y, x},
		End:     []int64{0, 0},
		Strides: []int64{2, 2},
		EndMask: []bool{true, true},
	}
	shape, err := kernels.StridedSliceShape(rgb.Shape, spec)
	if err != nil {
		return err
	}
	part, err := kernels.SliceView(dst, kernels.SliceSpec{
		Begin: []int64{0, 0, channel},
		End:   []int64{int64(shape[0]), int64(shape[1]), channel + 3},
	})
	if err != nil {
		return err
	}
	return kernels.StridedSlice(part, rgb, spec)
}

// contactSheet lays the four pictures of [h, w, 12] out as 2 × 2. Both sides
// are the same bytes seen along (down, y, across, x, colour), so that one copy
// with an empty SliceSpec, which takes everything, does it.
func contactSheet(stack kernels.Tensor[uint8]) (picture, error) {
	h, w := stack.Shape[0], stack.Shape[1]
	sheet := blank(2*h, 2*w)
	shape := []int{2, h, 2, w, 3}
	dst := kernels.New(sheet.Data, shape...)
	src := kernels.Tensor[uint8]{Data: stack.Data, Shape: shape, Strides: []int{3, w * 12, 6, 12, 1}}
	return sheet, kernels.StridedSlice(dst, src, kernels.SliceSpec{})
}

// ripple moves every row to the right by its own distance, with
// GatherElements along the rows: out[y, x, c] = rgb[y, from[y, x, c], c].
// Where x is less than the distance the index is negative and so counts from
// the right end: what leaves the picture there comes in again on the left.
func ripple(rgb picture) (step, error) {
	h, w := rgb.Shape[0], rgb.Shape[1]
	columns := make([]int32, h*w)
	for i := range columns {
		y, x := i/w, i%w
		columns[i] = int32(x - swing(y, w/16))
	}
	// A stride of 0 repeats each index for the three colours.
	from := kernels.Tensor[int32]{Data: columns, Shape: []int{h, w, 3}, Strides: []int{w, 1, 0}}
	dst := blank(h, w)
	took, err := timed(func() error { return kernels.GatherElements(dst, rgb, from, 1) })
	return step{"ripple", from.Shape, dst.Shape, pixels(dst), took, dst}, err
}

// swing is how far row y moves: back and forth between 0 and most, some
// fifty rows a swing.
func swing(y, most int) int {
	return int(float64(most) * (1 + math.Sin(float64(y)/8)) / 2)
}

// recolour paints rgb with 256 colours, 3 bits of red, 3 of green and 2 of
// blue: every index of a pixel fetches a row of the palette.
func recolour(rgb picture) (step, error) {
	h, w := rgb.Shape[0], rgb.Shape[1]
	palette := make([]uint8, 0, 256*3)
	for i := range 256 {
		red, green, blue := i>>5, i>>2&7, i&3
		palette = append(palette, uint8(red*255/7), uint8(green*255/7), uint8(blue*255/3))
	}
	indices := make([]uint8, 0, h*w)
	for p := range slices.Chunk(rgb.Data, 3) {
		red, green, blue := p[0]>>5, p[1]>>5, p[2]>>6
		indices = append(indices, red<<5|green<<2|blue)
	}
	rows, at, dst := kernels.New(palette, 256, 3), kernels.New(indices, h, w, 1), blank(h, w)
	took, err := timed(func() error { return kernels.GatherND(dst, rows, at, 0) })
	return step{"palette", at.Shape, dst.Shape, pixels(dst), took, dst}, err
}

// histogram counts how often each value occurs, one colour at a time. The
// pixels are the indices, and what they add to their bin is always 1: a
// tensor with a stride of 0 over a single number.
func histogram(rgb picture) (step, error) {
	n := pixels(rgb)
	one := kernels.Tensor[uint32]{Data: []uint32{1}, Shape: []int{n}, Strides: []int{0}}
	zeros := kernels.New(make([]uint32, 256), 256)
	counts := kernels.New(make([]uint32, 3*256), 3, 256)
	took, err := timed(func() error {
		for c := range 3 {
			bins := kernels.New(counts.Data[c*256:][:256], 256)
			values := kernels.Tensor[uint8]{Data: rgb.Data, Shape: []int{n}, Strides: []int{3}, Offset: c}
			err := kernels.ScatterElementsUpdate(bins, zeros, values, one, 0, kernels.ScatterAttrs{Reduction: kernels.Sum})
			if err != nil {
				return err
			}
		}
		return nil
	})
	return step{"histogram", rgb.Shape, counts.Shape, n, took, chart(counts.Data)}, err
}

// chart draws three times 256 counts as bars of light, one over the other:
// yellow is where red and green are, white where all three are. Heights go by
// the square root, which keeps rare values in sight.
func chart(counts []uint32) picture {
	const height = 128
	most := max(1, slices.Max(counts))
	p := blank(height, 256)
	for i, n := range counts {
		colour, value := i/256, i%256
		bar := int(math.Ceil(height * math.Sqrt(float64(n)/float64(most))))
		for y := height - bar; y < height; y++ {
			p.Data[(y*256+value)*3+colour] = 255
		}
	}
	return p
}

// timed runs op a few times and returns the shortest, since the first run
// also pays for untouched memory and cold caches.
func timed(op func() error) (time.Duration, error) {
	best := time.Duration(math.MaxInt64)
	for range 5 {
		start := time.Now()
		if err := op(); err != nil {
			return 0, err
		}
		best = min(best, time.Since(start))
	}
	return best, nil
}
