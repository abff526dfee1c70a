// Package when reads times as people say them in English: "in half an hour", "the last
// Friday of March at a quarter past nine", "every day except weekends at 8 until Easter".
//
// [Parse] finds the time in a sentence, and says which parts of the sentence it
// was; what is left is what the time is for. It has no clock: the present and the
// zone are arguments, so that the same sentence means the same in a replay.
//
// [ParsePast] reads the same words for a time that has passed, for looking back:
// "yesterday", "2 hours ago", "last Monday at 8".
//
// # How it reads
//
// A sentence is a row of tokens: words, numbers, marks. A part of a time is read where it
// begins, by the longest of its forms: days (a date, a weekday, a feast, the third week of
// March), a time of day or a part of one, a span, a zone, a recurrence. Parts that stand
// beside each other are one time, and those of days are joined: Wednesday and next week,
// Friday and the 13th. Days are looked for in their cycles, a week, a month or a year,
// from the present on, until the time of day lies ahead.
//
// What bounds a recurrence may stand before it, and apart from it where the sentence begins
// with it: "until the end of June remind me each Wednesday at 4".
//
// # What is known already
//
// A time that is moved leaves open what stays: its day, its time of day, the half of the day. That
// is given to the [Text] as what it is ([Text.OnDay], [Text.AtClockOf], [Text.InHalf]), and a time that
// nobody says at all is [Known]: no words are made of a time to be read again.
//
// # Nothing unread is swallowed
//
// [Time.Unread] are words that speak of time and weren't read, with those beside a time that
// can only belong to it: "every" before a feast, "evenings" before a time of day, 5-6. [Time.Loose]
// are those that stand where only a time does: "remind me Vesak at 5 to …". Who sets something by a
// time asks about them first. Words between quotation marks are never read.
//
// # What is taken for what
//
//   - A day without a time is meant at 09:00, and so is what comes back, unless it counts
//     hours or minutes; a morning, afternoon, evening or night too at its own hour.
//   - "at 8" without a day is the next 8 o'clock, in the morning or in the evening.
//     With a day, 1 to 5 o'clock are in the afternoon and the rest is read as
//     written: "tomorrow at 8" is 08:00, "tomorrow at 3" is 15:00. A leading zero, a
//     number above 12, am and pm are what they say. Dinner, drinks and the like are in the
//     evening; who wakes up or has breakfast does so in the morning, and who goes to bed does
//     so late or in the night. An appointment to meet at 6 or 7 is in the evening. "Half six" is half past six.
//   - "on Friday" is the first Friday that lies ahead, "next Friday" that of the next
//     week. A week begins on Monday, a weekend on Friday at 18:00: a reminder for it comes
//     on Saturday.
//   - Of a longer period a reminder comes on its first day that lies ahead, for the end of
//     one on its last. A time of day for the next ten days is meant on each of them.
//   - "Monday to Friday" is from this Monday on; with a time of day it is each week. So are
//     "Sunday evenings" and "school days". "The third Friday of March and June" is each year.
//   - Several times of a day are one recurrence where they come back and their minutes are the
//     same; "at 9, 1 and 5" go up.
//   - 3/4 is in April, where people write the day first; in the United States it is in
//     March, and where the zone doesn't tell the country it is asked about. 7.12 alone is
//     neither a day nor a time; "on 7.12" is a day in countries that write it so.
//   - "from 9 to 11" begins at 9. "Before Friday" is the day before, "after Friday" the next.
//     "The Friday after next" is asked about while this week's lies ahead.
//   - A weekday and a date are one day, and asked about where they aren't.
//   - "when it's 4 pm in London" is by London's clock; "at 4 pm in London" is asked about by
//     those whose clock shows another time.
//   - Behind a time of day, what stands after "to" is to be said: of "at 6 to plan the
//     weekend" the weekend is left over, and asked about.
//   - "at 5pm Hyderabad time" goes by the zone of the place. A name that several places
//     have is asked about, and one written small is a word: bath time.
//   - "2 hours before my flight on Friday at 10:40" is 08:40.
//   - "in 2 hours" counts hours as they pass; "in 2 days" keeps the time on the wall.
//   - A recurrence is a rule of RFC 5545, which [Next] follows. Of days and longer it keeps
//     the time on the wall. A time that the clocks skip is moved ahead by as much as they
//     are, and of one that comes twice the first counts.
//   - Feasts are those of the Western and the Orthodox year, and days with a name in
//     English-speaking countries. Those that the moon counts aren't known, and are asked
//     about.
//
// # Failure
//
// Where one is wanted that lies ahead, a time that has passed, a date that doesn't exist, two times that contradict and
// no time at all are validation errors that say what was understood and ask back.
// Nothing is guessed where a sentence leaves it open.
package when
