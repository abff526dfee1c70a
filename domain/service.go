package domain

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// Service is one part of the running program, as it declares itself. A service
// that is dead leaves the others working: its signals stop, which for
// their consumers means that nothing has happened.
type Service struct {
	Name     string
	Layer    Layer
	Emits    []SpineType
	Consumes []SpineType
	Trigger  Trigger
	Cycle    time.Duration // a sign of life comes at least as often; 0 for a service without a loop of its own
	FailMode string        // what is missing while it is dead
}

// TTL is the time for which a sign of life is good.
func (s Service) TTL() time.Duration { return 2 * s.Cycle }

// Layer is a fault domain: what fails in one is contained there.
type Layer string

// The layers.
const (
	LayerCognitive  Layer = "cognitive"  // thinks and remembers
	LayerEmbodiment Layer = "embodiment" // perceives and speaks
	LayerCapability Layer = "capability" // acts
)

// Trigger names what sets a service off.
type Trigger string

// The triggers.
const (
	TriggerTimer   Trigger = "timer"   // its own clock
	TriggerSignal  Trigger = "signal"  // what is in the log, or on the spine
	TriggerRequest Trigger = "request" // somebody asks
	TriggerOnce    Trigger = "once"    // the start of the program
)

// The services that emit nothing. Those that do stand with the types of signals.
const (
	ServiceReasoning   = "reasoning"
	ServiceBackground  = "background"
	ServiceSpine       = "spine"
	ServiceSelfModel   = "selfmodel"
	ServiceProjections = "projections"
	ServiceSockets     = "sockets"
	ServiceConsole     = "console"
	ServiceMCP         = "mcp"
	ServiceBridge      = "bridge" // runs only where there is one
	ServiceStreams     = "streams"
	ServicePairing     = "pairing"
	ServiceMonitor     = "monitor"
	ServiceServers     = "servers"
	ServiceRecovery    = "recovery"
	ServiceTimer       = "timer"
	ServiceApprovals   = "approvals"
	ServiceAudit       = "audit"
	ServiceTelemetry   = "telemetry" // runs only where a collector was named
)

// usualCycle is how often a service that waits for others shows that it is alive.
const usualCycle = 30 * time.Second

// Services are all services of the program, by layer.
func Services() []Service {
	return slices.Concat(cognitive(), embodiment(), capability())
}

func cognitive() []Service {
	return []Service{
		{Name: ServiceReasoning, Layer: LayerCognitive, Consumes: []SpineType{UserMessage}, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "messages are kept, and answered by the next start"},
		{Name: ServiceBackground, Layer: LayerCognitive, Consumes: emittedInBackground(), Trigger: TriggerSignal,
			Cycle:    DefaultReasoningLimits().Time(), // a cycle may take so long
			FailMode: "nothing is thought about unasked; what is noticed waits for the next start"},
		{Name: ServiceIdle, Layer: LayerCognitive, Emits: []SpineType{IdleDiscovery}, Trigger: TriggerTimer, Cycle: 10 * time.Minute,
			FailMode: "what was heard is looked over only when something else is noticed"},
		{Name: ServiceObservation, Layer: LayerCognitive, Emits: []SpineType{NovelObservation}, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "that a tool answers otherwise goes unnoticed"},
		{Name: ServiceSpine, Layer: LayerCognitive, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "what services notice is lost, but for what they read from the log"},
		{Name: ServiceSelfModel, Layer: LayerCognitive, Trigger: TriggerTimer, Cycle: usualCycle,
			FailMode: "deaths of services are shown, but not recorded"},
		{Name: ServiceProjections, Layer: LayerCognitive, Trigger: TriggerSignal,
			FailMode: "what is known stays as it was; the log goes on, and is folded again later"},
		{Name: ServiceAudit, Layer: LayerCognitive, Trigger: TriggerTimer, Cycle: 24 * time.Hour,
			FailMode: "that a projection doesn't know what the log says goes unnoticed"},
	}
}

func embodiment() []Service {
	return []Service{
		{Name: ServiceMessages, Layer: LayerEmbodiment, Emits: []SpineType{UserMessage}, Trigger: TriggerRequest,
			FailMode: "the caller is told that what was said was not taken in"},
		{Name: ServiceSurroundings, Layer: LayerEmbodiment, Emits: []SpineType{AmbientContext}, Trigger: TriggerRequest,
			FailMode: "the surroundings stay as they were last known"},
		{Name: ServiceThreads, Layer: LayerEmbodiment, Emits: []SpineType{ThreadExpired}, Trigger: TriggerTimer, Cycle: 30 * time.Minute,
			FailMode: "a conversation that has come to rest is not looked back upon"},
		{Name: ServiceSockets, Layer: LayerEmbodiment, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "windows hear nothing new; what they missed they get when they come back"},
		{Name: ServiceConsole, Layer: LayerEmbodiment, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "consoles and voice programs hear nothing new; what they missed they get when they come back"},
		{Name: ServiceMCP, Layer: LayerEmbodiment, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "programs that speak MCP aren't told of changed tools; their next list of tools is right all the same"},
		{Name: ServiceBridge, Layer: LayerEmbodiment, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "the bridge hears nothing new; what it missed it gets by the next start"},
		{Name: ServiceStreams, Layer: LayerEmbodiment, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "broadcasts are not heard"},
		{Name: ServiceTelemetry, Layer: LayerEmbodiment, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "traces are not exported; the log keeps them for the next start"},
	}
}

func capability() []Service {
	return []Service{
		{Name: ServiceScheduler, Layer: LayerCapability, Emits: []SpineType{ScheduleFired}, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "what falls due is told as it is, and not thought about"},
		{Name: ServicePlans, Layer: LayerCapability, Emits: []SpineType{TaskStateChanged, TraitChanged}, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "what happens to tasks and memories is recorded, and not thought about"},
		{Name: ServiceTimer, Layer: LayerCapability, Trigger: TriggerTimer, Cycle: usualCycle,
			FailMode: "reminders and deadlines are told late, by the next start"},
		{Name: ServicePairing, Layer: LayerCapability, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "refused attempts to pair are not recorded"},
		{Name: ServiceMonitor, Layer: LayerCapability, Trigger: TriggerTimer, Cycle: usualCycle,
			FailMode: "which interfaces are there is known as it last was"},
		{Name: ServiceServers, Layer: LayerCapability, Trigger: TriggerTimer, Cycle: usualCycle,
			FailMode: "MCP servers that end are started again only when they are needed"},
		{Name: ServiceApprovals, Layer: LayerCapability, Trigger: TriggerSignal, Cycle: usualCycle,
			FailMode: "what is approved outside a conversation is done by the next start; what expires is refused, and recorded then"},
		{Name: ServiceRecovery, Layer: LayerCapability, Trigger: TriggerOnce,
			FailMode: "invocations of before stay open until the next start"},
	}
}

// emittedInBackground are all types that are not reserved and that nobody waits
// for the answer of.
func emittedInBackground() (types []SpineType) {
	for _, kind := range SpineKinds() {
		if !kind.Reserved() && kind.Type != UserMessage {
			types = append(types, kind.Type)
		}
	}
	return types
}

// ServiceNamed is a declared service.
func ServiceNamed(name string) (Service, bool) {
	all := Services()
	i := slices.IndexFunc(all, func(s Service) bool { return s.Name == name })
	if i < 0 {
		return Service{}, false
	}
	return all[i], true
}

// SpineEdge says that what one service emits another consumes.
type SpineEdge struct {
	From, To string
	Type     SpineType
}

// SpineEdges are the ways that spine signals take between services, in the order
// of the services and of the types each emits.
func SpineEdges(services []Service) (edges []SpineEdge) {
	for _, from := range services {
		for _, t := range from.Emits {
			for _, to := range services {
				if slices.Contains(to.Consumes, t) {
					edges = append(edges, SpineEdge{from.Name, to.Name, t})
				}
			}
		}
	}
	return edges
}

// SpineMermaid draws the ways of spine signals as a Mermaid flowchart: each layer
// with its services, and an arrow for every pair with the types between them.
// Services that neither emit nor consume stand alone.
func SpineMermaid(services []Service) string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for _, layer := range []Layer{LayerEmbodiment, LayerCapability, LayerCognitive} {
		fmt.Fprintf(&b, "  subgraph %s\n", layer)
		for _, s := range services {
			if s.Layer == layer {
				fmt.Fprintf(&b, "    %s\n", s.Name)
			}
		}
		b.WriteString("  end\n")
	}
	edges := SpineEdges(services)
	for i, e := range edges {
		between := []string{string(e.Type)}
		if slices.ContainsFunc(edges[:i], func(o SpineEdge) bool { return o.From == e.From && o.To == e.To }) {
			continue // drawn with the first of the pair
		}
		for _, o := range edges[i+1:] {
			if o.From == e.From && o.To == e.To {
				between = append(between, string(o.Type))
			}
		}
		fmt.Fprintf(&b, "  %s -->|%s| %s\n", e.From, strings.Join(between, "<br>"), e.To)
	}
	return b.String()
}

// ServiceDied says that a service has stopped giving signs of life. The others go
// on; it isn't started again by itself.
type ServiceDied struct {
	Service string `json:"service"`
	Layer   Layer  `json:"layer"`
	Reason  string `json:"reason"`
	Missing string `json:"missing"` // what is missing while it is dead
}

// ServiceRecovered says that a service that counted as dead gives signs of life again.
type ServiceRecovered struct {
	Service string `json:"service"`
	Layer   Layer  `json:"layer"`
}

// ServiceKey marks what is recorded of the life of a service.
func ServiceKey(name string) Key { return "service/" + Key(name) }
