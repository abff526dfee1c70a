package jsonschema_test

import (
	"testing"

	"chalie/adapters/jsonschema"
)

// Each way in which a value can be wrong is said plainly, beside the words that are recorded.
func TestPlainWords(t *testing.T) {
	for _, c := range []struct{ schema, value, want string }{
		{`{"properties":{"n":{"maximum":10}}}`, `{"n":50}`, "“n” is at most 10, and 50 was given"},
		{`{"properties":{"n":{"minimum":1.5}}}`, `{"n":1}`, "“n” is at least 1.5, and 1 was given"},
		{`{"properties":{"n":{"exclusiveMinimum":0}}}`, `{"n":0}`, "“n” is more than 0, and 0 was given"},
		{`{"properties":{"n":{"exclusiveMaximum":9}}}`, `{"n":9}`, "“n” is less than 9, and 9 was given"},
		{`{"properties":{"n":{"multipleOf":5}}}`, `{"n":7}`, "“n” is a multiple of 5, and 7 was given"},

		{`{"properties":{"n":{"type":"integer"}}}`, `{"n":"two"}`, "“n” has to be a whole number, and a text was given"},
		{`{"properties":{"n":{"type":"integer"}}}`, `{"n":2.5}`, "“n” has to be a whole number, and one with a fraction was given"},
		{`{"properties":{"n":{"type":["string","null"]}}}`, `{"n":true}`, "“n” has to be nothing (null) or a text, and yes or no (true or false) was given"},
		{`{"type":"object"}`, `[]`, "the whole has to be a group of named values, and a list was given"},
		{`{"type":"object","properties":{"n":false}}`, `{"n":1}`, "“n” is something that the tool rules out"},
		{`{"type":"object","not":{"required":["a"]}}`, `{"a":1}`, "the whole is something that the tool rules out"},

		{`{"properties":{"of":{"enum":["tea","coffee",3,null]}}}`, `{"of":"milk"}`, "“of” has to be one of these: “tea”, “coffee”, 3 or nothing (null)"},
		{`{"properties":{"of":{"enum":[1,2,3,4,5,6,7,8,9,10]}}}`, `{"of":0}`, "“of” has to be one of these: 1, 2, 3, 4, 5, 6, 7, 8 or one of 2 others"},
		{`{"properties":{"of":{"enum":[[1],[2]]}}}`, `{"of":0}`, "“of” isn't one of the values that the tool takes"},
		{`{"properties":{"of":{"const":"tea"}}}`, `{"of":"milk"}`, "“of” has to be “tea”"},
		{`{"properties":{"of":{"const":"tea","enum":["tea","milk"]}}}`, `{"of":"milk"}`, "“of” has to be “tea”"},
		{`{"properties":{"of":{"const":null,"enum":[null,"milk"]}}}`, `{"of":"milk"}`, "“of” has to be nothing (null)"},

		{`{"properties":{"at":{"pattern":"^[0-9]{2}:[0-9]{2}$"}}}`, `{"at":"noon"}`, "“at” isn't of the form that the tool asks for"},
		{`{"properties":{"at":{"pattern":"^[0-9]{2}:[0-9]{2}$","description":"the hour\nand minute","examples":[7,"08:30"]}}}`, `{"at":"noon"}`, "“at” isn't of the form that the tool asks for, which it describes as “the hour and minute”, such as “08:30”"},
		{`{"properties":{"at":{"pattern":"^[0-9]","format":"date"}}}`, `{"at":"noon"}`, "“at” isn't of the form that the tool asks for: a date, such as 2026-03-01"},
		{`{"properties":{"s":{"minLength":1}}}`, `{"s":""}`, "“s” has at least 1 character, and none was given"},
		{`{"properties":{"s":{"maxLength":2}}}`, `{"s":"née"}`, "“s” has at most 2 characters, and 3 were given"},

		{`{"properties":{"l":{"minItems":2}}}`, `{"l":[1]}`, "“l” has at least 2 items, and 1 was given"},
		{`{"properties":{"l":{"maxItems":0}}}`, `{"l":[1,2]}`, "“l” has at most 0 items, and 2 were given"},
		{`{"properties":{"l":{"uniqueItems":true}}}`, `{"l":[1,2,1]}`, "items 1 and 3 of “l” are the same, and each may be there once"},
		{`{"properties":{"l":{"items":{"maximum":1}}}}`, `{"l":[1,2]}`, "item 2 of “l” is at most 1, and 2 was given"},
		{`{"properties":{"l":{"contains":{"const":1}}}}`, `{"l":[2]}`, "“l” has at least 1 item of the kind that the tool asks for, and that isn't so"},
		{`{"properties":{"l":{"contains":{"const":1},"maxContains":1}}}`, `{"l":[1,1]}`, "“l” has at most 1 item of the kind that the tool asks for, and that isn't so"},
		{`{"properties":{"l":{"prefixItems":[{}],"unevaluatedItems":false}}}`, `{"l":[1,2]}`, "item 2 of “l” is more than the tool takes"},
		{`{"properties":{"l":{"prefixItems":[{}],"unevaluatedItems":false}}}`, `{"l":[1,2,3]}`, "2 items of “l” are more than the tool takes"},

		{`{"required":["at"],"type":"object"}`, `{}`, "“at” is missing"},
		{`{"properties":{"of":{"required":["at","for"]}}}`, `{"of":{}}`, "“at” and “for” of “of” are missing"},
		{`{"type":"object","dependentRequired":{"a":["b","c"]}}`, `{"a":1}`, "with “a” there has to be “b” and “c”"},
		{`{"properties":{"a":{}},"additionalProperties":false}`, `{"it's":1}`, "“it's” isn't known to the tool, which takes “a”"},
		{`{"type":"object","additionalProperties":false}`, `{"a":1,"b":2}`, "“a” and “b” aren't known to the tool"},
		{`{"type":"object","minProperties":1}`, `{}`, "the whole has at least 1 entry, and none was given"},
		{`{"type":"object","maxProperties":1}`, `{"a":1,"b":2}`, "the whole has at most 1 entry, and 2 were given"},
		{`{"type":"object","propertyNames":{"maxLength":1}}`, `{"ab":1}`, "the name “ab” has at most 1 character, and 2 were given"},
		{`{"properties":{"a":{"items":{"properties":{"b":{"type":"null"}}}}}}`, `{"a":[{"b":1}]}`, "“b” of item 1 of “a” has to be nothing (null), and a number was given"},

		{`{"properties":{"n":{"anyOf":[{"type":"string"},{"type":"null"}]}}}`, `{"n":1}`, "either “n” has to be a text, and a number was given, or “n” has to be nothing (null), and a number was given"},
		{`{"properties":{"n":{"oneOf":[{"type":"string"},{"anyOf":[{"minimum":3},{"type":"string"}]}]}}}`, `{"n":1}`,
			"either “n” has to be a text, and a number was given, or either “n” is at least 3, and 1 was given, or “n” has to be a text, and a number was given"},
		{`{"properties":{"n":{"oneOf":[{"minimum":1},{"maximum":9}]}}}`, `{"n":5}`, "“n” can be read in more ways than one, and the tool wants it to fit only one"},
		{`{"type":"object"}`, `{`, "it can't be read: it is no JSON"},
	} {
		wrong, checked, err := (jsonschema.Formats{}).Check(t.Context(), []byte(c.schema), []byte(c.value))
		if !checked || err != nil || len(wrong) == 0 {
			t.Errorf("%s against %s: %v, checked %t, %v", c.value, c.schema, wrong, checked, err)
		}
		for _, w := range wrong {
			if w.Plain != c.want || w.Words == "" {
				t.Errorf("%s against %s:\n got  %s\n want %s", c.value, c.schema, w.Plain, c.want)
			}
		}
	}
}
