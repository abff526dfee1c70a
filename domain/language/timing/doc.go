// Package timing reads the times of plans: what words say when something is planned, and what they leave open when
// it is moved, which is taken from the time that it had.
//
//	to := timing.Kept(was, when.Look("at 5", now, zone), now, zone) // on its day, in its half of it
//	at, err := to.Parse()
//
// Times stay a [when.Text] for as long as something may still be known of them; no words are made to be read
// again. Everything here is a function of its arguments, and errors are those of package when.
package timing
