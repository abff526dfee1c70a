// Package draw makes pictures of explanations, of causes or of effects, as SVG, as a
// graph for Graphviz (DOT) or as a Mermaid flowchart.
//
//	err := draw.Write(out, why, draw.SVG)
//
// The target stands at the top and arrows go from cause to effect, so causes lie below
// what they caused, and effects, when it is forward, below their causes. A box has the
// envelope's type and position, its label and its scores; an arrow has its role and
// weight, unless it comes from the parent.
//
// Page makes a picture for an HTML page: its boxes are links, and the page's style sheet
// sets the colours, of the dark theme too.
//
// A picture holds at most MaxBoxes envelopes, the first of the explanation, and says in
// itself how many were left out. Drawing takes some milliseconds and little memory. The
// same explanation gives the same bytes on every machine, because the layout is computed
// in integers.
//
// Texts in an explanation are untrusted. They are only text in the picture: no markup, no
// script, no link, no external reference. To test with it, make an Explanation by hand.
package draw
