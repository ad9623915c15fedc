package main

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// A picture is of one call. Left are its inputs, right is dst; equal colours and
// letters are the same element. Lower-case letters are of data, upper-case ones of updates.
type picture struct {
	name               string // of the file, without .svg
	title              string
	data, updates, dst []int // shapes; nil updates: there are none
	indices            tensor
	indexed            string // what indices are called; "indices" if it is empty
	truths             bool   // indices are a mask, of 0 and 1
	show               []int  // cells of dst that have arrows from what is in them
	call               func(dst, data, indices, updates tensor) error
}

func (p *picture) file(dir string) string { return filepath.Join(dir, p.name+".svg") }

// The measures of a picture, in pixels.
const (
	cellHeight  = 28
	letterWidth = 9
	margin      = 16
	labelHeight = 22
	blockGap    = 8   // between the matrices of a tensor of rank 3
	between     = 110 // the inputs and dst
)

const (
	plain    = "#f0f0f0" // data of a scatter, and indices
	ink      = "#222222"
	emphasis = "#d55e00"
)

// colors are of the elements that move, light enough for letters on them.
var colors = []string{
	"#a6cee3", "#b2df8a", "#fdbf6f", "#fb9a99", "#cab2d6", "#ffff99", "#8dd3c7", "#fccde5", "#d9d9d9", "#bebada", "#ccebc5", "#ffed6f",
	"#80b1d3", "#fdb462", "#b3de69", "#e5c494", "#f4cae4", "#e6f5c9", "#cbd5e8", "#fff2ae",
}

// A grid is a tensor in a picture: where it is and what stands in its cells.
type grid struct {
	label       string
	shape       []int
	text        []string
	fill        [][]string // the stripes of each cell
	x, y, width int        // of a cell
}

// rows and cols of a tensor's matrices, and how many of these there are.
func (g *grid) form() (blocks, rows, cols int) {
	blocks, rows, cols = 1, 1, 1
	k := len(g.shape)
	if k > 0 {
		cols = g.shape[k-1]
	}
	if k > 1 {
		rows = g.shape[k-2]
	}
	if k > 2 {
		blocks = size(g.shape[:k-2])
	}
	return blocks, rows, cols
}

func (g *grid) height() int {
	blocks, rows, _ := g.form()
	return labelHeight + blocks*rows*cellHeight + (blocks-1)*blockGap
}

// cell returns the upper left corner of a cell.
func (g *grid) cell(i int) (x, y int) {
	_, rows, cols := g.form()
	row := i / cols
	return g.x + i%cols*g.width, g.y + labelHeight + row*cellHeight + row/rows*blockGap
}

// draw makes the call and draws what it has moved.
func (p *picture) draw() ([]byte, error) {
	cells, err := p.trace(p.indices)
	if err != nil {
		return nil, err
	}
	inputs, dst := p.grids(cells)
	c := new(canvas)
	right, bottom := 0, 0
	for _, g := range append(inputs, dst) {
		_, _, cols := g.form()
		right = max(right, g.x+cols*g.width)
		bottom = max(bottom, g.y+g.height())
	}
	right = max(right, margin+len(p.title)*letterWidth)
	c.add(`<svg width="%d" height="%d" xmlns="http://www.w3.org/2000/svg">`, right+margin, bottom+margin)
	c.add(`<title>%s</title>`, escape(p.title))
	c.add(`<marker id="head" refX="6" refY="3" markerWidth="7" markerHeight="6" orient="auto" >`)
	c.path("M0,0 L7,3 L0,6 z", "fill:"+emphasis)
	c.add(`</marker>`)
	c.add(`<rect x="0" y="0" width="%d" height="%d" rx="6" ry="6" style="fill:white" />`, right+margin, bottom+margin)
	c.add(`<g style="font-family:ui-monospace,Menlo,Consolas,monospace;font-size:14px;fill:%s">`, ink)
	c.text(margin, margin+14, p.title, `style="font-weight:bold" `)
	for _, g := range append(inputs, dst) {
		g.fillCells(c)
	}
	for _, cell := range p.show {
		p.arrows(c, inputs, dst, cells, cell)
	}
	for _, g := range append(inputs, dst) {
		g.write(c)
	}
	c.add(`</g>`)
	c.add(`</svg>`)
	return c.Bytes(), nil
}

// A canvas is the SVG text of a picture, an element a line.
type canvas struct{ bytes.Buffer }

func (c *canvas) add(format string, args ...any) { fmt.Fprintf(c, format+"\n", args...) }

func (c *canvas) rect(x, y, w, h int, style string) {
	c.add(`<rect x="%d" y="%d" width="%d" height="%d" style="%s" />`, x, y, w, h, style)
}

func (c *canvas) path(d, style string) { c.add(`<path d="%s" style="%s" />`, d, style) }

func (c *canvas) text(x, y int, text, attributes string) {
	c.add(`<text x="%d" y="%d" %s>%s</text>`, x, y, attributes, escape(text))
}

func escape(text string) string {
	var b strings.Builder
	xml.EscapeText(&b, []byte(text)) // a Builder's Write never fails
	return b.String()
}

// grids lays the tensors out, for what the cells of dst are made of.
func (p *picture) grids(cells [][]int) (inputs []*grid, dst *grid) {
	names := p.names()
	n := size(p.data)
	color := func(source int) string {
		if p.updates == nil {
			return colors[source%len(colors)]
		}
		if source < n {
			return plain
		}
		return colors[(source-n)%len(colors)]
	}
	operand := func(label string, shape []int, first int) *grid {
		g := &grid{label: label, shape: shape}
		for i := range size(shape) {
			g.text = append(g.text, names[first+i])
			g.fill = append(g.fill, []string{color(first + i)})
		}
		return g
	}
	inputs = append(inputs, operand("data", p.data, 0))
	if p.indices.Shape != nil {
		label := p.indexed
		if label == "" {
			label = "indices"
		}
		g := &grid{label: label, shape: p.indices.Shape}
		for _, k := range p.indices.Data {
			text := fmt.Sprint(k)
			if p.truths {
				text = [...]string{"F", "T"}[k]
			}
			g.text = append(g.text, text)
			g.fill = append(g.fill, []string{"white"})
		}
		inputs = append(inputs, g)
	}
	if p.updates != nil {
		inputs = append(inputs, operand("updates", p.updates, n))
	}
	dst = &grid{label: "dst", shape: p.dst}
	for _, sources := range cells {
		var text, fill []string
		for source, times := range sources {
			for range times {
				text = append(text, names[source])
				fill = append(fill, color(source))
			}
		}
		if len(text) == 0 { // what no element has come to
			text, fill = []string{"0"}, []string{"white"}
		}
		dst.text = append(dst.text, strings.Join(text, "+"))
		dst.fill = append(dst.fill, fill)
	}

	y, left := margin+labelHeight, 0
	for _, g := range append(inputs, dst) {
		longest := 0
		for _, t := range g.text {
			longest = max(longest, len(t))
		}
		g.width = max(32, letterWidth*longest+10)
	}
	for _, g := range inputs {
		_, _, cols := g.form()
		g.x, g.y = margin, y
		y += g.height() + 10
		left = max(left, cols*g.width, letterWidth*len(g.caption()))
	}
	dst.x, dst.y = margin+left+between, margin+labelHeight
	return inputs, dst
}

// names returns the letters of data's elements, then of updates'.
func (p *picture) names() []string {
	var names []string
	for i := range size(p.data) {
		names = append(names, string(rune('a'+i)))
	}
	for i := range size(p.updates) {
		names = append(names, string(rune('A'+i)))
	}
	return names
}

func (g *grid) caption() string { return fmt.Sprintf("%s %v", g.label, g.shape) }

func (g *grid) fillCells(c *canvas) {
	for i := range g.text {
		x, y := g.cell(i)
		n := len(g.fill[i])
		for k, color := range g.fill[i] {
			from, to := g.width*k/n, g.width*(k+1)/n
			c.rect(x+from, y, to-from, cellHeight, "fill:"+color)
		}
		c.rect(x, y, g.width, cellHeight, "fill:none;stroke:#888888")
	}
}

// write writes what stands in the cells, over the arrows.
func (g *grid) write(c *canvas) {
	c.text(g.x, g.y+labelHeight-7, g.caption(), "")
	for i, text := range g.text {
		x, y := g.cell(i)
		c.text(x+g.width/2, y+cellHeight/2+5, text, `style="text-anchor:middle" `)
	}
}

// arrows draws where a cell of dst comes from, and a frame round the indices
// that say so.
func (p *picture) arrows(c *canvas, inputs []*grid, dst *grid, cells [][]int, cell int) {
	toX, toY := dst.cell(cell)
	toY += cellHeight / 2
	for source, times := range cells[cell] {
		if times == 0 {
			continue
		}
		g, i := inputs[0], source
		if n := size(p.data); i >= n {
			g, i = inputs[len(inputs)-1], i-n
		}
		x, y := g.cell(i)
		x, y = x+g.width-6, y+cellHeight/2
		c.add(`<circle cx="%d" cy="%d" r="2" style="fill:%s" />`, x, y, emphasis)
		bend := (toX - x) / 2
		c.path(fmt.Sprintf("M%d,%d C%d,%d %d,%d %d,%d", x, y, x+bend, y, toX-bend, toY, toX-1, toY),
			"fill:none;stroke-width:1.5;stroke-opacity:0.7;stroke:"+emphasis+";marker-end:url(#head)")
	}
	governing := p.governing(cells, cell)
	for i := range p.indices.Data {
		if slices.Contains(governing, i) {
			x, y := inputs[1].cell(i)
			c.rect(x+1, y+1, inputs[1].width-2, cellHeight-2, "fill:none;stroke-width:2;stroke:"+emphasis)
		}
	}
}
