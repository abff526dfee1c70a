package voices

import (
	"fmt"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"

	"chalie/commands/voice"
	"chalie/domain"
)

// spokenCommands are what a person may say to Chalie, in words of their own: few of them stand
// in the corpus as they are.
var spokenCommands = []string{
	"Remind me to call the dentist tomorrow at nine.",
	"Add milk and eggs to the shopping list.",
	"What is on my calendar today?",
	"Set an alarm for six thirty tomorrow morning.",
	"When is my next appointment?",
	"Cancel the meeting with Peter on Friday.",
	"Tell me about the weather in Berlin.",
	"Please remind me to water the plants on Sunday evening.",
	"Move the dentist appointment to Tuesday at three.",
	"What do I have planned for the weekend?",
	"Take the batteries off the hardware list.",
	"Put apples and cheese on the grocery list.",
	"Do I have anything on Thursday afternoon?",
	"Remember that Anna likes dark chocolate.",
	"What do you know about Anna?",
	"Set a timer for twenty minutes.",
	"Wake me up at seven o'clock.",
	"Why did you tell me about the rain?",
	"I have a concert on Saturday at eight in the evening.",
	"Renew the parking permit by Monday.",
	"Is the parking permit still on my list?",
	"Ask Luigi's for a table for two tonight.",
	"Book a table at Luigi's for four people on Friday.",
	"Cancel my reservation at Luigi's.",
	"Show me the risk dashboard.",
	"What happened yesterday?",
	"Forget what I said about the landlord.",
	"Remind me every Monday at ten to take out the trash.",
	"Undo the last change.",
	"How many days until December twenty fourth?",
	"What time is it in London?",
	"Delete the reminder to pay the rent.",
	"Put a meeting with John in my calendar on Wednesday at half past two.",
	"Which tasks do I have this week?",
	"Mark the parking permit as done.",
	"Add a task to finish the quarterly report.",
	"Snooze it for ten minutes.",
	"Thank you, that is all for now.",
	"Where did I park the car?",
	"Read my messages, please.",
}

// knownAtTheTest is what Chalie would know in a house where these are said.
var knownAtTheTest = voice.Vocabulary{
	Phrases: []string{"renew the parking permit", "hardware", "batteries", "finish the quarterly report", "dinner reservation at Luigi's", "Anna likes dark chocolate",
		"get menu", "book table", "Book a table at the restaurant.", "cancel reservation", "Cancel a reservation by its code."},
	Names: []string{"Luigi's", "Hilltop Hospital", "Stock Exchange", "Anna"},
}

// distance is how many words have to be put in, taken out or replaced to come from one
// sentence to another.
func distance(from, to []string) int {
	row := make([]int, len(to)+1)
	for j := range row {
		row[j] = j
	}
	for i, a := range from {
		diagonal := row[0]
		row[0] = i + 1
		for j, b := range to {
			above := row[j+1]
			cost := 1
			if a == b {
				cost = 0
			}
			row[j+1] = min(above+1, row[j]+1, diagonal+cost)
			diagonal = above
		}
	}
	return row[len(to)]
}

func TestDistance(t *testing.T) {
	for _, c := range []struct {
		from, to string
		want     int
	}{{"", "", 0}, {"a b c", "a b c", 0}, {"a b c", "a c", 1}, {"a b c", "a x c d", 2}, {"", "a b", 2}, {"a b", "", 2}} {
		if got := distance(strings.Fields(c.from), strings.Fields(c.to)); got != c.want {
			t.Errorf("from %q to %q it is %d, want %d", c.from, c.to, got, c.want)
		}
	}
}

// needs skips where an engine isn't installed; on CI all are.
func needs(t testing.TB, engines ...voice.Engine) {
	t.Helper()
	for _, e := range engines {
		switch {
		case e.Missing == "":
		case os.Getenv("CI") != "":
			t.Fatalf("on CI every engine is there: %s", e.Missing)
		default:
			t.Skipf("not without every engine: %s", e.Missing)
		}
	}
}

// TestWordErrorRate speaks forty commands and holds what is heard of them to the words.
func TestWordErrorRate(t *testing.T) {
	flite, sphinx := Flite{}, &PocketSphinx{}
	needs(t, flite.Engine(), sphinx.Engine())
	const most = 0.25
	all := make([]voice.Heard, len(spokenCommands))
	var working sync.WaitGroup
	free := make(chan struct{}, runtime.NumCPU())
	for i, said := range spokenCommands {
		free <- struct{}{}
		working.Go(func() {
			defer func() { <-free }()
			sound, err := flite.Speak(t.Context(), voice.Utterance{Text: said, Language: "en", Voice: voice.Timbres()[0], Speed: domain.One})
			if err == nil {
				all[i], err = sphinx.Hear(t.Context(), sound, knownAtTheTest)
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	working.Wait()
	words, wrong, whole, doubted := 0, 0, 0, 0
	for i, said := range spokenCommands {
		heard := all[i]
		want := spokenWords(said)
		n := distance(want, strings.Fields(heard.Text))
		words, wrong = words+len(want), wrong+n
		mark := " "
		if n == 0 {
			whole++
		} else {
			mark = fmt.Sprint(n)
		}
		if heard.Confidence < voice.DefaultConfident {
			doubted++
		}
		t.Logf("%s %s %q heard as %q", mark, heard.Confidence, said, heard.Text)
	}
	rate := float64(wrong) / float64(words)
	t.Logf("word error rate %.3f: %d of %d words; %d of %d commands word for word, %d would be asked to be repeated", rate, wrong, words, whole, len(spokenCommands), doubted)
	if len(spokenCommands) != 40 || rate > most {
		t.Errorf("the word error rate of %d commands is %.3f, want %.2f at most", len(spokenCommands), rate, most)
	}
}

// TestCommandsAreNew holds the commands to being no copies of the corpus: that would measure
// nothing but whether sentences are found again.
func TestCommandsAreNew(t *testing.T) {
	var all []string
	for _, sentence := range corpus(knownAtTheTest) {
		all = append(all, strings.Join(sentence, " "))
	}
	found := 0
	for _, said := range spokenCommands {
		if slices.Contains(all, strings.Join(spokenWords(said), " ")) {
			found++
		}
	}
	t.Logf("%d of %d commands stand in the corpus of %d sentences as they are", found, len(spokenCommands), len(all))
	if found > len(spokenCommands)/2 {
		t.Errorf("%d of the commands stand in the corpus: say them otherwise", found)
	}
}
