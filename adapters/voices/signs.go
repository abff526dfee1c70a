package voices

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// inASCII is English text in the only characters that Flite has words for: signs as they are said,
// and letters without accents. all reports whether nothing is lost but ornaments: Flite passes
// over what it doesn't know, and an amount would go with it.
func inASCII(text string) (said string, all bool) {
	for _, s := range signs {
		text = s.form.ReplaceAllString(text, s.by)
	}
	text = words.Replace(text)
	all = true
	said = strings.Map(func(r rune) rune {
		switch {
		case r <= unicode.MaxASCII:
			return r
		case unicode.Is(unicode.Mn, r):
			return -1
		case unicode.IsSpace(r):
			return ' '
		case unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.In(r, unicode.Sc, unicode.Sm):
			all = false
		}
		return ' '
	}, letters.Replace(norm.NFKD.String(text)))
	return said, all
}

// signs are read by what is beside them, in this order.
var signs = []struct {
	form *regexp.Regexp
	by   string
}{
	{regexp.MustCompile(`(\d)[\x{00a0}\x{202f}\x{2009}](\d{3})\b`), "$1$2"}, // 10 000
	{regexp.MustCompile(`(^|[\s(\pP])[\x{2212}\x{2013}\x{ff0d}](\d)`), "${1}minus $2"},
	{regexp.MustCompile(`(\d|\d\s?[°%€£]|[½¼¾])\s?[\x{2013}\x{2012}\x{2014}\x{2212}]\s?([\d€£$½¼¾])`), "$1 to $2"},
	{regexp.MustCompile(`\s*[\x{2013}\x{2014}\x{2015}]\s*`), ", "},
	{regexp.MustCompile(`(\d)\s?½`), "$1 and a half"},
	{regexp.MustCompile(`(\d)\s?([¼¾⅓⅔⅕⅖⅗⅘⅙⅚⅐⅛⅜⅝⅞⅑⅒])`), "$1 and $2"},
	{regexp.MustCompile(`€\s?1($|[^\d.,]|[.,](?:\D|$))`), "1 euro$1"}, {regexp.MustCompile(`€\s?(\d[\d,.]*\d|\d)`), "$1 euros"}, {regexp.MustCompile(`(^|\D)1\s?€`), "${1}1 euro"},
	{regexp.MustCompile(`£\s?1($|[^\d.,]|[.,](?:\D|$))`), "1 pound$1"}, {regexp.MustCompile(`£\s?(\d[\d,.]*\d|\d)`), "$1 pounds"}, {regexp.MustCompile(`(^|\D)1\s?£`), "${1}1 pound"},
	{regexp.MustCompile(`([¥₹₽₴₺₩₿₪₫₱₦])\s?(\d[\d,.]*\d|\d)`), "$2 $1"},
	{regexp.MustCompile(`(^|\D)1\s?¢`), "${1}1 cent"},
	{regexp.MustCompile(`°\s?C\b|℃`), " degrees Celsius"}, {regexp.MustCompile(`°\s?F\b|℉`), " degrees Fahrenheit"}, {regexp.MustCompile(`°`), " degrees"},
	{regexp.MustCompile(`\b([kcm]?)m²`), " square ${1}m"}, {regexp.MustCompile(`\b([kcm]?)m³`), " cubic ${1}m"},
	{regexp.MustCompile(`[µμ]g\b`), " micrograms"}, {regexp.MustCompile(`[µμ]m\b`), " micrometers"}, {regexp.MustCompile(`[µμ]s\b`), " microseconds"},
	{regexp.MustCompile(`(\d)\s?'?′(\s|$)`), "$1 minutes$2"},
}

// words are signs as they are said wherever they stand.
var words = strings.NewReplacer(
	"½", " one half ", "¼", " one quarter ", "¾", " three quarters ", "⅓", " one third ", "⅔", " two thirds ", "⅕", " one fifth ", "⅖", " two fifths ",
	"⅗", " three fifths ", "⅘", " four fifths ", "⅙", " one sixth ", "⅚", " five sixths ", "⅐", " one seventh ", "⅛", " one eighth ", "⅜", " three eighths ",
	"⅝", " five eighths ", "⅞", " seven eighths ", "⅑", " one ninth ", "⅒", " one tenth ",
	"€", " euros ", "£", " pounds ", "¥", " yen ", "₹", " rupees ", "₽", " rubles ", "₴", " hryvnias ", "₺", " lira ", "₩", " won ", "₿", " bitcoins ", "₪", " shekels ",
	"₫", " dong ", "₱", " pesos ", "₦", " naira ", "¢", " cents ",
	"×", " times ", "÷", " divided by ", "±", " plus or minus ", "−", " minus ", "≈", " about ", "≠", " is not ", "≤", " at most ", "≥", " at least ", "√", " the square root of ",
	"∞", " infinity ", "∑", " the sum of ", "→", " to ", "←", " from ", "↑", " up ", "↓", " down ", "²", " squared ", "³", " cubed ", "‰", " per thousand ", "№", " number ", "§", " section ",
	"µ", " micro ", "μ", " micro ", "π", " pi ", "Ω", " ohms ", "Ω", " ohms ", "α", " alpha ", "β", " beta ", "γ", " gamma ", "Δ", " delta ", "λ", " lambda ",
	"©", " copyright ", "®", " ", "™", " ", "…", "...", "•", ", ", "·", " ", "‘", "'", "’", "'", "ʼ", "'", "“", `"`, "”", `"`, "„", `"`, "«", `"`, "»", `"`, "✓", " done ", "✔", " done ",
	"⁄", "/", "‐", "-", "‑", "-", "\u200b", "", "\u200d", "", "\ufe0f", "", "\u00ad", "",
)

// letters are those that no accent makes of another.
var letters = strings.NewReplacer("ß", "ss", "æ", "ae", "Æ", "Ae", "œ", "oe", "Œ", "Oe", "ø", "o", "Ø", "O", "ł", "l", "Ł", "L", "đ", "d", "Đ", "D", "ð", "th", "Ð", "Th",
	"þ", "th", "Þ", "Th", "ı", "i", "ħ", "h", "ŋ", "ng", "\u2044", "/")
