package tools

import "chalie/domain/language/speech"

// say is a message, and args are its arguments.
var say = speech.New

type args = speech.Args
