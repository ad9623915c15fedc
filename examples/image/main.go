// Command image shows the operators at work on a picture: it crops, flips,
// subsamples, bends, recolours and counts the pixels of a PNG or JPEG, saves
// what comes out as PNG files, and prints how long each step took.
//
//	go run ./examples/image
//	go run ./examples/image -in photo.jpg -crop 100,50,640,480 -out pictures
package main

import (
	"errors"
	"flag"
	"fmt"
	"image"
	"io"
	"os"
	"strconv"
	"strings"
)

//go:generate go run . -make-sample sample.png

func main() { os.Exit(run(os.Args[1:], os.Stdout, os.Stderr)) }

// run is the program and returns its exit status.
func run(args []string, stdout, stderr io.Writer) int {
	o, err := parse(args, stdout)
	if errors.Is(err, flag.ErrHelp) {
		return 0
	}
	if err == nil {
		err = show(o, stdout)
	}
	if err != nil {
		fmt.Fprintln(stderr, "image:", err)
		return 1
	}
	return 0
}

// show reads a picture, takes it through the steps and puts what they make
// into an album.
func show(o options, stdout io.Writer) error {
	if o.sample != "" {
		return save(o.sample, drawSample())
	}
	rgb, err := load(o.in)
	if err != nil {
		return err
	}
	window, err := o.window(rgb.Shape[0], rgb.Shape[1])
	if err != nil {
		return err
	}
	a, err := newAlbum(o.out, stdout)
	if err != nil {
		return err
	}
	a.add(crop(rgb, window))
	a.add(view(rgb, window))
	a.add(flip(rgb))
	a.add(focus(rgb))
	a.add(ripple(rgb))
	a.add(recolour(rgb))
	a.add(histogram(rgb))
	return a.close()
}

// options are what the command line asks for.
type options struct {
	in, out, sample string
	crop            image.Rectangle // empty: the middle of the picture
}

func parse(args []string, stdout io.Writer) (options, error) {
	var o options
	f := flag.NewFlagSet("image", flag.ContinueOnError)
	f.SetOutput(io.Discard) // run prints errors, on one line
	f.StringVar(&o.in, "in", "", "read this PNG or JPEG `file` (default: a small sample)")
	f.StringVar(&o.out, "out", "out", "write the pictures into this `folder`")
	f.StringVar(&o.sample, "make-sample", "", "draw the sample into this `file` and stop")
	f.Func("crop", "crop to this rectangle, `x,y,w,h` in pixels (default: the middle)", func(s string) (err error) {
		o.crop, err = parseCrop(s)
		return err
	})
	err := f.Parse(args)
	if errors.Is(err, flag.ErrHelp) {
		f.SetOutput(stdout)
		f.Usage()
	}
	if err == nil && f.NArg() > 0 {
		err = fmt.Errorf("unexpected argument %q (a picture is read with -in)", f.Arg(0))
	}
	return o, err
}

func parseCrop(s string) (image.Rectangle, error) {
	var n [4]int
	fields := strings.Split(s, ",")
	if len(fields) != len(n) {
		return image.Rectangle{}, errors.New("want x,y,w,h")
	}
	for i, field := range fields {
		v, err := strconv.ParseInt(strings.TrimSpace(field), 10, 31) // 31 bits: x+w fits every int
		if err != nil {
			return image.Rectangle{}, fmt.Errorf("want x,y,w,h: %q is no number of pixels", field)
		}
		n[i] = int(v)
	}
	x, y, w, h := n[0], n[1], n[2], n[3]
	if w <= 0 || h <= 0 {
		return image.Rectangle{}, errors.New("w and h must be positive")
	}
	return image.Rect(x, y, x+w, y+h), nil
}

// window returns the rectangle to crop to, clamped to a picture of h × w.
func (o options) window(h, w int) (image.Rectangle, error) {
	if o.crop.Empty() {
		return image.Rect(w/4, h/4, w-w/4, h-h/4), nil
	}
	window := o.crop.Intersect(image.Rect(0, 0, w, h))
	if window.Empty() {
		at, size := o.crop.Min, o.crop.Size()
		return window, fmt.Errorf("-crop %d,%d,%d,%d takes nothing of a picture %d wide and %d high", at.X, at.Y, size.X, size.Y, w, h)
	}
	return window, nil
}
