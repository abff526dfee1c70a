// Package tools finds the tool that a sentence asks for, and gives its parameters what was said.
//
// A tool has words by which it may be meant (terms), a request is weighed against them ([Candidate]), and its
// parameters take what stands in it, each word once ([Filling]). In any of the languages that are read a tool that
// changes something is also found by its deed. What a sentence asks for is an [Intent], whoever finds it: a call,
// or a question back.
package tools
