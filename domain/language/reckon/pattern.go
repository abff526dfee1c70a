package reckon

import (
	"regexp"
	"sync"
)

// pattern is a regular expression that is compiled when it is first needed: a program that
// is never asked needn't wait for all of them.
type pattern struct{ compiled func() *regexp.Regexp }

func matching(expr string) pattern {
	return pattern{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(expr) })}
}

// in reports whether it fits a part of a text.
func (p pattern) in(s string) bool { return p.compiled().MatchString(s) }

// parts are the fitting part of a text and those of its groups; nil where it doesn't fit.
func (p pattern) parts(s string) []string { return p.compiled().FindStringSubmatch(s) }

// replaced is a text with another one for each part that fits.
func (p pattern) replaced(s, by string) string { return p.compiled().ReplaceAllString(s, by) }

// without is a text without the parts that fit.
func (p pattern) without(s string) string { return p.replaced(s, "") }
