package httpapi

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"chalie/domain"
)

// into reads an object into a shape, or a part of one: names that aren't fields are
// passed over, and null counts as missing. What the values must hold is for the command
// to say. what names the value in an error, at is its path with a dot behind it.
func (v value) into(what, at string, shape reflect.Value) error {
	m, err := v.members(what)
	if err != nil {
		return err
	}
	fields := map[string]value{}
	for name, v, ok := m.next(); ok; name, v, ok = m.next() {
		fields[name] = v
	}
	return fill(shape, at, fields)
}

func fill(shape reflect.Value, at string, from map[string]value) error {
	for i := range shape.NumField() {
		field := shape.Type().Field(i)
		if field.Anonymous {
			if err := fill(shape.Field(i), at, from); err != nil {
				return err
			}
			continue
		}
		name, _, _ := strings.Cut(field.Tag.Get("json"), ",")
		if err := from[name].set(at+name, field.Tag, shape.Field(i)); err != nil {
			return err
		}
	}
	return nil
}

// set reads a value into a field.
func (v value) set(path string, tag reflect.StructTag, field reflect.Value) (err error) {
	if raw, ok := reflect.TypeAssert[*json.RawMessage](field.Addr()); ok {
		if tag.Get("object") == "" {
			*raw = v.raw
			return nil
		}
		*raw, err = v.object(path)
		return err
	}
	most, _ := strconv.Atoi(tag.Get("most"))
	switch into := field.Addr().Interface().(type) {
	case *string:
		*into, err = v.text(path)
	case *bool:
		*into, err = v.yes(path)
	case *int:
		*into, err = v.whole(path)
	case *[]string:
		*into, err = v.texts(path, most)
	case *map[string]string:
		*into, err = v.textMap(path, most)
	default:
		return v.setPart(path, most, field)
	}
	return err
}

// setPart reads a value into a field that has fields of its own.
func (v value) setPart(path string, most int, field reflect.Value) error {
	if !v.given() {
		return nil
	}
	switch field.Kind() {
	case reflect.Pointer:
		field.Set(reflect.New(field.Type().Elem()))
		return v.into(path, path+".", field.Elem())
	case reflect.Map: // of raw JSON
		m, err := v.members(path)
		if err != nil {
			return err
		}
		all := map[string]json.RawMessage{}
		for name, v, ok := m.next(); ok; name, v, ok = m.next() {
			all[name] = v.raw
		}
		field.Set(reflect.ValueOf(all))
		return nil
	case reflect.Slice:
		elements, count, err := v.elements(path, most)
		if err != nil {
			return err
		}
		if count > most {
			return domain.Invalid("read body", path, fmt.Sprintf("%s has %d elements, the bound is %d", path, count, most))
		}
		field.Set(reflect.MakeSlice(field.Type(), count, count))
		for i, e := range elements {
			what := fmt.Sprintf("%s[%d]", path, i)
			if err := e.into(what, what+".", field.Index(i)); err != nil {
				return err
			}
		}
		return nil
	}
	return fmt.Errorf("%s: no way to read a %s", path, field.Type())
}
