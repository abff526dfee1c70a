package builtinmodel_test

import (
	"strings"
	"testing"
)

// Who says vos is heard as who says tú.
func TestVos(t *testing.T) {
	for vos, tu := range map[string]string{
		"poné huevos en la lista de compras":                "pon huevos en la lista de compras",
		"añadí huevos a la lista de compras":                "añade huevos a la lista de compras",
		"escribí huevos en la lista de compras":             "escribe huevos en la lista de compras",
		"incluí huevos en la lista de compras":              "incluye huevos en la lista de compras",
		"mostrame la lista de compras":                      "muéstrame la lista de compras",
		"decime qué tengo el viernes":                       "dime qué tengo el viernes",
		"acordate de que Nina vive en Rosario":              "acuérdate de que Nina vive en Rosario",
		"mové la cita con Nina al viernes a las 9":          "mueve la cita con Nina al viernes a las 9",
		"recordame el viernes a las 9 de regar las plantas": "recuérdame el viernes a las 9 de regar las plantas",
		"poneme una alarma a las 7":                         "ponme una alarma a las 7",
		"hacé una lista de viaje":                           "haz una lista de viaje",
	} {
		want, got := outline(reply(t, offers(t, tu))), outline(reply(t, offers(t, vos)))
		if want == "-" || strings.HasPrefix(want, "? No lo he entendido") {
			t.Errorf("%q isn't heard: %s", tu, want)
		}
		if tu, vos := strings.Split(tu, " ")[0], strings.Split(vos, " ")[0]; strings.ReplaceAll(got, vos, tu) != want {
			t.Errorf("%q: got %s, want %s", vos, got, want)
		}
	}
}
