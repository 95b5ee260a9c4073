package reports

// Page is a report as data; WriteMarkdown and WriteHTML render it with the
// same content. No text in it is trusted: both escape what they write.
type Page struct {
	// Title and Question head the page.
	Title, Question string
	// Lead are the paragraphs below them: what was found.
	Lead []string
	// Sections follow in order; a page of several has a table of contents.
	Sections []Section
	// Header is how the report came about (command, commit, host …), name and
	// value, folded at the end of the page.
	Header [][2]string
}

// Section is one part of a page. Its text comes first, then its figure, its
// table and its notes; each may be absent.
type Section struct {
	Heading string
	Text    []string
	Figure  *Figure
	Table   *Table
	Notes   []string
}

// Figure is a picture of a page.
type Figure struct {
	// File is the PNG, relative to the report folder.
	File string
	// Alt says in words what the picture shows, for those who do not see it.
	Alt string
	// Caption stands below the picture.
	Caption string
	// Data is the file it is drawn from, relative to the report folder, or
	// empty.
	Data string
}

// Table is a table of a page.
type Table struct {
	// Columns are the column heads.
	Columns []string
	// Units stand below the column heads where given, "" for a column without
	// one; nil for a table without units.
	Units []string
	// Rows have one cell a column; a shorter row ends in empty cells.
	Rows [][]Cell
	// Caption says what the table holds.
	Caption string
}

// Cell is the text of a table cell. A column whose cells are numbers is set
// flush right; the words of a verdict get a badge.
type Cell string

// Cells makes a table row of texts.
func Cells(texts ...string) []Cell {
	row := make([]Cell, len(texts))
	for i, t := range texts {
		row[i] = Cell(t)
	}
	return row
}
