// Package concern reads what a message says of something planned, and finds the plan that it means.
//
//	said := concern.Read(concern.Message{Text: "Your appointment on Monday moved to 3pm", Sender: "hilltop", Topic: "cardiology", At: now, Zone: zone})
//	said.Whens        // "3pm"
//	said.Among(plans) // the plans that fit best, and whether that is sure
//
// # Which plan
//
// Plans are weighed by what is known of the one that is meant, in this order: its day and its time
// of day, as the message has them; the topic; the sender; the metadata; the words. What says less is
// asked only where what says more tells none apart. A plan on another day than the one that is named
// isn't meant, and neither is one that is about something else altogether: a dinner isn't what a
// hospital's appointment means (senses.txt). Where several fit alike all of them are returned, so
// that who asks can ask which.
//
// A message that names nothing but an appointment means any of the next days that it can be used of.
//
// # Languages
//
// English, German, French and Spanish (words.txt). Times are given back in English, as domain/when
// reads them.
//
// Everything here is a pure function of its arguments, and no text makes it fail.
package concern
