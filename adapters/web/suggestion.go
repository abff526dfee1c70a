package web

import (
	"encoding/json"
	"fmt"
	"net/url"

	"chalie/replay/explain"
)

// whatIfPlace is where a change can be looked at as a what-if, filled in; "" for one that
// can't be supposed. A change of what came in itself, or of a rule, counts from where
// that stands; one of something before it from the beginning.
func whatIfPlace(r explain.Counterfactual, about explain.Subject) string {
	query := url.Values{}
	for _, name := range sortedKeys(r.Set) {
		query.Add("set", name+"="+r.Set[name])
	}
	if !r.Without.IsZero() {
		query.Set("without", r.Without.String())
	}
	if r.Edit != nil {
		query.Set("edit", fmt.Sprintf("%s %s=%s", r.Edit.ID, r.Edit.Field, r.Edit.Value))
	}
	if r.Policy != nil {
		rules, err := json.Marshal(r.Policy)
		if err != nil {
			return "" // rules that were read can be written
		}
		query.Set("policy", string(rules))
	}
	if len(query) == 0 {
		return ""
	}
	if about.Position > 0 && r.Without.IsZero() && (r.Edit == nil || r.Edit.ID == about.ID) {
		query.Set("since", fmt.Sprintf("pos:%d", about.Position))
	}
	return "/what-if?" + query.Encode()
}
