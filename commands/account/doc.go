// Package account has the operator's account: its password, its sessions and known
// devices, and the tokens of programs.
//
// An answer holds for the very next request: each command waits until the fold has its
// events. Passwords, sessions and tokens are stored as hashes; their texts are returned
// once, by the command that made them. Failed logins are recorded at most once a minute.
package account
