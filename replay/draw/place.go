package draw

import (
	"cmp"
	"slices"
)

// Sizes in pixels.
const (
	boxWidth  = 236
	bendWidth = 24
	between   = 26 // beside each other
	sweeps    = 12
)

// untangle orders the rows so that few arrows cross: each joint moves to the middle of
// its neighbours in the row before, downwards and upwards in turn.
func (c *chart) untangle() {
	best, fewest := c.copyRows(), c.crossings()
	for n := range sweeps {
		for i := range c.rows {
			row := i
			if n%2 == 1 {
				row = len(c.rows) - 1 - i
			}
			c.sortRow(row, n%2 == 1)
		}
		if crossed := c.crossings(); crossed < fewest {
			best, fewest = c.copyRows(), crossed
		}
	}
	c.rows = best
}

func (c *chart) copyRows() [][]int {
	out := make([][]int, len(c.rows))
	for i, row := range c.rows {
		out[i] = slices.Clone(row)
	}
	return out
}

// sortRow orders a row by where its neighbours stand, above it or below.
func (c *chart) sortRow(row int, below bool) {
	beside := row - 1
	if below {
		beside = row + 1
	}
	if beside < 0 || beside >= len(c.rows) {
		return
	}
	place := map[int]int{}
	for i, at := range c.rows[beside] {
		place[at] = i
	}
	want := map[int]int{}
	for i, at := range c.rows[row] {
		neighbours := c.joints[at].up
		if below {
			neighbours = c.joints[at].down
		}
		want[at] = 1000 * i
		if len(neighbours) > 0 {
			sum := 0
			for _, n := range neighbours {
				sum += 1000 * place[n]
			}
			want[at] = sum / len(neighbours)
		}
	}
	slices.SortStableFunc(c.rows[row], func(a, b int) int { return cmp.Compare(want[a], want[b]) })
}

// crossings counts pairs of arrows that cross between two rows.
func (c *chart) crossings() int {
	count := 0
	for row := range len(c.rows) - 1 {
		place := map[int]int{}
		for i, at := range c.rows[row+1] {
			place[at] = i
		}
		var ends []int // of the arrows so far, in order of their upper ends
		for _, at := range c.rows[row] {
			var own []int
			for _, to := range c.joints[at].down {
				for _, other := range ends {
					if other > place[to] {
						count++
					}
				}
				own = append(own, place[to])
			}
			ends = append(ends, own...)
		}
	}
	return count
}

// centres are the joints' horizontal positions in pixels: each as near to the middle of
// its neighbours as its row allows.
func (c *chart) centres() []int {
	x := make([]int, len(c.joints))
	for _, row := range c.rows {
		c.settle(row, x, func(int) int { return 0 })
	}
	for n := range sweeps {
		for i := range c.rows {
			row := i
			if n%2 == 1 {
				row = len(c.rows) - 1 - i
			}
			c.settle(c.rows[row], x, func(at int) int { return c.middle(at, x, n) })
		}
	}
	least := 0
	for at := range c.joints {
		least = min(least, x[at]-c.width(at)/2)
	}
	for at := range x {
		x[at] -= least
	}
	return x
}

// middle is the mean position of a joint's neighbours: those above and below in turn, and
// all of them in the last round.
func (c *chart) middle(at int, x []int, n int) int {
	j := c.joints[at]
	neighbours := j.up
	switch {
	case n >= sweeps-2:
		neighbours = slices.Concat(j.up, j.down)
	case n%2 == 1:
		neighbours = j.down
	}
	if len(neighbours) == 0 {
		return x[at]
	}
	sum := 0
	for _, to := range neighbours {
		sum += x[to]
	}
	return sum / len(neighbours)
}

// settle places a row in its order, without overlaps, with the least sum of squared
// distances from the wanted positions. Joints that push each other become a block, which
// is placed at the mean of its members' wanted positions.
func (c *chart) settle(row []int, x []int, want func(at int) int) {
	type block struct{ sum, count int }
	var blocks []block
	offsets := make([]int, len(row))
	for i, at := range row {
		if i > 0 {
			offsets[i] = offsets[i-1] + (c.width(row[i-1])+c.width(at))/2 + between
		}
		b := block{want(at) - offsets[i], 1}
		for len(blocks) > 0 {
			last := blocks[len(blocks)-1]
			if last.sum*b.count <= b.sum*last.count {
				break
			}
			b = block{last.sum + b.sum, last.count + b.count}
			blocks = blocks[:len(blocks)-1]
		}
		blocks = append(blocks, b)
	}
	i := 0
	for _, b := range blocks {
		for range b.count {
			x[row[i]] = b.sum/b.count + offsets[i]
			i++
		}
	}
}

func (c *chart) width(at int) int {
	if c.joints[at].box < 0 {
		return bendWidth
	}
	return boxWidth
}
