// Package term writes for a person's terminal: lines, tables, what Chalie says in
// blocks, how far long work is, and JSON for those who pipe it elsewhere.
//
// A [Console] is what a command may know of the terminal around it: how wide it is,
// whether it has colours, whether anybody sees it at all, and the zone that times are
// shown in. [Process] reads it once from the process; tests make their own.
//
// Whatever comes from outside goes through [Style.Of], [Console.Blocks],
// [Console.Complain] or [Console.JSON]: none of them lets through a character that
// steers a terminal or that nobody sees.
//
// A table is as wide as the terminal. Where that is too little, columns go that can be
// spared, others are cut, and the flexible one takes what is left; in a file or a pipe
// nothing is cut. Errors are those of the writers.
package term
