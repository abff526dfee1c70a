package cardhtml_test

import (
	"strings"
	"testing"

	"chalie/adapters/cardhtml"
)

func TestStyles(t *testing.T) {
	for _, c := range []struct{ name, css, want string }{
		{"nothing", "", ""},
		{"a class", ".price { color: #C00; font-weight: bold }", "S .c-price{color:#c00;font-weight:bold}"},
		{"several", "h1, .a.b > p, * {margin:0}", "S h1,S .c-a.c-b>p,S *{margin:0}"},
		{"below", "table td:first-child  .x + b ~ i{padding:1px 2px}", "S table td:first-child .c-x+b~i{padding:1px 2px}"},
		{"comments", "/* a { */ p/**/{color/**/: red}/*", "S p{color:red}"},
		{"a screen's size", "@media (max-width: 400px) { .a{display:none} } p{gap:1px}", "@media (max-width: 400px){S .c-a{display:none}}S p{gap:1px}"},
		{"functions", "p{color:rgb(1, 2, 3);width:calc(100% / 3);background:linear-gradient(to right, red, blue)}", "S p{color:rgb(1, 2, 3);width:calc(100% / 3);background:linear-gradient(to right, red, blue)}"},
		{"important", "p{color:red !important;margin:1px !x}", "S p{color:red !important}"},
		{"what loads", "@import url(x);@font-face{src:url(x)}p{background:url(x);color:red}.b{background-image:image-set('x')}.c{border-image:url(x)}", "S p{color:red}"},
		{"in disguise", `p{background:u\72l(x)}p{color:exp/**/ression(x)}p{width:-moz-element(x)}`, ""},
		{"what reaches out", "body{color:red}:root{color:red}html .a{color:red}~ p{color:red}> p{color:red}#x{color:red}p[a]{color:red}p::before{content:x}.a:not(p){color:red}", ""},
		{"what moves", "p{position:fixed;top:0;left:0;z-index:9;margin:-3px;transform:none;inset:0}", ""},
		{"variables", "p{--a:b;color:var(--a)}", ""},
		{"nested", "p{color:red;b{color:blue}}i{color:red}", "S i{color:red}"},
		{"media within media", "@media print{@media screen{p{color:red}}i{color:red}}", "@media print{S i{color:red}}"},
		{"a bad condition", `@media x"y{p{color:red}}@supports (a:b){p{color:red}}i{color:red}`, "S i{color:red}"},
		{"not ended", "p{color:red", "S p{color:red}"},
		{"an end of the element", "</style><script>x</script>p{color:red}", ""},
		{"too much", "p{color:red}" + strings.Repeat(" ", cardhtml.MaxCSS), ""},
	} {
		_, css, scope := cardhtml.New().Clean("", c.css)
		if got := strings.ReplaceAll(css, "."+scope, "S"); got != c.want {
			t.Errorf("%s: became %s, want %s", c.name, got, c.want)
		}
		if (scope == "card-plain") != (css == "") {
			t.Errorf("%s: the scope is %s of %q", c.name, scope, css)
		}
	}
}

func TestTheSameStyleHasTheSameScope(t *testing.T) {
	c := cardhtml.New()
	one, _, first := c.Clean("<p>a", "p{color:red}")
	_, _, second := c.Clean("<p>b", " p { COLOR : red; position: fixed } ")
	_, _, third := c.Clean("<p>a", "p{color:blue}")
	if first != second || first == third {
		t.Errorf("the scopes are %s, %s, %s", first, second, third)
	}
	if !strings.HasPrefix(one, `<div class="`+first+`"><p>`) {
		t.Errorf("the card is %s", one)
	}
}
