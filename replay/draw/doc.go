// Package draw makes pictures of explanations: what something came of, or what it led
// to, as SVG, as a graph for Graphviz (DOT) or as a Mermaid flowchart.
//
//	err := draw.Write(out, why, draw.SVG)
//
// The target stands at the top and arrows go from cause to effect, so causes lie below
// what they caused, and effects, when it is forward, below their causes. A box has the
// envelope's type and place, what it is, and its scores; an arrow its role and weight,
// unless it is the parent's.
//
// Page makes the picture a part of a page: its boxes lead somewhere, and the page's
// style sheet says how it looks, in the dark too.
//
// A picture holds at most MaxBoxes envelopes, the first of the explanation, and says in
// itself how many were left out. It takes some milliseconds and no memory worth
// mentioning. The same explanation gives the same bytes on every machine: all of it is
// reckoned in whole numbers.
//
// Texts in an explanation come from anywhere. They become text in the picture and
// nothing else: no markup, no script, no link, no reference to anything outside of it.
// To test with it, make an Explanation by hand.
package draw
