// Package voices speaks and hears with programs of this machine: Flite speaks English,
// espeak-ng all other languages, PocketSphinx hears English, and ffmpeg reads WebM. They need
// no network.
//
// Each is a child process of its own, begun for one task: no shell, an environment with
// nothing of Chalie's, the text on its standard input, and a folder that only it writes to and
// that is removed afterwards. What it may write, and on Linux its memory and processor time,
// are bounded. When its context ends its whole process group is killed and waited for.
//
// A program that isn't installed is no error: Engine says so, with the command that installs
// it, and looks anew each time, so that no restart is needed.
//
// # Hearing
//
// PocketSphinx hears what its language model lets it expect. The model is made anew of the
// sentences that people say to Chalie (sentences.txt) and of what Chalie knows at that moment:
// trigrams in the ARPA format, with absolute discounting and back-off. Words are pronounced as
// Debian's dictionary has them, others by rules of letters. The words that are said most about
// anything (words.txt) may stand anywhere, or what isn't a command would be heard as one. The
// confidence is the geometric mean of the words' posteriors, weighted by their length: one
// word that wasn't understood can make the sentence another.
//
// To test with it: Program.Path names another program; the tests use themselves, to hang and
// to die.
package voices
