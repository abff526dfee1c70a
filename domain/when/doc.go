// Package when reads times as people say them in English: "in half an hour",
// "tomorrow at 8", "every Monday and Thursday at 18:00".
//
// [Parse] finds the time in a sentence, and says which parts of the sentence it
// was; what is left is what the time is for. It has no clock: the present and the
// zone are arguments, so that the same sentence means the same in a replay.
//
// [ParsePast] reads the same words for a time that has passed, for looking back:
// "yesterday", "2 hours ago", "last Monday at 8".
//
// # What is taken for what
//
//   - A day without a time is meant at 09:00, a morning, afternoon, evening or
//     night too at its own hour.
//   - "at 8" without a day is the next 8 o'clock, in the morning or in the evening.
//     With a day, 1 to 5 o'clock are in the afternoon and the rest is read as
//     written: "tomorrow at 8" is 08:00, "tomorrow at 3" is 15:00. A leading zero, a
//     number above 12, am and pm are what they say.
//   - "on Friday" and "next Friday" are the first Friday that lies ahead; the second
//     is never today.
//   - "in 2 hours" counts hours as they pass; "in 2 days" keeps the time on the wall.
//   - A recurrence of days and longer keeps the time on the wall too. A time that the
//     clocks skip is moved ahead by as much as they are, and of one that comes twice
//     the first counts.
//
// # Failure
//
// Where one is wanted that lies ahead, a time that has passed, a date that doesn't exist, two times that contradict and
// no time at all are validation errors that say what was understood and ask back.
// Nothing is guessed where a sentence leaves it open.
package when
