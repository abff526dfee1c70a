package pebblelog_test

import (
	"context"
	"slices"
	"testing"

	"chalie/adapters/pebblelog"
	"chalie/domain"
	"chalie/domain/domaintest"

	"github.com/cockroachdb/pebble/v2/vfs"
)

// The envelope that opens a trace carries the trace's id and has no entry of
// its own in the trace's index. Whatever the order, every envelope of the trace
// is found, and none of another.
func TestTraceOfItsNamesake(t *testing.T) {
	clock := domaintest.NewClock()
	ids := domaintest.NewIDs(clock, 1)
	l := open(t, pebblelog.Config{Dir: "log", Clock: clock, FS: vfs.NewMem()})
	defer l.Close()
	opener := ids.NewID()
	entry := func(id domain.ID, trace domain.ID) domain.Entry {
		e := domaintest.NewEntry(ids, "signals")
		e.Envelope.ID, e.Envelope.Trace.ID = id, trace
		return e
	}
	stranger := ids.NewID() // an envelope with the id of a trace it isn't in
	want := []domain.Position{
		appendOne(t, l, entry(ids.NewID(), opener)),
		appendOne(t, l, entry(opener, opener)),
		appendOne(t, l, entry(ids.NewID(), opener)),
	}
	inStranger := appendOne(t, l, entry(ids.NewID(), stranger))
	appendOne(t, l, entry(stranger, opener))
	want = append(want, inStranger+1)

	for _, tc := range []struct {
		name  string
		trace domain.ID
		from  domain.Position
		limit int
		want  []domain.Position
	}{
		{"whole", opener, 1, 10, want},
		{"from the opener", opener, want[1], 10, want[1:]},
		{"after the opener", opener, want[2], 10, want[2:]},
		{"the first", opener, 1, 1, want[:1]},
		{"the first two", opener, 1, 2, want[:2]},
		{"the trace of the stranger", stranger, 1, 10, []domain.Position{inStranger}},
	} {
		recs, err := l.Select(context.Background(), domain.Selector{Trace: domain.TraceID{ID: tc.trace}}, tc.from, tc.limit)
		if err != nil {
			t.Fatal(err)
		}
		var got []domain.Position
		for _, r := range recs {
			got = append(got, r.Position)
		}
		if !slices.Equal(got, tc.want) {
			t.Errorf("%s: positions %v, want %v", tc.name, got, tc.want)
		}
	}
	mustVerify(t, l)
}
