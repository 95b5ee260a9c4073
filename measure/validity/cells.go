package validity

import "time"

// cell is a stretch of a run: how many values belong to it, and their sum.
type cell struct {
	n   int64
	sum float64
}

// cells divide a run of unknown length into at most so many stretches. A run that
// outgrows them gets cells of twice the length, so that at least half of them are in
// use, and the memory is bounded. What they hold does not depend on the order in which
// it came.
type cells struct {
	length time.Duration // of each
	most   int
	cells  []cell
}

// add counts a value at an instant.
func (c *cells) add(at time.Duration, value float64) {
	i := int(max(at, 0) / c.length)
	for i >= c.most {
		c.lengthen()
		i = int(at / c.length)
	}
	for len(c.cells) <= i {
		c.cells = append(c.cells, cell{})
	}
	c.cells[i].n++
	c.cells[i].sum += value
}

// lengthen doubles the length of all cells by merging neighbours.
func (c *cells) lengthen() {
	c.length *= 2
	for i, from := range c.cells {
		if i%2 == 0 {
			c.cells[i/2] = from
			continue
		}
		c.cells[i/2].n += from.n
		c.cells[i/2].sum += from.sum
	}
	c.cells = c.cells[:(len(c.cells)+1)/2]
}

// until counts the values up to an instant, with those after it in the same cell.
func (c *cells) until(at time.Duration) int64 {
	n := int64(0)
	for i, cell := range c.cells {
		if time.Duration(i)*c.length > at {
			break
		}
		n += cell.n
	}
	return n
}

// merged are the cells in groups of the given size, without an incomplete last one.
func (c *cells) merged(size int) []cell {
	var out []cell
	for i := 0; i+size <= len(c.cells); i += size {
		var group cell
		for _, from := range c.cells[i : i+size] {
			group.n += from.n
			group.sum += from.sum
		}
		out = append(out, group)
	}
	return out
}
