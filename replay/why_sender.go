package replay

import (
	"context"
	"strings"

	"chalie/domain"
	"chalie/replay/narrate"
)

const (
	senderPage = 1000   // records read at a time to find who let a sender in
	senderMost = 10_000 // and in all: an interface may have come and gone that often
)

// followSender goes from what somebody outside sent to what let them in: the
// pairing or registration of an interface, the token of a program, the stream that
// was added.
func (w *walk) followSender(ctx context.Context, rec domain.Record) error {
	if !sentFromOutside(rec) || !rec.Envelope.Parent.IsZero() {
		return nil
	}
	let, err := w.names.arrival(ctx, rec.Envelope.Principal, rec.Position)
	if err != nil || let.Position == 0 {
		return err
	}
	w.followTo(rec, let, RoleSentBy)
	return nil
}

// sentFromOutside reports whether somebody other than the person and Chalie itself
// said it.
func sentFromOutside(rec domain.Record) bool {
	sent := rec.Topic == domain.TopicSignals || rec.Topic == domain.TopicMessages
	who := rec.Envelope.Principal
	return sent && who != domain.PrincipalOperator && who != domain.PrincipalCore
}

// names knows what principals were called when.
type names struct {
	log      Log
	arrivals map[domain.Principal][]domain.Record // in log order
}

func newNames(log Log) names { return names{log, map[domain.Principal][]domain.Record{}} }

// arrival is what let a principal in before a position, the latest: under the same
// principal another program may have come since. The zero Record when nothing is
// known of it.
func (n names) arrival(ctx context.Context, who domain.Principal, before domain.Position) (domain.Record, error) {
	known, ok := n.arrivals[who]
	if !ok {
		var err error
		if known, err = n.read(ctx, who); err != nil {
			return domain.Record{}, err
		}
		n.arrivals[who] = known
	}
	var let domain.Record
	for _, candidate := range known {
		if candidate.Position < before {
			let = candidate
		}
	}
	return let, nil
}

// at is what a principal was called then; "" when it isn't known.
func (n names) at(ctx context.Context, who domain.Principal, before domain.Position) (string, error) {
	let, err := n.arrival(ctx, who, before)
	if err != nil || let.Position == 0 {
		return "", err
	}
	return narrate.NameIn(let.Envelope), nil
}

// read finds the records that let a principal in.
func (n names) read(ctx context.Context, who domain.Principal) ([]domain.Record, error) {
	if text, ok := strings.CutPrefix(string(who), string(domain.Stream{}.Principal())); ok {
		var id domain.ID
		// A foreign writer's may be no id, and then is none.
		_ = id.UnmarshalText([]byte(text))
		rec, err := n.log.Find(ctx, id)
		if domain.CategoryOf(err) == domain.NotFound {
			return nil, nil
		}
		return []domain.Record{rec}, err
	}
	keys := []domain.Key{}
	if id, err := domain.ParseID(string(who)); err == nil {
		keys = append(keys, domain.InterfaceKey(id))
	}
	keys = append(keys, domain.TokenIssued{Name: string(who)}.Keys()...)
	for _, key := range keys {
		found, err := n.under(ctx, key)
		if err != nil || len(found) > 0 {
			return found, err
		}
	}
	return nil, nil
}

func (n names) under(ctx context.Context, key domain.Key) ([]domain.Record, error) {
	var out []domain.Record
	from := domain.Position(1)
	for read := 0; read < senderMost; {
		page, err := n.log.Select(ctx, domain.Selector{Key: key}, from, senderPage)
		if err != nil {
			return nil, err
		}
		for _, rec := range page {
			switch rec.Envelope.Type {
			case domain.InterfacePairedType, domain.InterfaceRegisteredType, domain.TokenIssuedType:
				out = append(out, rec)
			}
			from = rec.Position + 1
		}
		if read += len(page); len(page) < senderPage {
			break
		}
	}
	return out, nil
}
