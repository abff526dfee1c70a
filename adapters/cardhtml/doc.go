// Package cardhtml makes HTML and CSS that tools send for a card safe to be shown
// in a page of Chalie's. It is commands.CardCleaner.
//
// What stays is what a card is for: text, headings, lists, tables, layout, links
// that open a page over https, and images that are in the card itself as data.
// What goes is everything that runs (scripts, handlers, frames, forms, SVG), that
// loads (any other address, @import, url() and fonts in CSS) and that reaches
// beyond the card (ids, positions, negative margins, the page's own classes).
//
// It works in two passes. The first is bluemonday with a list of elements and
// attributes. The second writes every tag anew and sees to it that tags are nested
// as a browser nests them: what a browser reads is then what was judged. Classes
// get a prefix, in HTML and CSS alike, so that a card doesn't borrow the style of
// the page around it.
//
// HTML of over MaxHTML bytes, or CSS of over MaxCSS, is left out whole; nothing
// fails. Cleaning takes time linear in both.
package cardhtml
