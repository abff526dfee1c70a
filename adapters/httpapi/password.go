package httpapi

import "chalie/domain"

// changePassword is PUT /api/account/password. Over the Unix socket it asks for no
// present password: who can open that can read all there is.
func (x *exchange) changePassword() error {
	body, err := x.body()
	if err != nil {
		return err
	}
	present, password, err := decodePasswords(body)
	if err != nil {
		return err
	}
	if err := x.accountKnown(); err != nil {
		return err
	}
	var ended int
	switch {
	case x.trusted:
		ended, err = x.api.cfg.Accounts.SetPassword(x.r.Context(), password)
	case present == "":
		err = domain.Invalid("change password", "present", "present is required: send the present password beside the new one")
	default:
		err = x.guessing(func() (err error) {
			ended, err = x.api.cfg.Accounts.ChangePassword(x.r.Context(), x.sessionSecret(), present, password)
			return err
		})
	}
	if err != nil {
		return err
	}
	x.knowDevice() // the new password has ended what the browser was known by
	return x.answerEnded(ended)
}

func decodePasswords(body []byte) (present, password string, err error) {
	v, err := parseJSON(body)
	if err != nil {
		return "", "", err
	}
	m, err := v.members("the body")
	if err != nil {
		return "", "", err
	}
	var presentValue, passwordValue value
	for name, v, ok := m.next(); ok; name, v, ok = m.next() {
		switch name {
		case "present":
			presentValue = v
		case "password":
			passwordValue = v
		}
	}
	if present, err = presentValue.text("present"); err != nil {
		return "", "", err
	}
	password, err = passwordValue.text("password")
	return present, password, err
}
