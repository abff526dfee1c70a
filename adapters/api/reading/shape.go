package reading

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
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
	read  reader
}

// reader reads a value into a field, or into what a field points to or holds.
type reader func(v Value, f *field, into reflect.Value) error

// raw is the type of JSON that is taken as it came.
var raw = reflect.TypeFor[json.RawMessage]()

// Reads reports whether a struct can be read, with all that it holds; the error names the
// field that can't.
func Reads(shape any) error {
	t := reflect.TypeOf(shape)
	if t == nil || t.Kind() != reflect.Struct {
		return fmt.Errorf("%v is no struct", t)
	}
	return readable(t, nil)
}

func readable(t reflect.Type, within []reflect.Type) error {
	if slices.Contains(within, t) {
		return nil // it holds itself
	}
	for _, f := range reflect.VisibleFields(t) {
		if f.Anonymous {
			continue
		}
		if readerOf(f.Type) == nil {
			return fmt.Errorf("%s.%s: no way to read a %s", t, f.Name, f.Type)
		}
		held := f.Type
		for held != raw && (held.Kind() == reflect.Pointer || held.Kind() == reflect.Slice || held.Kind() == reflect.Map) {
			held = held.Elem()
		}
		if held.Kind() == reflect.Struct {
			if err := readable(held, append(within, t)); err != nil {
				return err
			}
		}
	}
	return nil
}

// readerOf is the reader for a type; nil where there is none.
func readerOf(t reflect.Type) reader {
	if t == raw {
		return readRaw
	}
	switch t.Kind() {
	case reflect.String:
		return readText
	case reflect.Bool:
		return readBoolean
	case reflect.Int, reflect.Int64:
		return readInteger
	case reflect.Float64:
		return readNumber
	case reflect.Struct:
		return readStruct
	case reflect.Pointer:
		return pointed(readerOf(t.Elem()))
	case reflect.Slice:
		switch t.Elem().Kind() {
		case reflect.String:
			return readTexts
		case reflect.Struct:
			return readList
		}
	case reflect.Map:
		switch {
		case t.Key().Kind() != reflect.String:
		case t.Elem() == raw:
			return readRawMap
		case t.Elem().Kind() == reflect.String:
			return readTextMap
		}
	}
	return nil
}

func readText(v Value, _ *field, into reflect.Value) error {
	text, err := v.text()
	into.SetString(text)
	return err
}

func readBoolean(v Value, _ *field, into reflect.Value) error {
	yes, err := v.boolean()
	into.SetBool(yes)
	return err
}

func readInteger(v Value, _ *field, into reflect.Value) error {
	number, err := v.integer()
	into.SetInt(number)
	return err
}

func readNumber(v Value, _ *field, into reflect.Value) error {
	number, err := v.number()
	into.SetFloat(number)
	return err
}

func readTexts(v Value, f *field, into reflect.Value) error {
	texts, err := v.texts(f.most)
	into.Set(reflect.ValueOf(texts).Convert(into.Type()))
	return err
}

func readTextMap(v Value, f *field, into reflect.Value) error {
	texts, err := v.textMap(f.most)
	into.Set(reflect.ValueOf(texts).Convert(into.Type()))
	return err
}

func readRaw(v Value, f *field, into reflect.Value) error {
	if f.free {
		into.SetBytes([]byte(v.is.Raw))
		return nil
	}
	text, err := v.object()
	into.SetBytes(text)
	return err
}

func readRawMap(v Value, _ *field, into reflect.Value) error {
	all := map[string]json.RawMessage{}
	err := v.members(func(name string, member gjson.Result) { all[name] = json.RawMessage(member.Raw) })
	into.Set(reflect.ValueOf(all).Convert(into.Type()))
	return err
}

func readStruct(v Value, _ *field, into reflect.Value) error {
	return v.fill(v.what+".", into.Addr().Interface())
}

func readList(v Value, f *field, into reflect.Value) error {
	elements, err := v.list(f.most)
	if err != nil {
		return err
	}
	into.Set(reflect.MakeSlice(into.Type(), len(elements), len(elements)))
	for i, e := range elements {
		if err := readStruct(e, f, into.Index(i)); err != nil {
			return err
		}
	}
	return nil
}

// pointed reads what a field points to.
func pointed(read reader) reader {
	if read == nil {
		return nil
	}
	return func(v Value, f *field, into reflect.Value) error {
		into.Set(reflect.New(into.Type().Elem()))
		return read(v, f, into.Elem())
	}
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
		read := readerOf(f.Type)
		if read == nil {
			read = unreadable
		}
		free := f.Type == raw && f.Tag.Get("object") == ""
		out = append(out, field{name, f.Index, most, free, f.Type.Kind() == reflect.Int, read})
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

// unreadable is the reader of a type that has none: a fault of the program, which Reads
// finds before it runs.
func unreadable(v Value, _ *field, into reflect.Value) error {
	return fmt.Errorf("%s: no way to read a %s", v.what, into.Type())
}
