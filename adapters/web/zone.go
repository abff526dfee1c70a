package web

import (
	"maps"
	"net/url"
	"time"

	// Zones are known by name also on machines without a database of them.
	_ "time/tzdata"
)

// zoneCookie is where the pages' frame.js leaves the name of the person's zone.
const zoneCookie = "chalie_zone"

// zone is the name of the zone that the browser is in; "" until it said so.
func (v *visit) zone() string {
	cookie, err := v.r.Cookie(zoneCookie)
	if err != nil || len(cookie.Value) > 3*64 {
		return ""
	}
	name, err := url.QueryUnescape(cookie.Value)
	if err != nil || name == "" || name == "Local" {
		return ""
	}
	if _, err := time.LoadLocation(name); err != nil {
		return ""
	}
	return name
}

// zoned is a query that also asks for times of the person's zone. Every page that
// asks the API for sentences uses it. The query given, which may be nil, stays as
// it is.
func (v *visit) zoned(query url.Values) url.Values {
	out := url.Values{}
	maps.Copy(out, query)
	if zone := v.zone(); zone != "" {
		out.Set("zone", zone)
	}
	return out
}
