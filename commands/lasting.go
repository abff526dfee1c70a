package commands

import (
	"fmt"
	"time"
)

// Lasting is a span in words: "30 minutes", "2 hours and 15 minutes", "1 day".
func Lasting(d time.Duration) string {
	minutes := max(1, int(d.Round(time.Minute)/time.Minute))
	const day = 24 * 60
	switch hours := minutes / 60; {
	case minutes%day == 0:
		return several(minutes/day, "day")
	case minutes < 2*60 && minutes != 60:
		return several(minutes, "minute")
	case minutes%60 == 0:
		return several(hours, "hour")
	default:
		return several(hours, "hour") + " and " + several(minutes%60, "minute")
	}
}

func several(n int, name string) string {
	if n == 1 {
		return "1 " + name
	}
	return fmt.Sprintf("%d %ss", n, name)
}
