package prometheus

import (
	"context"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
)

// patience is how long the sources of one scrape may take.
const patience = 5 * time.Second

// asked collects what is asked for at a scrape.
type asked struct{ *Metrics }

func desc(name, help string, labels ...string) *prometheus.Desc {
	return prometheus.NewDesc(name, help, labels, nil)
}

// kindOf is the kind of a metric by its name: what only grows is a counter, and is called so.
func kindOf(name string) prometheus.ValueType {
	if strings.HasSuffix(name, "_total") {
		return prometheus.CounterValue
	}
	return prometheus.GaugeValue
}

// Describe says nothing beforehand: what there is depends on what runs.
func (a asked) Describe(chan<- *prometheus.Desc) {}

// Collect asks the sources.
func (a asked) Collect(out chan<- prometheus.Metric) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	send := func(d *prometheus.Desc, kind prometheus.ValueType, v float64, labels ...string) {
		out <- prometheus.MustNewConstMetric(d, kind, v, labels...)
	}
	tail := a.from.Log.Tail()
	send(desc("chalie_log_tail_position", "The position of the last envelope that is durable."), prometheus.GaugeValue, float64(tail))
	if a.from.Projections != nil {
		position := desc("chalie_projection_position", "Through which position a projection is folded.", "projection")
		lag := desc("chalie_projection_lag", "How many records a projection is behind.", "projection")
		age := desc("chalie_projection_lag_seconds", "How old the oldest of them is.", "projection")
		for _, p := range a.from.Projections(ctx) {
			send(position, prometheus.GaugeValue, float64(p.Position), p.Name)
			send(lag, prometheus.GaugeValue, float64(p.Lag), p.Name)
			send(age, prometheus.GaugeValue, p.LagTime.Seconds(), p.Name)
		}
	}
	if a.from.Clients != nil {
		send(desc("chalie_socket_clients", "Clients on /ws."), prometheus.GaugeValue, float64(a.from.Clients()))
	}
	if a.from.Queues != nil {
		waiting := desc("chalie_queue_waiting", "What waits to be thought about: messages that wait for an answer are of the consumer person.", "consumer")
		for name, n := range a.from.Queues() {
			send(waiting, prometheus.GaugeValue, float64(n), name)
		}
	}
	if a.from.Cluster != nil {
		for name, v := range a.from.Cluster() {
			send(desc("chalie_cluster_"+name, "Of the cluster that keeps the log, as this program sees it."), kindOf(name), v)
		}
	}
	if a.from.Storage != nil {
		for name, v := range a.from.Storage() {
			send(desc("chalie_log_store_"+name, "Of the log's store, as Pebble tells it."), kindOf(name), v)
		}
	}
}
