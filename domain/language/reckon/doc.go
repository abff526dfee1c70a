// Package reckon answers questions that can be worked out: sums, measures, days and the
// time elsewhere.
//
//	what is 15% of 80                      That is 12.
//	how many miles are 10 km               10 kilometers are about 6.214 miles.
//	how many days until Christmas          299 days until Saturday 25 December 2027.
//	what day of the week was 4 July 1976   That is Sunday 4 July 1976.
//	if it's 4pm in Missouri what time is it in London
//	                                       When it is 16:00 on Monday 1 March in Missouri, it is 22:00 on Monday 1 March in London.
//
// [Read] takes a whole question or nothing: each word has to be one that the question's form
// has, so that "what time is my meeting" and "remind me in 15 minutes" belong to others. It
// has no clock: the present and the zone are arguments.
//
// # Numbers
//
// Numbers are fractions of whole ones, as long as they need to be, so that 0.1 and 0.2 are
// 0.3. A result whose decimals don't end is told with about, and rounded to six places; a
// measure is rounded to two, below ten to four digits.
//
// # Days and places
//
// Days are read by [when.Named], and places by [when.Locals]. Where a place has several
// times each is told. A question of clocks and zones is taken apart into a time, a day, places,
// here and there, and what is asked is told by which of them there are, and not by their order;
// [Follow] asks of another place once more. Money isn't changed, because there are no rates here.
//
// # Failure
//
// There are no errors. What can't be worked out is said in the answer, such as a division by
// zero; what is no question of this kind isn't answered.
package reckon
