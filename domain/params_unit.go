package domain

import (
	"errors"
	"strconv"
	"strings"
	"time"
)

// paramUnit is the unit in which a parameter's value is written.
type paramUnit int

const (
	unitDuration paramUnit = iota // milliseconds: 6h, 90m, 1d12h
	unitScore                     // parts per million: 0.15
	unitCount
	unitMoney // millionths of a dollar: 0.50
)

func (u paramUnit) name() string {
	switch u {
	case unitDuration:
		return "a duration, such as 90s, 12h or 2d,"
	case unitScore:
		return "a score"
	case unitMoney:
		return "an amount"
	}
	return "a number"
}

var errUnreadable = errors.New("it can't be read")

func (u paramUnit) read(text string) (int64, error) {
	switch u {
	case unitDuration:
		return readDuration(text)
	case unitScore, unitMoney:
		return readMillionths(text)
	}
	return strconv.ParseInt(text, 10, 64)
}

func (u paramUnit) write(n int64) string {
	switch u {
	case unitDuration:
		return writeDuration(n)
	case unitScore, unitMoney:
		whole, rest := n/int64(One), n%int64(One)
		text := strconv.FormatInt(whole, 10)
		if digits := strings.TrimRight(strconv.FormatInt(rest+int64(One), 10)[1:], "0"); digits != "" {
			text += "." + digits
		}
		return text
	}
	return strconv.FormatInt(n, 10)
}

// readDuration is in milliseconds. Days may precede what Go reads.
func readDuration(text string) (int64, error) {
	const mostDays = 1 << 20
	var days int64
	if front, rest, found := strings.Cut(text, "d"); found {
		n, err := strconv.ParseInt(front, 10, 64)
		if err != nil || n < 0 || n > mostDays {
			return 0, errUnreadable
		}
		if days, text = n, rest; text == "" {
			text = "0s"
		}
	}
	d, err := time.ParseDuration(text)
	if err != nil {
		return 0, err
	}
	if d%time.Millisecond != 0 {
		return 0, errUnreadable
	}
	return days*(24*time.Hour).Milliseconds() + d.Milliseconds(), nil
}

func writeDuration(ms int64) string {
	const day = int64(24 * time.Hour / time.Millisecond)
	out := ""
	if days := ms / day; days > 0 && ms > day {
		out, ms = strconv.FormatInt(days, 10)+"d", ms%day
		if ms == 0 {
			return out
		}
	}
	text := (time.Duration(ms) * time.Millisecond).String()
	for _, none := range []string{"m0s", "h0m"} {
		if short, found := strings.CutSuffix(text, none); found {
			text = short + none[:1]
		}
	}
	return out + text
}

// readMillionths reads a decimal number with up to six digits behind the point,
// without going through a float.
func readMillionths(text string) (int64, error) {
	const digits = 6
	whole, rest, _ := strings.Cut(text, ".")
	if len(rest) > digits || len(whole) > digits || whole == "" || strings.Trim(whole+rest, "0123456789") != "" {
		return 0, errUnreadable
	}
	return strconv.ParseInt(whole+rest+strings.Repeat("0", digits-len(rest)), 10, 64)
}
