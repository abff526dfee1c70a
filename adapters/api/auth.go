package api

// Credentials are a name and a password, to set up the account or to log in.
type Credentials struct {
	Username string `json:"username"`
	Password string `json:"password"`
	SetupKey string `json:"setup_key,omitempty" doc:"The key of the set-up link, to make the account with; over the Unix socket none is needed."`
	Key      bool   `json:"key,omitempty" doc:"The session is to have a key, which the answer then tells, this once."`
}

// LoggedIn is a new session. Its secret is in the cookie.
type LoggedIn struct {
	OK  bool   `json:"ok"`
	Key string `json:"key,omitempty" doc:"For the header Chalie-Key; with a socket among the protocols, as chalie, chalie.key.KEY."`
}

// AuthStatus says whether there is an account, a model and a session.
type AuthStatus struct {
	HasAccount   bool `json:"has_master_account"`
	HasProviders bool `json:"has_providers" doc:"A model answers."`
	HasSession   bool `json:"has_session" doc:"The cookie is that of a session."`
}

// SetupState says whether an account can be set up, and by which command.
type SetupState struct {
	State   string `json:"state" enum:"open|waiting|done" doc:"open when the key makes the account, waiting when another would, done when there is one."`
	Command string `json:"command" doc:"Starts this program, with {} for what it is to do. Only a browser on this machine, the current key or a session sees where the data lies."`
}

func authRoutes() []Route {
	return []Route{
		{Name: "authStatus", Method: get, Path: "/auth/status", Who: Anyone, Summary: "Whether there is an account, a model and a session", Answers: ok(AuthStatus{})},
		{Name: "register", Method: post, Path: "/auth/register", Who: Anyone, Summary: "Make the one account, and log in",
			Detail: "403 with setup_link_needed without the key of the set-up link; 409 when there is an account.",
			Body:   json(16*kib, Credentials{}), Answers: withStatus(201, LoggedIn{}), Refuses: []int{403, 409, 429}},
		{Name: "logIn", Method: post, Path: "/auth/login", Who: Anyone, Summary: "Open a session",
			Detail: "With key: true the answer has the session's key. Send it as Chalie-Key, beside the cookie: the cookie alone opens little. Guesses wait longer and longer, and are refused with 429 at last. The session that the request's own cookie opened is over.",
			Body:   json(16*kib, Credentials{}), Answers: ok(LoggedIn{}), Refuses: []int{401, 409, 429}},
		{Name: "logOut", Method: post, Path: "/auth/logout", Who: Anyone, Summary: "End the session", Answers: ok(OK{})},
		{Name: "aSession", Method: get, Path: "/auth/session", Who: Openers, Summary: "Whether the cookie is that of a session", Answers: ok(OK{})},
		{Name: "setup", Method: get, Path: "/auth/setup", Who: Anyone, Summary: "Whether a set-up link is of use",
			Query: []Param{text("key", "That of the set-up link.")}, Answers: ok(SetupState{})},
	}
}
