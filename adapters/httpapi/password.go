package httpapi

import (
	"chalie/adapters/api"
	"chalie/domain"
)

// changePassword is PUT /api/account/password. Over the Unix socket it asks for no
// present password: who can open that can read all there is.
func (x *exchange) changePassword() error {
	var in api.PasswordChange
	err := x.read(&in)
	if err != nil {
		return err
	}
	if err := x.accountKnown(); err != nil {
		return err
	}
	var ended int
	switch {
	case x.trusted:
		ended, err = x.api.cfg.Accounts.SetPassword(x.r.Context(), in.Password)
	case in.Present == "":
		err = domain.Invalid("change password", "present", "present is required: send the present password beside the new one")
	default:
		err = x.guessing(func() (err error) {
			ended, err = x.api.cfg.Accounts.ChangePassword(x.r.Context(), x.sessionSecret(), in.Present, in.Password)
			return err
		})
	}
	if err != nil {
		return err
	}
	x.knowDevice() // the new password has ended what the browser was known by
	return x.answerEnded(ended)
}
