package domain_test

import (
	"reflect"
	"testing"

	"chalie/domain"
)

// What a policy was asked stands in its decision, and the same question gets the
// same answer.
func TestOpenRegime(t *testing.T) {
	asked := domain.Invoking{InvocationID: domain.ID{15: 1}, ParentInvocationID: domain.ID{15: 2}, Actor: "ada", Channel: "chat",
		CapabilityID: "x/y", CapabilityVersion: "3"}
	want := domain.PolicyDecided{InvocationID: domain.ID{15: 1}, ParentInvocationID: domain.ID{15: 2}, Actor: "ada", Channel: "chat",
		CapabilityID: "x/y", CapabilityVersion: "3", RegimeID: "open/1", Allowed: true,
		ReasonCodes: []string{"regime_allows_everything"}, Obligations: []string{}}
	for range 2 {
		if got := (domain.OpenRegime{}).Decide(asked); !reflect.DeepEqual(got, want) {
			t.Errorf("decided %+v, want %+v", got, want)
		}
	}
}
