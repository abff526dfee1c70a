// Package hearing hears what one sentence asks for: a [Listener] tries the phrases of plans, lists and its own, in an
// order that says which counts, then the tools. What was said and done before is only known to it as what was
// spoken of last.
package hearing
