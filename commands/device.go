package commands

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"strings"
)

// NewDevice is a text that shows, from the next time on, that whoever has it was logged
// in once; "" before there is a password. It is signed with the stored hash of the
// password: nothing has to be kept of it, a restart forgets none, and another password
// ends them all.
func (a *Accounts) NewDevice() string {
	id := NewSecret()
	sum := a.deviceSum(id)
	if sum == "" {
		return ""
	}
	return id + "." + sum
}

// Device is the name of a known device by its text; false for any other.
func (a *Accounts) Device(text string) (id string, known bool) {
	id, sum, _ := strings.Cut(text, ".")
	want := a.deviceSum(id)
	return id, want != "" && SameSecret(want, sum)
}

func (a *Accounts) deviceSum(id string) string {
	operator, _ := a.operator()
	if operator.PasswordHash == "" {
		return ""
	}
	mac := hmac.New(sha256.New, []byte(operator.PasswordHash))
	mac.Write([]byte("device " + id))
	return hex.EncodeToString(mac.Sum(nil))
}
