package web_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

var (
	controlTags = regexp.MustCompile(`<(/?)(form|button|noscript)\b((?:\{\{[^}]*\}\}|[^>{])*)>`)
	waitsFor    = regexp.MustCompile(`\{\{waits "([a-z_]+)"\}\}`)
)

// lostPresses are the buttons of a template that look as if they worked before their
// module has run, and don't; and the modules that its other buttons wait for.
func lostPresses(template string) (lost, modules []string) {
	form, plain := "", false // the form's attributes, and whether it is for browsers without scripts
	for _, tag := range controlTags.FindAllStringSubmatch(template, -1) {
		closes, name, attributes := tag[1] != "", tag[2], tag[3]
		switch {
		case name == "form":
			form = ""
			if !closes {
				form = attributes
			}
			continue
		case name == "noscript":
			plain = !closes
			continue
		case closes:
			continue
		}
		submits := !strings.Contains(attributes, `type="button"`) && strings.Contains(form, ` action="`)
		waits := waitsFor.FindStringSubmatch(attributes)
		switch {
		case waits != nil:
			modules = append(modules, waits[1])
		case submits, plain, strings.Contains(attributes, "popovertarget="), strings.HasSuffix(attributes, " hidden"), strings.Contains(attributes, " hidden "):
		default:
			lost = append(lost, tag[0])
		}
	}
	return lost, modules
}

// A press is never lost, and no form sends its fields into the address: what needs a
// module is written so that it waits, and the module wakes it.
func TestControlsWaitForTheirModules(t *testing.T) {
	files, err := filepath.Glob("templates/*.html")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	waiting := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lost, modules := lostPresses(string(text))
		for _, button := range lost {
			t.Errorf("%s: %s does nothing before a module has run: add {{waits \"module\"}}", file, button)
		}
		waiting += len(modules)
		for _, module := range modules {
			if source, err := os.ReadFile("assets/" + module + ".js"); err != nil || !strings.Contains(string(source), `ready("`+module+`")`) {
				t.Errorf("%s: %s.js wakes nothing that waits for it: %v", file, module, err)
			}
		}
	}
	if waiting < 20 {
		t.Errorf("only %d controls wait", waiting)
	}
}

func TestLostPresses(t *testing.T) {
	for template, lost := range map[string]bool{
		`<button id="verify">Verify</button>`:                                          true,
		`<form id="edit"><button type="submit">Send</button></form>`:                   true,
		`<form action="/x"><button type="button">Add</button></form>`:                  true,
		`<form action="/x"></form><button>Send</button>`:                               true,
		`<form{{if .X}} id="a"{{end}}><button>Send</button></form>`:                    true,
		`<noscript></noscript><button>Send</button>`:                                   true,
		`<form method="post" action="/x"><button>Send</button></form>`:                 false,
		`<form id="edit"><button {{waits "edit"}}>Send</button></form>`:                false,
		`<button type="button" popovertarget="more">More</button>`:                     false,
		`<button type="button" id="stop" hidden>Stop</button>`:                         false,
		`<form{{if .Asked}} data-asked{{end}} action="/x"><button>Ask</button></form>`: false,
	} {
		if got, _ := lostPresses(template); (len(got) > 0) != lost {
			t.Errorf("%s: lost are %q", template, got)
		}
	}
}

// A part comes to a page whose modules have run: nothing in it waits.
func TestPartsAreAwake(t *testing.T) {
	answers := accountOf(`{"sessions":[{"id":"00000000-0000-0000-0000-000000000001","client":"curl/8"}],"total":2}`, `{"tokens":[{"name":"station","signals":[],"issued_at":1}]}`)
	site := newSite(t, &fakeAPI{account: true, session: true, answers: answers})
	if page := get(t, site, "/account").Body.String(); strings.Count(page, `disabled data-waits="act" data-call="DELETE`) != 3 {
		t.Errorf("the page is %s", page)
	}
	for _, part := range []string{"tokens", "sessions"} {
		if text := get(t, site, "/account?part="+part).Body.String(); strings.Contains(text, "disabled") || !strings.Contains(text, `data-call="DELETE`) {
			t.Errorf("the part %s is %s", part, text)
		}
	}
}
