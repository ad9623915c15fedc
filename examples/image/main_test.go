package main

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/color/palette"
	"image/jpeg"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// inputs are files of every kind and awkward size, by name.
func inputs(t *testing.T) map[string][]byte {
	files := map[string][]byte{"sample": sample}
	add := func(name string, img image.Image) {
		var file bytes.Buffer
		require.NoError(t, png.Encode(&file, img))
		files[name] = file.Bytes()
	}
	add("1x1", scribble(image.NewRGBA(image.Rect(0, 0, 1, 1))))
	add("column", scribble(image.NewRGBA(image.Rect(0, 0, 1, 6))))
	add("row", scribble(image.NewRGBA(image.Rect(0, 0, 7, 1))))
	add("odd", scribble(image.NewRGBA(image.Rect(0, 0, 37, 71))))
	add("oddHeight", scribble(image.NewRGBA(image.Rect(0, 0, 18, 5))))
	add("grey", scribble(image.NewGray(image.Rect(0, 0, 33, 8))))
	add("alpha", scribble(image.NewNRGBA(image.Rect(0, 0, 34, 9))))
	add("16bit", scribble(image.NewNRGBA64(image.Rect(0, 0, 35, 10))))
	add("16bitGrey", scribble(image.NewGray16(image.Rect(0, 0, 3, 4))))
	add("paletted", scribble(image.NewPaletted(image.Rect(0, 0, 36, 11), palette.WebSafe)))
	add("palettedAlpha", scribble(image.NewPaletted(image.Rect(0, 0, 5, 5), color.Palette{color.Transparent, color.White, color.Black})))
	for name, img := range map[string]image.Image{
		"jpeg":     scribble(image.NewRGBA(image.Rect(0, 0, 37, 19))),
		"jpegGrey": scribble(image.NewGray(image.Rect(0, 0, 9, 1))),
	} {
		var file bytes.Buffer
		require.NoError(t, jpeg.Encode(&file, img, nil))
		files[name] = file.Bytes()
	}
	return files
}

// scribble gives every pixel of img a colour and an opacity of its own.
func scribble[I interface {
	image.Image
	Set(x, y int, c color.Color)
}](img I) I {
	b := img.Bounds()
	for y := range b.Dy() {
		for x := range b.Dx() {
			img.Set(x, y, color.NRGBA{uint8(37*x + 11*y), uint8(5*x + 101*y + 9), uint8(x*x + 3*y), uint8(255 - 20*(x%7))})
		}
	}
	return img
}

// paint is a picture's bytes in order, stated pixel by pixel.
func paint(h, w int, at func(y, x, c int) uint8) []uint8 {
	data := []uint8{}
	for y := range h {
		for x := range w {
			for c := range 3 {
				data = append(data, at(y, x, c))
			}
		}
	}
	return data
}

// at is one element of p.
func at(p picture, y, x, c int) uint8 {
	strides := p.Strides
	if len(strides) == 0 {
		strides = []int{p.Shape[1] * 3, 3, 1}
	}
	return p.Data[p.Offset+y*strides[0]+x*strides[1]+c*strides[2]]
}

func bytesOf(p picture) []uint8 {
	return paint(p.Shape[0], p.Shape[1], func(y, x, c int) uint8 { return at(p, y, x, c) })
}

func TestDecode(t *testing.T) {
	for name, file := range inputs(t) {
		t.Run(name, func(t *testing.T) {
			img, _, err := image.Decode(bytes.NewReader(file))
			require.NoError(t, err)
			size := img.Bounds().Size()

			got, err := decode(bytes.NewReader(file))
			require.NoError(t, err)
			require.Equal(t, []int{size.Y, size.X, 3}, got.Shape)
			for y := range size.Y {
				for x := range size.X {
					r, g, b, a := img.At(x, y).RGBA()
					white, off := 0xffff-a, 0.0
					if white != 0 {
						off = 1 // image/draw rounds a blend in its own way
					}
					for c, v := range []uint32{r, g, b} {
						require.InDelta(t, (v+white)>>8, at(got, y, x, c), off, "at (%d, %d, %d)", y, x, c)
					}
				}
			}
		})
	}
}

func TestSteps(t *testing.T) {
	for name, file := range inputs(t) {
		t.Run(name, func(t *testing.T) {
			rgb, err := decode(bytes.NewReader(file))
			require.NoError(t, err)
			h, w := rgb.Shape[0], rgb.Shape[1]
			before := bytesOf(rgb)

			middle, err := options{}.window(h, w)
			require.NoError(t, err)
			for _, window := range []image.Rectangle{middle, image.Rect(0, 0, w, h), image.Rect(w-1, h-1, w, h)} {
				size := window.Size()
				want := paint(size.Y, size.X, func(y, x, c int) uint8 { return at(rgb, window.Min.Y+y, window.Min.X+x, c) })
				cropped, err := crop(rgb, window)
				verify(t, cropped, err, size.Y, size.X, want)
				viewed, err := view(rgb, window)
				verify(t, viewed, err, size.Y, size.X, want)

				first := &rgb.Data[(window.Min.Y*w+window.Min.X)*3]
				*first ^= 0xff
				assert.Equal(t, *first, at(viewed.result, 0, 0, 0), "a view must share the memory")
				assert.NotEqual(t, *first, at(cropped.result, 0, 0, 0), "a copy must not")
				*first ^= 0xff
			}

			s, err := flip(rgb)
			verify(t, s, err, h, w, paint(h, w, func(y, x, c int) uint8 { return at(rgb, y, x, 2-c) }))

			s, err = focus(rgb)
			halfH, halfW := (h+1)/2, (w+1)/2
			assert.Equal(t, []int{halfH, halfW, 12}, s.out)
			verify(t, s, err, 2*halfH, 2*halfW, paint(2*halfH, 2*halfW, func(y, x, c int) uint8 {
				y, x = y%halfH*2+y/halfH, x%halfW*2+x/halfW
				if y >= h || x >= w {
					return 0
				}
				return at(rgb, y, x, c)
			}))

			s, err = ripple(rgb)
			verify(t, s, err, h, w, paint(h, w, func(y, x, c int) uint8 { return at(rgb, y, (x+w-swing(y, w/16))%w, c) }))

			s, err = recolour(rgb)
			verify(t, s, err, h, w, paint(h, w, func(y, x, c int) uint8 {
				steps := []int{8, 8, 4}[c] // the shades of a colour, dark to light
				return uint8(int(at(rgb, y, x, c)) * steps / 256 * 255 / (steps - 1))
			}))

			s, err = histogram(rgb)
			counts := make([]uint32, 3*256)
			for i, v := range rgb.Data {
				counts[i%3*256+int(v)]++
			}
			verify(t, s, err, 128, 256, bytesOf(chart(counts)))

			assert.Equal(t, before, bytesOf(rgb), "the input must stay as it is")
		})
	}
}

func verify(t *testing.T, s step, err error, h, w int, want []uint8) {
	t.Helper()
	require.NoError(t, err)
	require.Equal(t, []int{h, w, 3}, s.result.Shape, s.name)
	if got := bytesOf(s.result); !bytes.Equal(want, got) { // a diff of whole pictures helps nobody
		i := 0
		for want[i] == got[i] {
			i++
		}
		require.Equal(t, want[i], got[i], "%s at (%d, %d, %d)", s.name, i/3/w, i/3%w, i%3)
	}
}

func TestSwingStaysInside(t *testing.T) {
	for y := range 1000 {
		for _, most := range []int{0, 1, 20} {
			require.True(t, 0 <= swing(y, most) && swing(y, most) <= most, "swing(%d, %d)", y, most)
		}
	}
}

func TestChart(t *testing.T) {
	counts := make([]uint32, 3*256)
	counts[7], counts[256+9], counts[512+255] = 400, 100, 1
	p := chart(counts)
	height := func(value, colour int) (n int) {
		for y := range p.Shape[0] {
			n += int(at(p, y, value, colour)) / 255
		}
		return n
	}
	assert.Equal(t, 128, height(7, 0), "the largest count")
	assert.Equal(t, 64, height(9, 1), "a quarter of it")
	assert.Equal(t, 7, height(255, 2), "one is not nothing")
	assert.Zero(t, height(8, 0))
	assert.EqualValues(t, 255, at(p, 127, 7, 0), "bars stand on the bottom")
}

// TestSample keeps sample.png what sample.go draws; go generate mends it.
func TestSample(t *testing.T) {
	name := filepath.Join(t.TempDir(), "drawn.png")
	status, _, complaint := try(t, "-make-sample", name)
	require.Zero(t, status, complaint)
	drawn, err := load(name)
	require.NoError(t, err)
	embedded, err := load("")
	require.NoError(t, err)
	assert.Equal(t, drawn.Shape, embedded.Shape)
	assert.True(t, bytes.Equal(drawn.Data, embedded.Data), "sample.png is stale: run go generate")
	assert.True(t, bytes.Equal(drawSample().Data, embedded.Data))
	assert.Less(t, len(sample), 60_000)
}

// try runs the program.
func try(t *testing.T, args ...string) (status int, out, complaint string) {
	t.Helper()
	var stdout, stderr strings.Builder
	require.NotPanics(t, func() { status = run(args, &stdout, &stderr) })
	return status, stdout.String(), stderr.String()
}

func write(t *testing.T, file []byte) string {
	name := filepath.Join(t.TempDir(), "input")
	require.NoError(t, os.WriteFile(name, file, 0o666))
	return name
}

func TestProgram(t *testing.T) {
	for name, file := range inputs(t) {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new", "folder")
			status, out, complaint := try(t, "-in", write(t, file), "-out", dir)
			require.Zero(t, status, complaint)
			assert.Empty(t, complaint)
			assert.Contains(t, out, dir)

			rows := strings.Split(out, "\n")
			for i, name := range []string{"crop", "view", "bgr", "focus", "ripple", "palette", "histogram"} {
				assert.Regexp(t, `^`+name+` +[\d×]+ +→ [\d×]+ +[\d.]+ +[\d.]+$`, rows[i+1])
				_, err := load(filepath.Join(dir, name+".png"))
				assert.NoError(t, err)
			}
			cropped, err := os.ReadFile(filepath.Join(dir, "crop.png"))
			require.NoError(t, err)
			viewed, err := os.ReadFile(filepath.Join(dir, "view.png"))
			require.NoError(t, err)
			assert.True(t, bytes.Equal(cropped, viewed))
		})
	}
	t.Run("unasked", func(t *testing.T) {
		t.Chdir(t.TempDir())
		status, out, complaint := try(t)
		require.Zero(t, status, complaint)
		assert.Contains(t, out, "240×320×3     → 120×160×3")
		drawn, err := load(filepath.Join("out", "bgr.png"))
		require.NoError(t, err)
		s, err := flip(drawSample())
		verify(t, s, err, 240, 320, drawn.Data)
	})
	t.Run("help", func(t *testing.T) {
		status, out, complaint := try(t, "-h")
		assert.Zero(t, status)
		assert.Contains(t, out, "-crop x,y,w,h")
		assert.Empty(t, complaint)
	})
}

func TestCrop(t *testing.T) {
	for _, c := range []struct {
		crop string
		want image.Rectangle // on a picture 320 wide and 240 high
	}{
		{"0,0,320,240", image.Rect(0, 0, 320, 240)},
		{"10,20,30,40", image.Rect(10, 20, 40, 60)},
		{" 10, 20, 30, 40", image.Rect(10, 20, 40, 60)},
		{"-10,-20,30,40", image.Rect(0, 0, 20, 20)},
		{"300,200,1000,1000", image.Rect(300, 200, 320, 240)},
		{"319,239,1073741823,1073741823", image.Rect(319, 239, 320, 240)},
		{"-1073741823,0,1073741823,9", image.Rectangle{}},
		{"320,0,1,1", image.Rectangle{}},
		{"0,240,1,1", image.Rectangle{}},
	} {
		t.Run(c.crop, func(t *testing.T) {
			o, err := parse([]string{"-crop", c.crop}, io.Discard)
			require.NoError(t, err)
			got, err := o.window(240, 320)
			if c.want.Empty() {
				assert.ErrorContains(t, err, "takes nothing of a picture 320 wide and 240 high")
				return
			}
			assert.NoError(t, err)
			assert.Equal(t, c.want, got)
		})
	}
}

// header is a PNG that says how large it is, and no more.
func header(width, height uint32) []byte {
	chunk := []byte("IHDR")
	chunk = binary.BigEndian.AppendUint32(chunk, width)
	chunk = binary.BigEndian.AppendUint32(chunk, height)
	chunk = append(chunk, 8, 2, 0, 0, 0) // 8 bits, RGB
	file := append([]byte("\x89PNG\r\n\x1a\n"), 0, 0, 0, 13)
	file = append(file, chunk...)
	return binary.BigEndian.AppendUint32(file, crc32.ChecksumIEEE(chunk))
}

func TestBadInput(t *testing.T) {
	folder := t.TempDir()
	files := inputs(t)
	for _, c := range []struct {
		name string
		args []string
		want string
	}{
		{"missing", []string{"-in", filepath.Join(folder, "none.png")}, "none.png"},
		{"folder", []string{"-in", folder}, "neither PNG nor JPEG"},
		{"empty", []string{"-in", write(t, nil)}, "neither PNG nor JPEG"},
		{"text", []string{"-in", write(t, []byte("once upon a time"))}, "neither PNG nor JPEG"},
		{"gif", []string{"-in", write(t, []byte("GIF89a\x01\x00\x01\x00\x00\x00\x00;"))}, "neither PNG nor JPEG"},
		{"signature", []string{"-in", write(t, []byte("\x89PNG\r\n\x1a\n"))}, "damaged picture"},
		{"cutPNG", []string{"-in", write(t, sample[:len(sample)/2])}, "damaged picture"},
		{"cutJPEG", []string{"-in", write(t, files["jpeg"][:300])}, "damaged picture"},
		{"headerAlone", []string{"-in", write(t, header(3, 3))}, "damaged picture"},
		{"huge", []string{"-in", write(t, header(8193, 8192))}, "8193 × 8192 is outside 1 … 67108864 pixels"},
		{"wide", []string{"-in", write(t, header(1<<27, 1))}, "outside"},
		{"hugest", []string{"-in", write(t, header(1<<31-1, 1<<31-1))}, ""}, // the decoder may object first
		{"noWidth", []string{"-in", write(t, header(0, 9))}, "damaged picture"},
		{"cropOutside", []string{"-crop", "320,0,5,5"}, "-crop 320,0,5,5 takes nothing of a picture 320 wide and 240 high"},
		{"cropEmpty", []string{"-crop", "1,1,0,5"}, "w and h must be positive"},
		{"cropNegative", []string{"-crop", "1,1,5,-5"}, "w and h must be positive"},
		{"cropShort", []string{"-crop", "1,1,5"}, "want x,y,w,h"},
		{"cropWords", []string{"-crop", "a,b,c,d"}, "want x,y,w,h"},
		{"cropOverflow", []string{"-crop", "1,1,9223372036854775807,1"}, "want x,y,w,h"},
		{"flag", []string{"-colour"}, "-colour"},
		{"argument", []string{"photo.jpg"}, `unexpected argument "photo.jpg"`},
		{"outIsFile", []string{"-out", write(t, nil)}, "input"},
		{"outBelowFile", []string{"-out", filepath.Join(write(t, nil), "deeper")}, "input"},
		{"sampleNowhere", []string{"-make-sample", filepath.Join(folder, "none", "sample.png")}, "sample.png"},
	} {
		t.Run(c.name, func(t *testing.T) {
			args := c.args
			if c.args[0] != "-out" {
				args = append([]string{"-out", filepath.Join(folder, "out")}, args...)
			}
			status, out, complaint := try(t, args...)
			assert.Equal(t, 1, status)
			assert.Empty(t, out)
			assert.Regexp(t, `^image: [^\n]+\n$`, complaint)
			assert.Contains(t, complaint, c.want)
			assert.NoDirExists(t, filepath.Join(folder, "out"), "nothing to show, nothing made")
		})
	}

	t.Run("unwritable", func(t *testing.T) {
		dir := t.TempDir()
		require.NoError(t, os.Mkdir(filepath.Join(dir, "focus.png"), 0o777))
		status, out, complaint := try(t, "-out", dir)
		assert.Equal(t, 1, status)
		assert.Regexp(t, `^image: [^\n]+focus\.png[^\n]+\n$`, complaint)
		assert.Contains(t, out, "bgr ")
		assert.NotContains(t, out, "ripple")
	})
	t.Run("closedOutput", func(t *testing.T) {
		var stderr strings.Builder
		status := run([]string{"-out", t.TempDir()}, closed{}, &stderr)
		assert.Equal(t, 1, status)
		assert.Equal(t, "image: closed\n", stderr.String())
	})
}

type closed struct{}

func (closed) Write([]byte) (int, error) { return 0, errors.New("closed") }
