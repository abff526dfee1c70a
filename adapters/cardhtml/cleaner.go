package cardhtml

import (
	"crypto/sha256"
	"encoding/hex"

	"github.com/microcosm-cc/bluemonday"

	"chalie/commands/tool"
)

// Bounds of what is cleaned, in bytes. An envelope holds both, with room to spare.
const (
	MaxHTML = 256 << 10
	MaxCSS  = 64 << 10
)

// Cleaner cleans cards. It is made by New, and safe for concurrent use.
type Cleaner struct {
	policy *bluemonday.Policy
}

var _ tool.CardCleaner = (*Cleaner)(nil)

// New makes a cleaner.
func New() *Cleaner { return &Cleaner{policy: newPolicy()} }

// Clean is tool.CardCleaner's.
func (c *Cleaner) Clean(html, css string) (cleanHTML, cleanCSS, scopeID string) {
	rules := cleanRules(css)
	scopeID = scopeOf(rules)
	if len(html) <= MaxHTML {
		cleanHTML = nest(c.policy.Sanitize(html))
	}
	if cleanHTML != "" {
		cleanHTML = `<div class="` + scopeID + `">` + cleanHTML + `</div>`
	}
	return cleanHTML, rules.below("." + scopeID), scopeID
}

const scopePrefix = "card-"

// scopeOf names a style by what it says.
func scopeOf(rules sheet) string {
	if len(rules) == 0 {
		return scopePrefix + "plain"
	}
	sum := sha256.Sum256([]byte(rules.below("")))
	return scopePrefix + hex.EncodeToString(sum[:8])
}

// newPolicy is the first pass: what may be there at all. The second looks closer
// at classes, styles and addresses.
func newPolicy() *bluemonday.Policy {
	p := bluemonday.NewPolicy()
	for name := range elements {
		p.AllowElements(name)
		p.AllowNoAttrs().OnElements(name)
	}
	p.AllowAttrs("class", "style", "title", "lang", "dir").Globally()
	for name, attrs := range ownAttributes {
		p.AllowAttrs(attrs...).OnElements(name)
	}
	p.AllowURLSchemes("https")
	p.AllowDataURIImages()
	// Their content is code, or means something else than it says elsewhere.
	p.SkipElementsContent("script", "style", "svg", "math", "template", "noscript", "iframe", "object", "textarea",
		"title", "xmp", "plaintext", "noembed", "noframes", "select", "option", "canvas", "video", "audio", "frameset", "head")
	return p
}
