package reading

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"
	"sync"

	"github.com/tidwall/gjson"
)

// field is a field of a struct, and how its value is read.
type field struct {
	name  string
	index []int
	most  int  // bound of elements or members; 0 for none
	free  bool // raw JSON may be anything
	must  bool // required
	read  func(v Value, f *field, into reflect.Value) error
}

// readers read a member's value into a field, by the field's type.
var readers = map[reflect.Type]func(v Value, f *field, into reflect.Value) error{
	reflect.TypeFor[string](): func(v Value, _ *field, into reflect.Value) error {
		text, err := v.text()
		into.SetString(text)
		return err
	},
	reflect.TypeFor[*string](): func(v Value, _ *field, into reflect.Value) error {
		text, err := v.text()
		into.Set(reflect.ValueOf(&text))
		return err
	},
	reflect.TypeFor[bool](): func(v Value, _ *field, into reflect.Value) error {
		yes, err := v.boolean()
		into.SetBool(yes)
		return err
	},
	reflect.TypeFor[int](): func(v Value, _ *field, into reflect.Value) error {
		number, err := v.integer()
		into.SetInt(int64(number))
		return err
	},
	reflect.TypeFor[*float64](): func(v Value, _ *field, into reflect.Value) error {
		number, err := v.number()
		into.Set(reflect.ValueOf(&number))
		return err
	},
	reflect.TypeFor[[]string](): func(v Value, f *field, into reflect.Value) error {
		texts, err := v.texts(f.most)
		into.Set(reflect.ValueOf(texts))
		return err
	},
	reflect.TypeFor[map[string]string](): func(v Value, f *field, into reflect.Value) error {
		texts, err := v.textMap(f.most)
		into.Set(reflect.ValueOf(texts))
		return err
	},
	reflect.TypeFor[json.RawMessage](): func(v Value, f *field, into reflect.Value) error {
		if f.free {
			into.SetBytes([]byte(v.is.Raw))
			return nil
		}
		text, err := v.object()
		into.SetBytes(text)
		return err
	},
}

// shapes caches the fields of structs, by type.
var shapes sync.Map

// fieldsOf are the fields of a struct and of structs embedded in it.
func fieldsOf(t reflect.Type) []field {
	if known, ok := shapes.Load(t); ok {
		if fields, ok := known.([]field); ok {
			return fields
		}
	}
	var out []field
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		most, _ := strconv.Atoi(f.Tag.Get("most"))
		read := readers[f.Type]
		if read == nil {
			read = Value.readPart
		}
		out = append(out, field{name, f.Index, most, f.Type == reflect.TypeFor[json.RawMessage]() && f.Tag.Get("object") == "", f.Type.Kind() == reflect.Int, read})
	}
	shapes.Store(t, out)
	return out
}

// fill reads an object into a struct. at is the object's path, with a dot at its end.
func (v Value) fill(at string, shape any) error {
	into := reflect.ValueOf(shape).Elem()
	fields := fieldsOf(into.Type())
	var few [8]gjson.Result
	found := few[:]
	if len(fields) > len(few) {
		found = make([]gjson.Result, len(fields))
	}
	err := v.members(func(name string, member gjson.Result) {
		for i := range fields {
			if fields[i].name == name {
				found[i] = member
				return
			}
		}
	})
	if err != nil {
		return err
	}
	for i := range fields {
		f, member := &fields[i], Value{at + fields[i].name, found[i]}
		if !member.given() && !f.must && !(f.free && member.is.Exists()) {
			continue
		}
		if err := f.read(member, f, into.FieldByIndex(f.index)); err != nil {
			return err
		}
	}
	return nil
}

// readPart reads a value into a field that has fields of its own.
func (v Value) readPart(f *field, into reflect.Value) error {
	switch into.Kind() {
	case reflect.Pointer:
		into.Set(reflect.New(into.Type().Elem()))
		return v.fill(v.what+".", into.Interface())
	case reflect.Map: // of raw JSON
		all := map[string]json.RawMessage{}
		if err := v.members(func(name string, member gjson.Result) { all[name] = json.RawMessage(member.Raw) }); err != nil {
			return err
		}
		into.Set(reflect.ValueOf(all).Convert(into.Type()))
		return nil
	case reflect.Slice:
		elements, err := v.list(f.most)
		if err != nil {
			return err
		}
		into.Set(reflect.MakeSlice(into.Type(), len(elements), len(elements)))
		for i, e := range elements {
			if err := e.fill(e.what+".", into.Index(i).Addr().Interface()); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("%s: no way to read a %s", v.what, into.Type())
}
