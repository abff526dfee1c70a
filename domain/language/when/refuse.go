package when

import (
	"fmt"
	"strings"
	"time"

	"chalie/domain"
)

const op = "understand time"

func unusable(code domain.Code, message string) error {
	return &domain.Error{Op: op, Category: domain.Validation, Code: code, Field: "when", Message: message}
}

// refuse notes something that is a time and can't be. The first counts.
func (r *reader) refuse(why string) {
	example := "tomorrow at 8"
	if r.past {
		example = "yesterday at 8"
	}
	if r.wrong == nil {
		r.wrong = unusable(CodeNoSuch, fmt.Sprintf(`%s: say it another way, such as %q or "on 3 March at 17:30"`, why, example))
	}
}

func noTime(text string) error {
	if text = strings.TrimSpace(text); text == "" {
		return unusable(CodeNoTime, `no time is given: say when, such as "in 2 hours", "tomorrow at 8" or "every Monday at 18:00"`)
	}
	return unusable(CodeNoTime, fmt.Sprintf(`no time was found in %q: say when, such as "in 2 hours", "tomorrow at 8" or "every Monday at 18:00"`, clip(text)))
}

// clip shortens a text that an error repeats.
func clip(text string) string {
	const most = 80
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most]) + "…"
}

func (r *reader) quoted(used []expr) string {
	said := make([]string, len(used))
	for i, x := range used {
		said[i] = r.said(x.from, x.to)
	}
	return strings.Join(said, " … ")
}

// hasPassed asks whether the next such time is meant, where there is one.
func (r *reader) hasPassed(used []expr, at, next time.Time) error {
	text := fmt.Sprintf("%q was understood as %s, and that has passed", r.quoted(used), full(at))
	if next.After(r.now) {
		text += fmt.Sprintf(`: did you mean %s? Then say so, such as "on %s"`, full(next), next.Format("2 January 2006 at 15:04"))
	} else {
		text += `: say a time that lies ahead, such as "tomorrow at 8"`
	}
	return unusable(CodePassed, text)
}

func (r *reader) atWhatTime(used []expr) error {
	return unusable(CodeNoTime, fmt.Sprintf(`%q was understood, but not at what time: say it with one, such as "today at 17:30"`, r.quoted(used)))
}

func (r *reader) atWhichTimes(used []expr) error {
	return unusable(CodeNoTime, fmt.Sprintf(`%q was understood, but not when each time: say all of them, such as "every day at 8 and 20" or "every Monday and Thursday at 9"`, r.quoted(used)))
}

func (r *reader) beforeWhatTime(used []expr) error {
	return unusable(CodeAmbiguous, fmt.Sprintf(`%q was understood, but not at what time that is: say it with one, such as "2 hours before my flight on Friday at 10:40"`, r.quoted(used)))
}

func (r *reader) howLongBefore(used []expr) error {
	return unusable(CodeAmbiguous, fmt.Sprintf(`%q leaves open when: say it such as "today at 17:00"`, r.quoted(used)))
}

func endsBefore() error {
	return unusable(CodeAmbiguous, "That ends before it begins: from when to when is it?")
}

func (r *reader) withinTheDay(used []expr) error {
	return unusable(CodeAmbiguous, fmt.Sprintf(`%q comes again within hours of the day, which can't be kept to: say when it ends, such as "every hour until 17:00", or each time, such as "every day at 9 and 11"`, r.quoted(used)))
}

func (r *reader) ambiguous(found []expr) error {
	said := make([]string, len(found))
	for i, x := range found {
		said[i] = fmt.Sprintf("%q", r.said(x.from, x.to))
	}
	if len(said) == 1 {
		return unusable(CodeAmbiguous, fmt.Sprintf(`%s says two things at once: say one time, such as "in 2 hours" or "every day at 7"`, said[0]))
	}
	return unusable(CodeAmbiguous, fmt.Sprintf(`%s are several times: which one is meant? Say it with one only, such as "tomorrow at 8", and once for each if all are`, strings.Join(said, " and ")))
}

func (r *reader) noSuchDay(used []expr) error {
	return unusable(CodeNoSuch, fmt.Sprintf(`there is no day like %q: say another, such as "on 3 March at 17:30"`, r.quoted(used)))
}

func (r *reader) tooFar(used []expr) error {
	return unusable(CodeTooFar, fmt.Sprintf(`%q lies more than %d years ahead: say an earlier time, such as "in 2 years"`, r.quoted(used), maxYears))
}

func full(t time.Time) string { return t.Format("Monday 2 January 2006 at 15:04") }
