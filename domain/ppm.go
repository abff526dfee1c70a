package domain

import (
	"fmt"
	"math"
	"math/bits"
	"time"
)

// PPM is a score in parts per million. Scores are integers from the first step
// to the last, so that a replay on another machine finds the same ones.
type PPM int64

// One is the score 1.
const One PPM = 1_000_000

// PPMOf rounds a float to its nearest score.
func PPMOf(f float64) PPM { return PPM(math.Round(f * float64(One))) }

// Float is the score as a number near 0…1.
func (p PPM) Float() float64 { return float64(p) / float64(One) }

// String writes the score with two decimals, rounded half up: 0.80.
func (p PPM) String() string {
	sign := ""
	if p < 0 {
		sign, p = "-", -p
	}
	hundredths := (p + 5_000) / 10_000
	return fmt.Sprintf("%s%d.%02d", sign, hundredths/100, hundredths%100)
}

// roots[i] is 2^-(2^-(i+1)) as a 63-bit fraction: the factor by which a value
// shrinks in 1/2, 1/4, 1/8 … of its half-life. TestRoots recomputes them.
var roots = [32]uint64{
	0x5a827999fcef3242,
	0x6ba27e656b4eb57a,
	0x75606373ee921c97,
	0x7a92be8a92436616,
	0x7d41d96db915019d,
	0x7e9f06067a4360ba,
	0x7f4f08ae3dc7c426,
	0x7fa765aca88f6453,
	0x7fd3ab290e46d769,
	0x7fe9d3a8e07bf086,
	0x7ff4e9597bed93ab,
	0x7ffa748dff8dc61f,
	0x7ffd3a3f50020332,
	0x7ffe9d1dbc0a75aa,
	0x7fff4e8e6306ed59,
	0x7fffa74712c3cdfd,
	0x7fffd3a381b1fa29,
	0x7fffe9d1beed018a,
	0x7ffff4e8defb81d7,
	0x7ffffa746f5f012f,
	0x7ffffd3a37a7d0a8,
	0x7ffffe9d1bd1fc58,
	0x7fffff4e8de8832d,
	0x7fffffa746f422d7,
	0x7fffffd3a37a09bb,
	0x7fffffe9d1bd02f2,
	0x7ffffff4e8de80fe,
	0x7ffffffa746f4060,
	0x7ffffffd3a37a028,
	0x7ffffffe9d1bd012,
	0x7fffffff4e8de809,
	0x7fffffffa746f404,
}

// fraction is a number in [0, 1] with 63 bits behind the point.
type fraction uint64

const wholeFraction fraction = 1 << 63

// halved is 0.5^(age/half) in integers. A negative age counts as none.
func halved(age, half time.Duration) fraction {
	if age <= 0 || half <= 0 {
		return wholeFraction
	}
	times := uint64(age / half)
	if times >= 63 {
		return 0
	}
	rest, _ := bits.Div64(uint64(age%half)>>32, uint64(age%half)<<32, uint64(half))
	value := uint64(wholeFraction)
	for i, root := range roots {
		if rest&(1<<(31-i)) != 0 {
			hi, lo := bits.Mul64(value, root)
			value = hi<<1 | lo>>63
		}
	}
	return fraction(value >> times)
}

// of is p × f, rounded half up once.
func (f fraction) of(p PPM) PPM {
	hi, lo := bits.Mul64(uint64(p), uint64(f))
	lo, carry := bits.Add64(lo, 1<<62, 0)
	return PPM((hi+carry)<<1 | lo>>63)
}

// Decay is p × 0.5^(age/half), rounded half up to the nearest part per million.
// A negative age counts as none. p must not be negative.
func Decay(p PPM, age, half time.Duration) PPM { return halved(age, half).of(p) }
