package cardhtml

// element says how one is nested.
type element struct {
	void   bool     // has no content and no end tag
	block  bool     // ends a paragraph
	within []string // the only parents it has; none for any
	holds  bool     // holds only elements that name it in within, and no text
	ends   []string // what it ends when that is open nearer than a border
}

// elements are all that a card may have.
var elements = map[string]element{
	"div": {block: true}, "section": {block: true}, "article": {block: true}, "header": {block: true}, "footer": {block: true},
	"aside": {block: true}, "p": {block: true}, "blockquote": {block: true}, "pre": {block: true}, "figure": {block: true},
	"figcaption": {block: true, within: []string{"figure"}}, "hr": {void: true, block: true}, "br": {void: true},
	"h1": {block: true, ends: headings}, "h2": {block: true, ends: headings}, "h3": {block: true, ends: headings},
	"h4": {block: true, ends: headings}, "h5": {block: true, ends: headings}, "h6": {block: true, ends: headings},
	"ul": {block: true}, "ol": {block: true}, "li": {block: true, within: []string{"ul", "ol"}, ends: []string{"li"}},
	"dl": {block: true}, "dt": {block: true, within: []string{"dl"}, ends: []string{"dt", "dd"}}, "dd": {block: true, within: []string{"dl"}, ends: []string{"dt", "dd"}},
	"table": {block: true, holds: true}, "caption": {block: true, within: []string{"table"}},
	"colgroup": {within: []string{"table"}, holds: true}, "col": {void: true, within: []string{"colgroup"}},
	"thead": {within: []string{"table"}, holds: true, ends: rowGroups}, "tbody": {within: []string{"table"}, holds: true, ends: rowGroups},
	"tfoot": {within: []string{"table"}, holds: true, ends: rowGroups},
	"tr":    {within: []string{"thead", "tbody", "tfoot"}, holds: true, ends: []string{"tr", "td", "th"}},
	"td":    {within: []string{"tr"}, ends: []string{"td", "th"}}, "th": {within: []string{"tr"}, ends: []string{"td", "th"}},
	"span": {}, "strong": {}, "b": {}, "em": {}, "i": {}, "u": {}, "s": {}, "small": {}, "sub": {}, "sup": {}, "mark": {}, "code": {},
	"kbd": {}, "samp": {}, "q": {}, "cite": {}, "abbr": {}, "time": {}, "a": {ends: []string{"a"}}, "img": {void: true},
}

var (
	headings  = []string{"h1", "h2", "h3", "h4", "h5", "h6"}
	rowGroups = []string{"thead", "tbody", "tfoot", "colgroup", "caption", "tr", "td", "th"}
)

// ownAttributes are those of some elements; class, style, title, lang and dir are
// everybody's.
var ownAttributes = map[string][]string{
	"a": {"href"}, "img": {"src", "alt", "width", "height"}, "time": {"datetime"}, "col": {"span"},
	"td": {"colspan", "rowspan"}, "th": {"colspan", "rowspan", "scope"}, "ol": {"start"},
}

// isBorder reports whether what is open outside an element isn't ended from
// within it.
func isBorder(name string) bool {
	switch name {
	case "table", "td", "th", "caption", "ul", "ol", "dl":
		return true
	}
	return false
}
