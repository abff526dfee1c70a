package main

import (
	"html"
	"maps"
	"net/url"
	"regexp"
	"slices"
	"strings"
)

// idsInPaths are the parts of a path that name one thing of many.
var idsInPaths = regexp.MustCompile(`/([0-9A-HJKMNP-TV-Z]{26}|[0-9a-f]{8}-[0-9a-f-]{27}|[0-9a-f]{32}|[0-9]+)(/|$)`)

// pageOf is which of the pages a link leads to: without what names one thing of
// many, and with the names of what is asked beside it.
func pageOf(link string) string {
	u, err := url.Parse(link)
	if err != nil {
		return link
	}
	kind := idsInPaths.ReplaceAllString(u.Path, "/:id$2")
	if names := slices.Sorted(maps.Keys(u.Query())); len(names) > 0 {
		kind += "?" + strings.Join(names, "&")
	}
	return kind
}

var leading = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// linksOf are the places on this site that the HTML of a page leads to.
func linksOf(page string) (links []string) {
	for _, found := range leading.FindAllStringSubmatch(page, -1) {
		if link := onSite(html.UnescapeString(found[1]), ""); link != "" {
			links = append(links, link)
		}
	}
	return links
}

// onSite is a link as a path of this site; "" when it leads elsewhere, or nowhere.
func onSite(link, address string) string {
	link, _, _ = strings.Cut(strings.TrimPrefix(link, address), "#")
	if !strings.HasPrefix(link, "/") || strings.HasPrefix(link, "//") {
		return ""
	}
	return link
}

// crawl follows every link from / on, and returns where it was, by kind: at most some
// of each kind that is about one thing of many, and one of any other. Visiting a page
// returns where it leads.
func crawl(most int, visit func(link string) []string) map[string][]string {
	been := map[string][]string{}
	known := map[string]bool{"/": true}
	for open := []string{"/"}; len(open) > 0; open = open[1:] {
		link := open[0]
		kind := pageOf(link)
		if n := len(been[kind]); n == most || n == 1 && !strings.Contains(kind, "/:id") {
			continue
		}
		been[kind] = append(been[kind], link)
		for _, next := range visit(link) {
			if !known[next] {
				known[next] = true
				open = append(open, next)
			}
		}
	}
	return been
}
