package main

// drawSample draws the picture that the program uses when it is given none. No
// edge looks like the opposite one, so that a flip shows; its gradients and
// its plain colours make a histogram worth looking at. Everything is in
// integers: it is the same picture on every machine.
func drawSample() picture {
	const height, width = 240, 320
	p := blank(height, width)
	for y := range height {
		for x := range width {
			c := landscape(x, y)
			copy(p.Data[(y*width+x)*3:], c[:])
		}
	}
	return p
}

type rgb8 = [3]uint8

// landscape is the colour at (x, y); what is in front comes first.
func landscape(x, y int) rgb8 {
	switch {
	case y >= 216: // colour bars, one every 40 pixels
		return [...]rgb8{
			{230, 30, 30}, {240, 140, 20}, {245, 225, 40}, {40, 170, 60},
			{40, 190, 210}, {40, 70, 220}, {150, 50, 190}, {20, 20, 20},
		}[x/40]
	case within(x, 88, 104) && within(y, 158, 192): // the door
		return rgb8{40, 60, 190}
	case within(x, 56, 76) && within(y, 148, 168): // the window
		return rgb8{250, 230, 120}
	case within(x, 46, 114) && within(y, 136, 192): // the house
		return rgb8{235, 228, 215}
	case y >= 96 && y < 136 && abs(x-80) <= y-92: // the roof
		return rgb8{200, uint8(40 + (y-96)/2), 40}
	case y > 176+square(x-60)/500: // the meadow
		return rgb8{60, uint8(190 - (y - 150)), 50}
	case y > 150+square(x-270)/160: // the hill behind it
		return rgb8{30, uint8(110 + x/8), 90}
	case square(x-250)+square(y-60) < square(34): // the sun
		return rgb8{255, uint8(230 - square(x-250)/40), uint8(70 + square(y-60)/40)}
	default: // the sky
		return rgb8{uint8(90 + y*3/4), uint8(150 + y/3), uint8(240 - x/8)}
	}
}

func within(n, from, to int) bool { return from <= n && n < to }

func square(n int) int { return n * n }

func abs(n int) int { return max(n, -n) }
