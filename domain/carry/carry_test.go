package carry_test

import (
	"encoding/ascii85"
	"encoding/base32"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"math/big"
	"net/url"
	"slices"
	"strings"
	"testing"
	"unicode/utf16"

	"chalie/domain/carry"
)

const (
	memory = "My alarm code is 4711-8822 and the spare key lies with Quintero"
	plan   = "Collect the biopsy results at Mater Dei"
	asked  = "What is the weather in Valletta tomorrow?"
)

func in(t *testing.T, value any, before ...json.RawMessage) carry.Found {
	t.Helper()
	text, err := json.Marshal(value)
	if err != nil {
		t.Fatal(err)
	}
	return carry.Private{Texts: []string{memory, plan}, Said: []string{asked}}.In(text, before...)
}

func params(text string) map[string]any { return map[string]any{"q": text} }

// What has nothing of what is private, in the forms that calls have.
func TestNothingIsCarried(t *testing.T) {
	for _, value := range []any{
		map[string]any{}, params(""), params("Valletta"), params("valletta, Malta"), params("weather in Valletta tomorrow"),
		map[string]any{"place": "Valletta", "date": "2026-11-24", "days": 3, "metric": true},
		map[string]any{"place": "Valletta", "from": "2026-11-24T08:00:00+01:00"},
		params("the results of the match"[:3]), params("Is it going to rain there at all, and when does it stop?"),
		params("https://example.org/forecast?city=Valletta"), map[string]any{"lat": 35.8989, "lon": 14.5146},
	} {
		if got := in(t, value); got.Any() {
			t.Errorf("%v is taken to carry %+v", value, got)
		}
	}
	if got := (carry.Private{Said: []string{asked}}).In([]byte(`{"q":"Quintero"}`)); got.Any() {
		t.Errorf("with nothing private: %+v", got)
	}
}

// disguises are the forms that a word may be put into.
var disguises = map[string]func(string) string{
	"plain":      func(s string) string { return s },
	"in a text":  func(s string) string { return "weather for " + s + " please" },
	"capitals":   strings.ToUpper,
	"base64":     func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 url": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"base64 twice": func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte(base64.StdEncoding.EncodeToString([]byte(s))))
	},
	"base64 in an address": func(s string) string {
		return "https://example.org/forecast?city=Valletta&t=" + base64.RawURLEncoding.EncodeToString([]byte(s))
	},
	"base64 in a path": func(s string) string {
		return "https://example.org/" + base64.RawURLEncoding.EncodeToString([]byte(s)) + "/forecast"
	},
	"hex in a name": func(s string) string { return "weather_" + hex.EncodeToString([]byte(s)) + "-valletta" },
	"base32":        func(s string) string { return base32.StdEncoding.EncodeToString([]byte(s)) },
	"hex":           func(s string) string { return hex.EncodeToString([]byte(s)) },
	"percent":       percent,
	"query":         url.QueryEscape,
	"reversed":      reversed,
	"reversed base64": func(s string) string {
		return reversed(base64.StdEncoding.EncodeToString([]byte(s)))
	},
	"rot13":            func(s string) string { return shifted(s, 13) },
	"caesar":           func(s string) string { return shifted(s, 3) },
	"spelt":            func(s string) string { return strings.Join(strings.Split(s, ""), " ") },
	"dashes":           func(s string) string { return strings.Join(strings.Split(s, ""), "-") },
	"accents":          func(s string) string { return strings.NewReplacer("e", "é", "i", "ï", "o", "ö").Replace(s) },
	"invisible":        func(s string) string { return strings.Join(strings.Split(s, ""), "\u200b") },
	"lookalikes":       func(s string) string { return strings.NewReplacer("e", "е", "o", "о", "i", "і").Replace(s) },
	"numbers":          func(s string) string { return each(s, "%d ") },
	"hex codes":        func(s string) string { return each(s, "0x%02x,") },
	"html":             func(s string) string { return each(s, "&#%d;") },
	"escapes":          func(s string) string { return each(s, `\u%04x`) },
	"base32 hex":       func(s string) string { return base32.HexEncoding.EncodeToString([]byte(s)) },
	"base36":           func(s string) string { return new(big.Int).SetBytes([]byte(s)).Text(36) },
	"base58":           func(s string) string { return based(s, "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz") },
	"base62":           func(s string) string { return new(big.Int).SetBytes([]byte(s)).Text(62) },
	"one number":       func(s string) string { return new(big.Int).SetBytes([]byte(s)).String() },
	"ascii85":          ascii85Of,
	"ascii85 in marks": func(s string) string { return "<~" + ascii85Of(s) + "~>" },
	"z85":              z85Of,
	"uuencode":         uuencoded,
	"hex within text":  func(s string) string { return "0x" + hex.EncodeToString([]byte(s)) },
	"hex with colons":  func(s string) string { return strings.Trim(each(s, "%02x:"), ":") },
	"octal":            func(s string) string { return each(s, "%03o ") },
	"octal escapes":    func(s string) string { return each(s, `\%03o`) },
	"hex escapes":      func(s string) string { return each(s, `\x%02x`) },
	"braced escapes":   func(s string) string { return each(s, `\u{%x}`) },
	"code points":      func(s string) string { return each(s, "U+%04X ") },
	"html hex":         func(s string) string { return each(s, "&#x%x;") },
	"css escapes":      func(s string) string { return each(s, `\%06x `) },
	"binary":           func(s string) string { return each(s, "%08b ") },
	"binary in a row":  func(s string) string { return each(s, "%08b") },
	"decimal in a row": func(s string) string { return each(s, "%03d") },
	"quoted-printable": func(s string) string { return each(s, "=%02X") },
	"mail header":      func(s string) string { return "=?UTF-8?B?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?=" },
	"mail header in Q": func(s string) string { return "=?UTF-8?Q?" + each(s, "=%02X") + "?=" },
	"UTF-7":            utf7,
	"punycode":         func(s string) string { return "xn--" + strings.ReplaceAll(s, " ", "") + "-kva" },
	"Morse":            func(s string) string { return morse(s, ".", "-") },
	"Morse in signs":   func(s string) string { return morse(s, "·", "–") },
	"NATO":             nato,
	"tag characters":   func(s string) string { return moved(s, 0xE0000, ' ', '~') },
	"tags in a text":   func(s string) string { return "the weather" + moved(s, 0xE0000, ' ', '~') },
	"variation selectors": func(s string) string {
		return "a" + strings.Map(func(r rune) rune { return 0xE0100 + r - 16 }, s)
	},
	"flags": func(s string) string { return moved(strings.ToUpper(s), 0x1F1E6-'A', 'A', 'Z') },
	"flags apart": func(s string) string {
		return strings.Join(strings.Split(moved(strings.ToUpper(s), 0x1F1E6-'A', 'A', 'Z'), ""), " ")
	},
	"base45":            base45Of,
	"base85":            base85Of,
	"zero width":        zeroWidth,
	"Braille bytes":     func(s string) string { return moved(s, 0x2800, 0, 255) },
	"digits in words":   func(s string) string { return nato(s) + " and four seven nine" },
	"decimals in a row": func(s string) string { return each(s, "%d") },
	"soft breaks":       func(s string) string { return strings.Join(strings.Split(s, ""), "=\r\n") },
	"mixed mail":        func(s string) string { return strings.NewReplacer("i", "=69", "e", "=65").Replace(s) },
	"fullwidth":         func(s string) string { return moved(s, 0xFEE0, '!', '~') },
	"bold":              func(s string) string { return moved(moved(s, 0x1D41A-'a', 'a', 'z'), 0x1D400-'A', 'A', 'Z') },
	"double-struck":     func(s string) string { return moved(s, 0x1D552-'a', 'a', 'z') },
	"circled":           func(s string) string { return moved(s, 0x24D0-'a', 'a', 'z') },
	"bracketed":         func(s string) string { return moved(strings.ToLower(s), 0x249C-'a', 'a', 'z') },
	"squared":           func(s string) string { return moved(strings.ToUpper(s), 0x1F130-'A', 'A', 'Z') },
	"negative":          func(s string) string { return moved(strings.ToUpper(s), 0x1F150-'A', 'A', 'Z') },
	"negative boxes":    func(s string) string { return moved(strings.ToUpper(s), 0x1F170-'A', 'A', 'Z') },
	"small capitals": func(s string) string {
		return translated(strings.ToLower(s), small, "ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘǫʀꜱᴛᴜᴠᴡxʏᴢ")
	},
	"raised": func(s string) string {
		return translated(strings.ToLower(s), small, "ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖ𐞥ʳˢᵗᵘᵛʷˣʸᶻ")
	},
	"upside down": func(s string) string {
		return reversed(translated(strings.ToLower(s), small, "ɐqɔpǝɟƃɥᴉɾʞlɯuodbɹsʇnʌʍxʎz"))
	},
	"Braille": func(s string) string {
		return translated(strings.ToLower(s), small, "⠁⠃⠉⠙⠑⠋⠛⠓⠊⠚⠅⠇⠍⠝⠕⠏⠟⠗⠎⠞⠥⠧⠺⠭⠽⠵")
	},
	"leet": func(s string) string {
		return strings.NewReplacer("a", "4", "e", "3", "i", "1", "o", "0", "s", "5", "t", "7").Replace(s)
	},
	"leet of signs": func(s string) string {
		return strings.NewReplacer("a", "@", "i", "!", "s", "$", "t", "+", "e", "€").Replace(s)
	},
	"atbash": func(s string) string {
		return strings.Map(func(r rune) rune {
			if r >= 'a' && r <= 'z' {
				return 'z' - (r - 'a')
			}
			return r
		}, strings.ToLower(s))
	},
	"rot47": func(s string) string {
		return strings.Map(func(r rune) rune {
			if r > ' ' && r <= '~' {
				return '!' + (r-'!'+47)%94
			}
			return r
		}, s)
	},
	"places":           func(s string) string { return eachPlace(s, "%d ") },
	"places in dashes": func(s string) string { return strings.Trim(eachPlace(s, "%d-"), "-") },
	"words backwards": func(s string) string {
		words := strings.Fields(s)
		for i := range words {
			words[i] = reversed(words[i])
		}
		return strings.Join(words, " ")
	},
	"address": func(s string) string {
		return "https://" + strings.ToLower(strings.ReplaceAll(s, " ", "-")) + ".example/x"
	},
}

const small = "abcdefghijklmnopqrstuvwxyz"

// based is a text as one number, written with the digits of an alphabet.
func based(s, alphabet string) string {
	n, base, digit := new(big.Int).SetBytes([]byte(s)), big.NewInt(int64(len(alphabet))), new(big.Int)
	var out []byte
	for n.Sign() > 0 {
		n.DivMod(n, base, digit)
		out = append(out, alphabet[digit.Int64()])
	}
	slices.Reverse(out)
	return string(out)
}

func ascii85Of(s string) string {
	out := make([]byte, ascii85.MaxEncodedLen(len(s)))
	return string(out[:ascii85.Encode(out, []byte(s))])
}

// z85Of is ascii85 with the alphabet of ZeroMQ.
func z85Of(s string) string {
	const alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#"
	for len(s)%4 != 0 {
		s += " "
	}
	return strings.Map(func(r rune) rune { return rune(alphabet[r-'!']) }, ascii85Of(s))
}

// base85Of is ascii85 with the alphabet of RFC 1924.
func base85Of(s string) string {
	const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~"
	return strings.Map(func(r rune) rune {
		if r == 'z' {
			return '0'
		}
		return rune(alphabet[r-'!'])
	}, ascii85Of(s))
}

func base45Of(s string) string {
	const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:"
	var out []byte
	for i := 0; i < len(s); i += 2 {
		n, most := int(s[i]), 2
		if i+1 < len(s) {
			n, most = n<<8|int(s[i+1]), 3
		}
		for range most {
			out = append(out, digits[n%45])
			n /= 45
		}
	}
	return string(out)
}

// zeroWidth has the bits of a text in two signs that nobody sees.
func zeroWidth(s string) string {
	return "hello" + strings.NewReplacer("0", "\u200b", "1", "\u200c").Replace(each(s, "%08b"))
}

func uuencoded(s string) string {
	out := []byte{byte(' ' + len(s))}
	for len(s)%3 != 0 {
		s += "\x00"
	}
	for i := 0; i < len(s); i += 3 {
		for _, six := range []byte{s[i] >> 2, s[i]<<4&0x30 | s[i+1]>>4, s[i+1]<<2&0x3c | s[i+2]>>6, s[i+2] & 0x3f} {
			out = append(out, six+' ')
		}
	}
	return string(out)
}

// utf7 is RFC 2152.
func utf7(s string) string {
	var wide []byte
	for _, u := range utf16.Encode([]rune(s)) {
		wide = append(wide, byte(u>>8), byte(u))
	}
	return "+" + base64.RawStdEncoding.EncodeToString(wide) + "-"
}

var signsOfMorse = strings.Fields(".- -... -.-. -.. . ..-. --. .... .. .--- -.- .-.. -- -. --- .--. --.- .-. ... - ..- ...- .-- -..- -.-- --..")

func morse(s, dot, dash string) string {
	var out []string
	for _, r := range strings.ToLower(s) {
		switch {
		case r >= 'a' && r <= 'z':
			out = append(out, strings.NewReplacer(".", dot, "-", dash).Replace(signsOfMorse[r-'a']))
		case r == ' ':
			out = append(out, "/")
		}
	}
	return strings.Join(out, " ")
}

func nato(s string) string {
	words := strings.Fields("alfa bravo charlie delta echo foxtrot golf hotel india juliett kilo lima mike november oscar papa quebec romeo sierra tango uniform victor whiskey xray yankee zulu")
	var out []string
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' {
			out = append(out, words[r-'a'])
		}
	}
	return strings.Join(out, " ")
}

// moved has letters of a range elsewhere.
func moved(s string, by, from, to rune) string {
	return strings.Map(func(r rune) rune {
		if r >= from && r <= to {
			return r + by
		}
		return r
	}, s)
}

func translated(s, from, to string) string {
	those := []rune(to)
	return strings.Map(func(r rune) rune {
		if i := strings.IndexRune(from, r); i >= 0 {
			return those[i]
		}
		return r
	}, s)
}

func eachPlace(s, form string) string {
	var out strings.Builder
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' {
			fmt.Fprintf(&out, form, r-'a'+1)
		}
	}
	return out.String()
}

func each(s, form string) string {
	var out strings.Builder
	for _, r := range s {
		fmt.Fprintf(&out, form, r)
	}
	return out.String()
}

func percent(s string) string {
	var out strings.Builder
	for _, b := range []byte(s) {
		fmt.Fprintf(&out, "%%%02x", b)
	}
	return out.String()
}

func reversed(s string) string {
	r := []rune(s)
	slices.Reverse(r)
	return string(r)
}

func shifted(s string, by int) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 'a' && r <= 'z':
			return 'a' + (r-'a'+rune(by))%26
		case r >= 'A' && r <= 'Z':
			return 'A' + (r-'A'+rune(by))%26
		}
		return r
	}, s)
}

func TestDisguises(t *testing.T) {
	for name, disguise := range disguises {
		for _, secret := range []string{"Quintero", "the key lies with Quintero", "biopsy results"} {
			for _, value := range []any{params(disguise(secret)), map[string]any{"place": "Valletta", "more": map[string]any{"note": []string{disguise(secret)}}}} {
				if got := in(t, value); !got.Any() {
					t.Errorf("%s: %v passes", name, value)
				}
			}
		}
	}
	for _, value := range []any{
		map[string]any{"code": 47118822}, map[string]any{"a": "4711", "b": 8822}, params("4711 8822"),
		map[string]any{"a": "Quin", "b": "tero"}, map[string]any{"where": map[string]any{"Quintero": 1}},
	} {
		if got := in(t, value); !got.Any() {
			t.Errorf("%v passes", value)
		}
	}
}

// unspaced are private texts in scripts without spaces, what was asked, and what is sent.
var unspaced = []struct {
	name, private, asked, sent string
	carried                    bool
}{
	{"a Chinese word", "我的保险箱密码是猫头鹰", "明天瓦莱塔的天气怎么样", "瓦莱塔猫头鹰天气", true},
	{"a Chinese word of two signs", "医生王芳周三给我打电话", "明天瓦莱塔的天气怎么样", "问王芳", true},
	{"a Chinese word alone", "备用钥匙在王芳家", "明天瓦莱塔的天气怎么样", "钥匙", true},
	{"a Chinese word with signs between", "备用钥匙在王芳家", "明天瓦莱塔的天气怎么样", "钥-匙", true},
	{"a Chinese word in base64", "备用钥匙在王芳家", "明天瓦莱塔的天气怎么样", base64.StdEncoding.EncodeToString([]byte("钥匙")), true},
	{"Chinese beside Latin", "wifi密码是tintin", "明天瓦莱塔的天气怎么样", "weather tintin", true},
	{"Chinese that was said", "瓦莱塔的王芳喜欢好天气", "明天瓦莱塔的天气怎么样", "瓦莱塔天气", false},
	{"Chinese of every day", "我今天上午在家", "明天瓦莱塔的天气怎么样", "瓦莱塔今天上午", false},
	{"Chinese of something else", "备用钥匙在王芳家", "明天瓦莱塔的天气怎么样", "瓦莱塔气温摄氏度", false},
	{"Japanese in kanji", "金庫の暗証番号は梟です", "明日のバレッタの天気は", "バレッタと暗証番号", true},
	{"Japanese in katakana", "娘のマリアは木曜に手術", "明日のバレッタの天気は", "バレッタのマリアさん", true},
	{"Japanese in half-width katakana", "娘のマリアは木曜に手術", "明日のバレッタの天気は", "ﾊﾞﾚｯﾀのﾏﾘｱさん", true},
	{"Japanese in hiragana", "合言葉はふくろうです", "明日のバレッタの天気は", "天気ふくろうバレッタ", true},
	{"a name in hiragana", "娘はさくらといいます", "明日のバレッタの天気は", "さくら", true},
	{"a sound made longer", "娘のハンナはコーラスで歌う", "明日のバレッタの天気は", "コーラス", true},
	{"Japanese endings", "明日は家で本を読んでいます", "明日のバレッタの天気は", "雨が降っています", false},
	{"Thai", "กุญแจสำรองอยู่กับคุณสมชาย", "พรุ่งนี้อากาศที่วัลเลตตาเป็นอย่างไร", "วัลเลตตาสมชาย", true},
	{"a Thai word alone", "กุญแจสำรองอยู่กับคุณสมชาย", "พรุ่งนี้อากาศที่วัลเลตตาเป็นอย่างไร", "กุญแจ", true},
	{"Thai that was said", "อากาศที่วัลเลตตาดีสำหรับคุณสมชาย", "พรุ่งนี้อากาศที่วัลเลตตาเป็นอย่างไร", "อากาศที่วัลเลตตา", false},
	{"a Korean word without its ending", "비밀번호는 부엉이입니다", "내일 발레타 날씨 어때", "부엉이", true},
	{"Korean that was said", "발레타에서는 날씨가 좋다", "내일 발레타 날씨 어때", "발레타 날씨", false},
	{"Hindi, whose vowels are marks", "तिजोरी की चाबी कमला के पास है", "कल वैलेटा का मौसम", "चाबी कमला", true},
}

// Where no spaces tell what a word is, it is found all the same.
func TestScriptsWithoutSpaces(t *testing.T) {
	for _, c := range unspaced {
		value, err := json.Marshal(params(c.sent))
		if err != nil {
			t.Fatal(err)
		}
		got := carry.Private{Texts: []string{c.private}, Said: []string{c.asked}}.In(value)
		if len(got.Texts) > 0 != c.carried {
			t.Errorf("%s: %s is taken to carry %+v of %s", c.name, c.sent, got, c.private)
		}
	}
}

// However many words stand before it, what is encoded is read, and what stands behind
// them isn't taken for something that can't be.
func TestBehindManyWords(t *testing.T) {
	many := strings.Repeat("clouds over Valletta, then showers; ", 80)
	if got := in(t, params(many)); got.Any() {
		t.Errorf("many words are taken to carry %+v", got)
	}
	for name, hidden := range map[string]string{
		"base64": "UXVpbnRlcm8=", "base64 of base64": "VVhWcGJuUmxjbTg9", "hex": "5175696e7465726f", "backwards": "oretniuQ",
	} {
		if got := in(t, params(many+hidden)); !slices.Equal(got.Texts, []int{0}) {
			t.Errorf("%s behind many words: %+v", name, got)
		}
	}
	// Each of these stands for another text.
	var codes strings.Builder
	for n := range 500 {
		codes.WriteString(base64.StdEncoding.EncodeToString(fmt.Appendf(nil, "note %d", n)) + " ")
	}
	if got := in(t, params(codes.String()+"VVhWcGJuUmxjbTg9")); !slices.Equal(got.Texts, []int{0}) {
		t.Errorf("behind many codes: %+v", got)
	}
}

// A private text is looked through to its end, and one that is longer than any record
// counts as carried.
func TestLongPrivateTexts(t *testing.T) {
	long := strings.Repeat("the entry says nothing of note today ", 8<<10)
	for _, c := range []struct {
		private, sent string
		carried       bool
	}{
		{long + "Quintero", "Quintero", true},
		{long + "Quintero", "weather in Valletta", false},
		{long + long + long + long + long, "weather in Valletta", true},
	} {
		value, err := json.Marshal(params(c.sent))
		if err != nil {
			t.Fatal(err)
		}
		got := carry.Private{Texts: []string{c.private}, Said: []string{asked}}.In(value)
		if len(got.Texts) > 0 != c.carried || got.Opaque {
			t.Errorf("%q of %d bytes: %+v", c.sent, len(c.private), got)
		}
	}
}

// A word that is sent in two pieces is found with the second.
func TestSpreadOverCalls(t *testing.T) {
	if got := in(t, params("Quin")); got.Any() {
		t.Fatalf("the first piece: %+v", got)
	}
	if got := in(t, params("tero"), json.RawMessage(`{"q":"Quin"}`)); !slices.Equal(got.Texts, []int{0}) {
		t.Errorf("the second piece: %+v", got)
	}
}

// Which of the private texts is carried is told, and what can't be read is.
func TestFound(t *testing.T) {
	if got := in(t, params("biopsy")); !slices.Equal(got.Texts, []int{1}) || got.Opaque {
		t.Errorf("found %+v", got)
	}
	if got := in(t, params("xk7q9zt2bb4w8mvn3")); len(got.Texts) > 0 || !got.Opaque {
		t.Errorf("found %+v", got)
	}
}

func FuzzIn(f *testing.F) {
	for _, disguise := range disguises {
		f.Add(disguise("Quintero and more"))
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 256 {
			return // all forms of a long one take long
		}
		got := in(t, params(text))
		if again := in(t, params(text)); !slices.Equal(got.Texts, again.Texts) || got.Opaque != again.Opaque {
			t.Errorf("%q: %+v and %+v", text, got, again)
		}
	})
}

// Names of domains are read as they are shown.
func TestNamesOfDomains(t *testing.T) {
	for private, sent := range map[string]string{
		"Anna has moved to Tübingen": "xn--tbingen-n2a.example", "我的保险箱密码是猫头鹰": "www.xn--2ss171drt4a.example", "пароль жизнь": "http://xn--f1accv9e/",
	} {
		value, err := json.Marshal(params(sent))
		if err != nil {
			t.Fatal(err)
		}
		if got := (carry.Private{Texts: []string{private}, Said: []string{asked}}).In(value); len(got.Texts) == 0 {
			t.Errorf("%s passes %s", sent, private)
		}
	}
}

// A code is read where its digits are spelt.
func TestDigitsInWords(t *testing.T) {
	if got := in(t, params("two or three days, one way")); got.Any() {
		t.Errorf("numbers of something else: %+v", got)
	}
	for _, sent := range []string{"four, seven, one, one", "Four seven one one, please"} {
		if got := in(t, params(sent)); !slices.Equal(got.Texts, []int{0}) {
			t.Errorf("%q passes: %+v", sent, got)
		}
	}
}
