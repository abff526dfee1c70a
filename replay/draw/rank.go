package draw

// Bounds of the boxes in a row, and of the rows through which an arrow is routed: a
// longer arrow is drawn straight.
const (
	rowMost  = 6
	longMost = 12
)

// joint is a place on a row: a box, or a bend of an arrow that passes the row.
type joint struct {
	box  int // -1 for a bend
	row  int
	up   []int // joints of the row above that it is joined to
	down []int
}

// A chart is a graph in rows, the target in the first. Every arrow is a path of joints
// from row to row, downwards.
type chart struct {
	joints []joint
	rows   [][]int
	paths  [][]int // by arrow, from its upper end to its lower
}

// chartOf puts boxes into rows: each below all boxes it is joined to, except for cycles.
func chartOf(g graph) chart {
	ranks := ranksOf(g)
	rows := rowsOf(ranks)
	c := chart{}
	for i := range g.boxes {
		c.add(joint{box: i, row: rows[i]})
	}
	for _, a := range g.arrows {
		upper, lower := a.from, a.to
		if rows[upper] > rows[lower] {
			upper, lower = lower, upper
		}
		if rows[lower]-rows[upper] > longMost {
			c.paths = append(c.paths, []int{upper, lower})
			continue
		}
		path := []int{upper}
		for row := rows[upper] + 1; row < rows[lower]; row++ {
			path = append(path, c.add(joint{box: -1, row: row}))
		}
		path = append(path, lower)
		for i, at := range path[1:] {
			c.joints[path[i]].down = append(c.joints[path[i]].down, at)
			c.joints[at].up = append(c.joints[at].up, path[i])
		}
		c.paths = append(c.paths, path)
	}
	return c
}

func (c *chart) add(j joint) int {
	at := len(c.joints)
	c.joints = append(c.joints, j)
	for len(c.rows) <= j.row {
		c.rows = append(c.rows, nil)
	}
	c.rows[j.row] = append(c.rows[j.row], at)
	return at
}

// ranksOf are the boxes' distances below the target: one more than the lowest neighbour
// above.
func ranksOf(g graph) []int {
	next := make([][]int, len(g.boxes)) // away from the target
	for _, a := range g.arrows {
		if g.forward {
			next[a.from] = append(next[a.from], a.to)
		} else {
			next[a.to] = append(next[a.to], a.from)
		}
	}
	order := awayFromTarget(next)
	ranks := make([]int, len(g.boxes))
	seen := make([]bool, len(g.boxes))
	for _, at := range order {
		seen[at] = true
		for _, to := range next[at] {
			if !seen[to] { // otherwise it closes a cycle
				ranks[to] = max(ranks[to], ranks[at]+1)
			}
		}
	}
	return ranks
}

// awayFromTarget sorts boxes topologically, from the target outwards, ignoring cycles.
func awayFromTarget(next [][]int) []int {
	const unseen, open, done = 0, 1, 2
	state := make([]int, len(next))
	order := make([]int, 0, len(next))
	var visit func(at int)
	visit = func(at int) {
		state[at] = open
		for _, to := range next[at] {
			if state[to] == unseen {
				visit(to)
			}
		}
		state[at] = done
		order = append(order, at)
	}
	for at := range next {
		if state[at] == unseen {
			visit(at)
		}
	}
	// Reverse the order of finishing.
	for i, j := 0, len(order)-1; i < j; i, j = i+1, j-1 {
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// rowsOf spreads ranks over rows of at most rowMost boxes.
func rowsOf(ranks []int) []int {
	byRank := map[int][]int{}
	deepest := 0
	for at, rank := range ranks {
		byRank[rank] = append(byRank[rank], at)
		deepest = max(deepest, rank)
	}
	rows := make([]int, len(ranks))
	row := 0
	for rank := 0; rank <= deepest; rank++ {
		boxes := byRank[rank]
		lines := (len(boxes) + rowMost - 1) / rowMost
		for i, at := range boxes {
			rows[at] = row + i*lines/max(1, len(boxes))
		}
		row += lines
	}
	return rows
}
