package relate

// FamilySize is how many letters two long words must begin with to be of a family.
const FamilySize = partSize

// Stem writes a word the way two texts are compared: two words with the same stem
// are one word to this package. Callers that replace the words of texts need it
// to keep related texts related.
func Stem(word string) string { return stem(fold(word)) }
