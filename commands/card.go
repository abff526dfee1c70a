package commands

// CardCleaner makes what a tool sends for a card safe to be shown in a page of
// Chalie's. It is asked before tool.completed is recorded: what the log keeps is
// clean already, so every device, now and later, shows the same.
//
// It has no errors: what it doesn't know it leaves out, at worst all of it. The
// same input gives the same output for ever. It is safe for concurrent use.
type CardCleaner interface {
	// Clean returns the HTML without anything that runs, loads or sends, within one
	// element of class scopeID, and the CSS with every selector below that class.
	// Cards with the same style have the same scopeID, so a page needs the CSS of
	// each scopeID once. What is left of nothing is nothing: "" for HTML without
	// content, and for CSS without a rule.
	Clean(html, css string) (cleanHTML, cleanCSS, scopeID string)
}
