package main

import "io"

// printer is where results are printed. It remembers the first error, and keeps
// control characters that came from outside, in a run folder or an answer, from
// reaching the terminal.
type printer struct {
	to  io.Writer
	err error
}

func (p *printer) Write(text []byte) (int, error) {
	if p.err != nil {
		return 0, p.err
	}
	clean := make([]byte, len(text))
	for i, b := range text {
		if b < ' ' && b != '\n' && b != '\t' || b == 0x7f {
			b = '?'
		}
		clean[i] = b
	}
	_, p.err = p.to.Write(clean)
	return len(text), p.err
}
