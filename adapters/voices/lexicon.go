package voices

import (
	"bufio"
	"bytes"
	"io"
	"slices"
	"strings"
)

// lexicon is a dictionary for PocketSphinx with those words, in the order of the words: as they
// stand in a larger one, with all their pronunciations, or else by rules.
func lexicon(words []string, from io.Reader) ([]byte, error) {
	wanted := map[string][]string{}
	for _, word := range words {
		wanted[word] = nil
	}
	lines := bufio.NewScanner(from)
	for lines.Scan() {
		entry, _, found := bytes.Cut(lines.Bytes(), []byte(" "))
		if !found {
			continue
		}
		base, _, _ := bytes.Cut(entry, []byte("("))
		if _, ok := wanted[string(base)]; ok {
			wanted[string(base)] = append(wanted[string(base)], lines.Text())
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	var out bytes.Buffer
	for _, word := range words {
		entries := wanted[word]
		if entries == nil {
			phones := pronounced(word)
			if len(phones) == 0 {
				continue
			}
			entries = []string{word + " " + strings.Join(phones, " ")}
		}
		for _, line := range entries {
			out.WriteString(line)
			out.WriteByte('\n')
		}
	}
	return out.Bytes(), nil
}

// letterRules say how groups of letters sound, in the phones of CMU's dictionary, the longer
// groups first. They are made for names, which no dictionary has: mostly as they are written.
var letterRules = [][2]string{
	{"tch", "CH"}, {"sch", "SH"}, {"tion", "SH AH N"}, {"sion", "ZH AH N"}, {"ight", "AY T"}, {"eigh", "EY"}, {"ough", "AO"}, {"dge", "JH"}, {"que", "K"},
	{"shch", "SH CH"}, {"kh", "K"}, {"zh", "ZH"}, {"ch", "CH"}, {"sh", "SH"}, {"th", "TH"}, {"ph", "F"}, {"wh", "W"}, {"ck", "K"}, {"ng", "NG"}, {"qu", "K W"}, {"wr", "R"}, {"kn", "N"}, {"gh", "G"},
	{"ai", "EY"}, {"ay", "EY"}, {"au", "AO"}, {"aw", "AO"}, {"ee", "IY"}, {"ea", "IY"}, {"ei", "AY"}, {"ey", "IY"}, {"eu", "UW"}, {"ew", "UW"}, {"ie", "IY"}, {"oa", "OW"}, {"oe", "OW"}, {"oi", "OY"}, {"oo", "UW"}, {"ou", "AW"}, {"ow", "OW"}, {"oy", "OY"}, {"ue", "UW"}, {"ui", "UW IY"}, {"uy", "AY"}, {"iy", "IY"},
	{"ar", "AA R"}, {"er", "ER"}, {"ir", "ER"}, {"or", "AO R"}, {"ur", "ER"},
	{"bb", "B"}, {"cc", "K"}, {"dd", "D"}, {"ff", "F"}, {"gg", "G"}, {"ll", "L"}, {"mm", "M"}, {"nn", "N"}, {"pp", "P"}, {"rr", "R"}, {"ss", "S"}, {"tt", "T"}, {"zz", "Z"},
	{"ce", "S EH"}, {"ci", "S IH"}, {"cy", "S IY"}, {"ge", "JH EH"}, {"gi", "JH IH"},
	{"a", "AA"}, {"b", "B"}, {"c", "K"}, {"d", "D"}, {"e", "EH"}, {"f", "F"}, {"g", "G"}, {"h", "HH"}, {"i", "IH"}, {"j", "JH"}, {"k", "K"}, {"l", "L"}, {"m", "M"}, {"n", "N"}, {"o", "OW"}, {"p", "P"}, {"q", "K"}, {"r", "R"}, {"s", "S"}, {"t", "T"}, {"u", "UW"}, {"v", "V"}, {"w", "W"}, {"x", "K S"}, {"y", "Y"}, {"z", "Z"},
}

// spelt are the names of letters, for words that can't be read.
var spelt = map[rune]string{
	'a': "EY", 'b': "B IY", 'c': "S IY", 'd': "D IY", 'e': "IY", 'f': "EH F", 'g': "JH IY", 'h': "EY CH", 'i': "AY", 'j': "JH EY", 'k': "K EY", 'l': "EH L", 'm': "EH M",
	'n': "EH N", 'o': "OW", 'p': "P IY", 'q': "K Y UW", 'r': "AA R", 's': "EH S", 't': "T IY", 'u': "Y UW", 'v': "V IY", 'w': "D AH B AH L Y UW", 'x': "EH K S", 'y': "W AY", 'z': "Z IY",
}

// pronounced is how a word sounds by rules; without a vowel it is spelt.
func pronounced(word string) (phones []string) {
	if !strings.ContainsAny(word, "aeiouy") {
		for _, r := range word {
			phones = append(phones, strings.Fields(spelt[r])...)
		}
		return phones
	}
	for rest := strings.ReplaceAll(word, "'", ""); rest != ""; {
		first := len(phones) == 0
		at := slices.IndexFunc(letterRules, func(rule [2]string) bool { return strings.HasPrefix(rest, rule[0]) })
		switch {
		case at < 0:
			rest = rest[1:]
			continue
		case rest == "e" && !first:
			return phones // it is silent at the end
		case rest == "y" && !first:
			return append(phones, "IY")
		case rest == "o" || rest == "a" && !first:
			last := map[string]string{"o": "OW", "a": "AH"}[rest]
			return append(phones, last)
		}
		phones = append(phones, strings.Fields(letterRules[at][1])...)
		rest = rest[len(letterRules[at][0]):]
	}
	return phones
}
