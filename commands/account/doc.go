// Package account lets the operator in, and programs on the operator's behalf: the one
// account, its password, its sessions and the devices that are known, and tokens.
//
// What a command answered holds for the very next request: it waits until the fold knows.
// Passwords, sessions and tokens are stored as hashes; their texts are told once, by the
// command that made them. Failed logins are recorded at most once a minute.
package account
