package httpapi

import (
	"fmt"
	"net/http"
	"strconv"
	"time"

	"chalie/domain"
	"chalie/replay"
)

// whyNot is GET /api/why-not/{id}?zone=&try=. It reads the log alone, as why does.
// With try=false no decision is made again.
func (x *exchange) whyNot() error {
	q, err := x.query()
	if err != nil {
		return err
	}
	zone, err := q.zone("zone")
	if err != nil {
		return err
	}
	asked, err := replay.ParseQuestion(x.params.ByName("id"))
	if err != nil {
		return err
	}
	asking := replay.Asking{Zone: zone}
	try, err := q.flag("try", true)
	if err != nil {
		return err
	}
	if try && x.api.cfg.Trial != nil {
		asking.Trial = impatient{x.api.cfg.Trial, time.Now().Add(triesWithin)}
	}
	answer, err := replay.WhyNot(x.r.Context(), x.api.cfg.Log, asked, asking)
	if err != nil {
		return err
	}
	return x.answer(http.StatusOK, answer)
}

// flag is true or false, or the default.
func (q query) flag(name string, otherwise bool) (bool, error) {
	text := q.values.Get(name)
	if text == "" {
		return otherwise, nil
	}
	on, err := strconv.ParseBool(text)
	if err != nil {
		return false, domain.Invalid("read query", name, fmt.Sprintf("%s is %q: give true or false", name, clip(text)))
	}
	return on, nil
}
