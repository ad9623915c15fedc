package main

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"image"
	"image/draw"
	_ "image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/lanes-go/lanes/kernels"
)

// A picture is a tensor [height, width, 3] of bytes: red, green, blue.
type picture = kernels.Tensor[uint8]

// blank returns a contiguous picture, all black.
func blank(h, w int) picture { return kernels.New(make([]uint8, h*w*3), h, w, 3) }

func pixels(p picture) int { return p.Shape[0] * p.Shape[1] }

//go:embed sample.png
var sample []byte

// load reads a PNG or JPEG file, or the sample when name is empty.
func load(name string) (picture, error) {
	if name == "" {
		return decode(bytes.NewReader(sample))
	}
	f, err := os.Open(name)
	if err != nil {
		return picture{}, err
	}
	defer f.Close()
	p, err := decode(f)
	if err != nil {
		return picture{}, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

// maxPixels bounds the memory that a file can ask for: its header is believed
// only up to here.
const maxPixels = 64 << 20

func decode(r io.Reader) (picture, error) {
	var header bytes.Buffer
	config, _, err := image.DecodeConfig(io.TeeReader(r, &header))
	if errors.Is(err, image.ErrFormat) {
		return picture{}, errors.New("neither PNG nor JPEG")
	}
	if err != nil {
		return picture{}, fmt.Errorf("damaged picture: %w", err)
	}
	if n := int64(config.Width) * int64(config.Height); n <= 0 || n > maxPixels {
		return picture{}, fmt.Errorf("%d × %d is outside 1 … %d pixels", config.Width, config.Height, maxPixels)
	}
	img, _, err := image.Decode(io.MultiReader(&header, r))
	if err != nil {
		return picture{}, fmt.Errorf("damaged picture: %w", err)
	}
	return fromImage(img)
}

// fromImage packs the colours of img, on white where it is transparent.
func fromImage(img image.Image) (picture, error) {
	size := img.Bounds().Size()
	canvas := whiteCanvas(size.Y, size.X)
	draw.Draw(canvas, canvas.Rect, img, img.Bounds().Min, draw.Over)
	rgb, err := colours(canvas)
	if err != nil {
		return picture{}, err
	}
	packed := blank(size.Y, size.X)
	return packed, kernels.StridedSlice(packed, rgb, kernels.SliceSpec{})
}

// save writes p, which may be any view, as a PNG file.
func save(name string, p picture) error {
	canvas := whiteCanvas(p.Shape[0], p.Shape[1])
	rgb, err := colours(canvas)
	if err != nil {
		return err
	}
	if err := kernels.StridedSlice(rgb, p, kernels.SliceSpec{}); err != nil {
		return err
	}
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := encoder.Encode(f, canvas); err != nil {
		f.Close()
		return err
	}
	return f.Close()
}

func whiteCanvas(h, w int) *image.RGBA {
	canvas := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.Draw(canvas, canvas.Rect, image.White, image.Point{}, draw.Src)
	return canvas
}

// colours is canvas[..., :3]: the canvas without its alpha, as a picture that
// shares its memory, to read from or to write to.
func colours(canvas *image.RGBA) (picture, error) {
	size := canvas.Rect.Size()
	rgba := kernels.Tensor[uint8]{Data: canvas.Pix, Shape: []int{size.Y, size.X, 4}, Strides: []int{canvas.Stride, 4, 1}}
	return kernels.SliceView(rgba, kernels.SliceSpec{
		Begin:        []int64{0, 0},
		End:          []int64{0, 3},
		EllipsisMask: []bool{true},
	})
}

// An album is a folder of pictures, and the table that says how they were made.
type album struct {
	dir   string
	table io.Writer
	err   error // the first one
}

func newAlbum(dir string, table io.Writer) (*album, error) {
	dir, err := filepath.Abs(dir) // so that the table's last line says where to look
	if err != nil {
		return nil, err
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(table, "%-10s%-14s  %-14s%10s%10s\n", "step", "shape in", "shape out", "µs", "ns/pixel")
	return &album{dir, table, err}, err
}

// add saves a step's picture and prints its row, unless something has failed.
func (a *album) add(s step, err error) {
	if a.err == nil {
		a.err = err
	}
	if a.err == nil {
		a.err = save(filepath.Join(a.dir, s.name+".png"), s.result)
	}
	if a.err == nil {
		ns := float64(s.took.Nanoseconds())
		_, a.err = fmt.Fprintf(a.table, "%-10s%-14s→ %-14s%10.1f%10.2f\n", s.name, dims(s.in), dims(s.out), ns/1000, ns/float64(s.pixels))
	}
}

// close says where the pictures are, or what went wrong first.
func (a *album) close() error {
	if a.err == nil {
		_, a.err = fmt.Fprintf(a.table, "\npictures in %s\n", a.dir)
	}
	return a.err
}

// dims writes a shape as 240×320×3.
func dims(shape []int) string {
	text := make([]string, len(shape))
	for i, d := range shape {
		text[i] = strconv.Itoa(d)
	}
	return strings.Join(text, "×")
}
