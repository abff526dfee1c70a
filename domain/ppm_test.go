package domain

import (
	"math"
	"math/big"
	"testing"
	"time"

	"pgregory.net/rapid"
)

const precision = 256 // bits of the truth that the integers are held to

func bigFloat(x float64) *big.Float { return new(big.Float).SetPrec(precision).SetFloat64(x) }

// TestRoots recomputes the table: each factor is the square root of the one
// before, the first is the root of one half.
func TestRoots(t *testing.T) {
	factor := bigFloat(0.5)
	for i, got := range roots {
		factor.Sqrt(factor)
		scaled := new(big.Float).SetPrec(precision).SetMantExp(factor, 63)
		want, _ := scaled.Add(scaled, bigFloat(0.5)).Uint64() // to the nearest
		if got != want {
			t.Errorf("roots[%d] is %#x, want %#x", i, got, want)
		}
	}
}

// truth is p × 0.5^(age/half) by repeated square roots in big floats.
func truth(p PPM, age, half time.Duration) *big.Float {
	out := bigFloat(float64(p))
	if age <= 0 {
		return out
	}
	times := age / half
	if times > 10_000 {
		return bigFloat(0)
	}
	out.SetMantExp(out, -int(times))
	rest := new(big.Rat).SetFrac64(int64(age%half), int64(half))
	two, one := big.NewRat(2, 1), big.NewRat(1, 1)
	factor := bigFloat(0.5)
	for range 120 {
		factor.Sqrt(factor)
		rest.Mul(rest, two)
		if rest.Cmp(one) >= 0 {
			rest.Sub(rest, one)
			out.Mul(out, factor)
		}
	}
	return out
}

func anyAge(t *rapid.T) time.Duration {
	return time.Duration(rapid.Int64Range(0, int64(4000*time.Hour)).Draw(t, "age"))
}

func anyHalf(t *rapid.T) time.Duration {
	return time.Duration(rapid.Int64Range(int64(time.Millisecond), int64(1000*time.Hour)).Draw(t, "half-life"))
}

func anyPPM(t *rapid.T) PPM { return PPM(rapid.Int64Range(0, int64(2*One)).Draw(t, "ppm")) }

func TestDecayIsTrue(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, age, half := anyPPM(t), anyAge(t), anyHalf(t)
		got := Decay(p, age, half)
		off, _ := new(big.Float).Sub(bigFloat(float64(got)), truth(p, age, half)).Float64()
		// Half a part for rounding, and what 32 bits of the exponent leave.
		if math.Abs(off) > 0.501 {
			t.Fatalf("Decay(%d, %v, %v) = %d, off by %v", p, age, half, got, off)
		}
	})
}

func TestDecayLaws(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p, half := anyPPM(t), anyHalf(t)
		young, old := anyAge(t), anyAge(t)
		if young > old {
			young, old = old, young
		}
		if a, b := Decay(p, young, half), Decay(p, old, half); b > a || b < 0 || a > p {
			t.Fatalf("%d decays to %d at %v and %d at %v", p, a, young, b, old)
		}
		if got, want := Decay(p, half, half), (p+1)/2; got != want {
			t.Fatalf("%d after its half-life is %d, want %d", p, got, want)
		}
		if got := Decay(p, -young, half); got != p {
			t.Fatalf("%d at a negative age is %d", p, got)
		}
		more := min(2*One, p+1)
		if Decay(more, old, half) < Decay(p, old, half) {
			t.Fatalf("a greater score than %d decays to less", p)
		}
	})
}

func TestDecayAtTheEdges(t *testing.T) {
	for _, c := range []struct {
		p         PPM
		age, half time.Duration
		want      PPM
	}{
		{One, 0, time.Hour, One},
		{One, 24 * time.Hour, 6 * time.Hour, 62_500}, // about 6 % after a day
		{One, math.MaxInt64, time.Nanosecond, 0},
		{One, math.MaxInt64, math.MaxInt64, One / 2},
		{One, 63 * time.Hour, time.Hour, 0},
		{One, time.Hour, 0, One}, // no half-life, no decay
		{One, math.MinInt64, time.Hour, One},
		{0, time.Hour, time.Hour, 0},
		{3, time.Hour, time.Hour, 2}, // half up
		{1, 1, math.MaxInt64, 1},
	} {
		if got := Decay(c.p, c.age, c.half); got != c.want {
			t.Errorf("Decay(%d, %v, %v) = %d, want %d", c.p, c.age, c.half, got, c.want)
		}
	}
}

func TestPPMIsWrittenWithTwoDecimals(t *testing.T) {
	for p, want := range map[PPM]string{
		0: "0.00", 4_999: "0.00", 5_000: "0.01", 399_999: "0.40", 800_000: "0.80",
		994_999: "0.99", 995_000: "1.00", One: "1.00", 12_345_678: "12.35", -800_000: "-0.80",
	} {
		if got := p.String(); got != want {
			t.Errorf("%d is written %s, want %s", int64(p), got, want)
		}
	}
}

func TestPPMOfFloats(t *testing.T) {
	for f, want := range map[float64]PPM{0: 0, 0.4: 400_000, 0.7: 700_000, 1: One, 0.0000005: 1, 0.1 + 0.2: 300_000} {
		if got := PPMOf(f); got != want {
			t.Errorf("PPMOf(%v) = %d, want %d", f, got, want)
		}
		if got := PPMOf(want.Float()); got != want {
			t.Errorf("%d came back as %d", want, got)
		}
	}
}
