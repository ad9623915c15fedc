package main

import (
	"cmp"
	"errors"
	"fmt"
	"image/color"
	"math"
	"os"
	"path/filepath"
	"slices"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// The charts: for each number of threads, how many times longer every peer
// takes on every workload; and for each sweep, the time of an element.

var formats = []string{".svg", ".png"}

// A look is how all charts draw a contender.
type look struct {
	name  string
	color color.RGBA
	shape draw.GlyphDrawer
	dash  []vg.Length
}

// Colour-blind readers can distinguish the colours (Okabe and Ito's).
var looks = []look{
	{string(lanes), color.RGBA{A: 255}, draw.CircleGlyph{}, nil},
	{"onnxruntime", color.RGBA{0, 114, 178, 255}, draw.CircleGlyph{}, nil},
	{"openvino", color.RGBA{0, 158, 115, 255}, draw.SquareGlyph{}, nil},
	{"torch", color.RGBA{213, 94, 0, 255}, draw.TriangleGlyph{}, nil},
	{"numpy", color.RGBA{230, 159, 0, 255}, draw.PyramidGlyph{}, nil},
	{"gomlx", color.RGBA{204, 121, 167, 255}, draw.RingGlyph{}, nil},
	{"born", color.RGBA{86, 180, 233, 255}, draw.BoxGlyph{}, nil},
	{"gorgonia", color.RGBA{150, 150, 60, 255}, draw.PlusGlyph{}, nil},
	{"arrow", color.RGBA{120, 90, 60, 255}, draw.BoxGlyph{}, nil},
	{string(handWritten), color.RGBA{130, 130, 130, 255}, draw.CrossGlyph{}, nil},
	{"limit", color.RGBA{130, 130, 130, 255}, nil, []vg.Length{4, 3}},
}

// draw draws the report's charts in a directory; "" is none.
func (r report) draw(dir string) error {
	if dir == "" {
		return nil
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return err
	}
	for name, c := range r.charts() {
		for _, format := range formats {
			if err := c.save(filepath.Join(dir, name+format), format); err != nil {
				return err
			}
		}
	}
	return nil
}

// A chart is what is drawn, before it is.
type chart struct {
	title, x, y   string
	width, height vg.Length
	rows          []string // of the y axis, from the top, if it has no scale
	xTicks        plot.Ticker
	linear        bool              // the x axis; the others are logarithmic
	series        map[string]points // by contender
	lines         bool              // between the points of a series
	marks         []float64         // lines across
}

type points = plotter.XYs

// charts returns all charts by the names of their files.
func (r report) charts() map[string]chart {
	all := map[string]chart{}
	for level, rivalries := range byLevel(r.rivalries()) {
		r.addCharts(all, level, rivalries)
	}
	return all
}

func (r report) addCharts(all map[string]chart, level string, rivalries []rivalry) {
	add := func(name string, c chart) {
		if level != "" {
			name, c.title = name+"-"+level, c.title+", "+level
		}
		all[name] = c
	}
	for _, n := range threadsOf(rivalries) {
		var some []rivalry
		for _, v := range rivalries {
			if v.Workers == n && v.sweep == nil && v.fastest != nil {
				some = append(some, v)
			}
		}
		if r.random() {
			if len(some) > 0 {
				add("random-"+threadString(n, "-"), rankChart(some, n))
			}
			continue
		}
		if len(some) > 0 {
			add("ratio-"+threadString(n, "-"), ratioChart(some, n))
		}
		for _, p := range sweepsOf(rivalries) {
			var some []rivalry
			for _, v := range rivalries {
				if v.Workers == n && v.sweep != nil && v.sweep.Name == p.Name {
					some = append(some, v)
				}
			}
			add(some[0].id+"-"+threadString(n, "-"), sweepChart(some, n))
		}
	}
}

func threadString(n int, space string) string {
	if n == 1 {
		return "1" + space + "thread"
	}
	return fmt.Sprint(n, space, "threads")
}

// sweepsOf returns the first point of each sweep.
func sweepsOf(all []rivalry) []point {
	var found []point
	for _, v := range all {
		if v.sweep != nil && !slices.ContainsFunc(found, func(p point) bool { return p.Name == v.sweep.Name }) {
			found = append(found, *v.sweep)
		}
	}
	return found
}

func ratioChart(some []rivalry, threads int) chart {
	c := chart{
		title: "Time of a call over that of lanes, " + threadString(threads, " "),
		x:     "times lanes' median: right of 1 lanes is faster",
		width: 24 * vg.Centimeter, height: vg.Length(len(some)+6) * 14,
		series: map[string]points{}, marks: []float64{1, ahead}, xTicks: decades{},
	}
	for i, v := range some {
		c.rows = append(c.rows, v.name)
		for _, x := range v.contests {
			if x.without == "" {
				c.series[x.name] = append(c.series[x.name], plotter.XY{X: x.median / v.Median, Y: float64(len(some) - 1 - i)})
			}
		}
	}
	return c
}

// rankChart draws the ratios of random calls from the worst to the best, each for the peer that was
// the fastest.
func rankChart(some []rivalry, threads int) chart {
	c := chart{
		title: "Random calls: time of the fastest peer over that of lanes, " + threadString(threads, " "),
		x:     "calls, from the worst on", y: "times lanes' median: above 1 lanes is faster",
		width: 20 * vg.Centimeter, height: 13 * vg.Centimeter,
		series: map[string]points{}, marks: []float64{1}, linear: true, xTicks: plot.DefaultTicks{},
	}
	some = slices.Clone(some)
	slices.SortStableFunc(some, func(a, b rivalry) int { return cmp.Compare(a.ratio(), b.ratio()) })
	for i, v := range some {
		c.series[v.fastest.Name] = append(c.series[v.fastest.Name], plotter.XY{X: float64(i + 1), Y: v.ratio()})
	}
	return c
}

func sweepChart(some []rivalry, threads int) chart {
	p := some[0].sweep
	c := chart{
		title: p.Name + ", " + threadString(threads, " "), x: p.Axis, y: "ns an element",
		width: 20 * vg.Centimeter, height: 13 * vg.Centimeter,
		series: map[string]points{}, lines: true, xTicks: sizes{},
	}
	if p.Axis == duplicatesAxis {
		c.linear, c.xTicks = true, percents{}
	}
	for _, v := range some {
		add := func(name string, ns float64) {
			c.series[name] = append(c.series[name], plotter.XY{X: v.sweep.X, Y: ns / float64(v.elements)})
		}
		add(string(lanes), v.Median)
		add("limit", v.Limit)
		for _, x := range v.contests {
			if x.without == "" {
				add(x.name, x.median)
			}
		}
	}
	return c
}

// save draws the chart into a file, with a margin.
func (c chart) save(file, format string) error {
	canvas, err := draw.NewFormattedCanvas(c.width, c.height, format[1:])
	if err != nil {
		return err
	}
	page := draw.New(canvas)
	page.FillPolygon(color.White, []vg.Point{{}, {X: c.width}, {X: c.width, Y: c.height}, {Y: c.height}})
	const margin, legend = 10, 90
	page = draw.Crop(page, margin, -margin, margin, -margin)
	p, names := c.plot()
	p.Draw(draw.Crop(page, 0, -legend, 0, 0))
	names.Draw(page)
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	_, err = canvas.WriteTo(f)
	return errors.Join(err, f.Close())
}

func (c chart) plot() (*plot.Plot, plot.Legend) {
	p, names := plot.New(), plot.NewLegend()
	for _, style := range []*text.Style{&p.Title.TextStyle, &p.X.Label.TextStyle, &p.Y.Label.TextStyle, &p.X.Tick.Label, &p.Y.Tick.Label, &names.TextStyle} {
		style.Font.Variant = "Sans"
	}
	p.BackgroundColor = color.White
	p.Title.Text, p.X.Label.Text, p.Y.Label.Text = c.title, c.x, c.y
	p.Title.Padding = 6
	p.X.Tick.Marker = c.xTicks
	if !c.linear {
		p.X.Scale = plot.LogScale{}
	}
	grid := plotter.NewGrid()
	grid.Vertical.Color, grid.Horizontal.Color = color.Gray{225}, color.Gray{225}
	p.Add(grid)
	if c.rows == nil {
		p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, decades{}
		for _, y := range c.marks {
			mark := plotter.NewFunction(func(float64) float64 { return y })
			mark.Color = color.Gray{110}
			p.Add(mark)
		}
	} else {
		p.Y.Tick.Marker = rowTicks(c.rows)
		p.Y.Min, p.Y.Max = -0.6, float64(len(c.rows))-0.4
		for _, x := range c.marks {
			mark, _ := plotter.NewLine(points{{X: x, Y: p.Y.Min}, {X: x, Y: p.Y.Max}})
			mark.Color = color.Gray{110}
			if x != 1 {
				mark.Dashes = []vg.Length{2, 2}
			}
			p.Add(mark)
		}
	}
	for _, l := range looks {
		series := c.series[l.name]
		if len(series) == 0 {
			continue
		}
		slices.SortStableFunc(series, func(a, b plotter.XY) int { return cmp.Compare(a.X, b.X) })
		var thumbs []plot.Thumbnailer
		if c.lines {
			line, _ := plotter.NewLine(series)
			line.Color, line.Dashes, line.Width = l.color, l.dash, 1.2
			if l.name == string(lanes) {
				line.Width = 2.4
			}
			p.Add(line)
			thumbs = append(thumbs, line)
		}
		if l.shape != nil {
			glyphs, _ := plotter.NewScatter(series)
			glyphs.GlyphStyle = draw.GlyphStyle{Color: l.color, Radius: 2.7, Shape: l.shape}
			p.Add(glyphs)
			thumbs = append(thumbs, glyphs)
		}
		names.Add(l.name, thumbs...)
	}
	names.Top, names.Padding = true, 3
	names.YOffs = -2 * p.Title.TextStyle.Font.Size
	return p, names
}

// decades has a tick at 1, 2 and 5 of each power of ten.
type decades struct{}

func (decades) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for e := math.Floor(math.Log10(least)); e <= math.Ceil(math.Log10(most)); e++ {
		for _, m := range []float64{1, 2, 5} {
			if x := m * math.Pow(10, e); x >= least && x <= most {
				ticks = append(ticks, plot.Tick{Value: x, Label: fmt.Sprintf("%.3g", x)})
			}
		}
	}
	return ticks
}

// sizes has a tick at the powers of four.
type sizes struct{}

func (sizes) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for n := 1; float64(n) <= most; n *= 4 {
		if float64(n) >= least {
			ticks = append(ticks, plot.Tick{Value: float64(n), Label: binary(n)})
		}
	}
	return ticks
}

type percents struct{}

func (percents) Ticks(least, most float64) []plot.Tick {
	var ticks []plot.Tick
	for x := range 11 {
		if x := float64(x) / 10; x >= least && x <= most {
			ticks = append(ticks, plot.Tick{Value: x, Label: percent(x)})
		}
	}
	return ticks
}

// rowTicks has a tick for each row, the first on top.
type rowTicks []string

func (rows rowTicks) Ticks(_, _ float64) []plot.Tick {
	var ticks []plot.Tick
	for i, name := range rows {
		ticks = append(ticks, plot.Tick{Value: float64(len(rows) - 1 - i), Label: name})
	}
	return ticks
}
