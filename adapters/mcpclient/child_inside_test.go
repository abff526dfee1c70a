package mcpclient

import "testing"

// A server that breaks is told by its own message, whatever its runtime writes around it.
func TestLastWords(t *testing.T) {
	for name, c := range map[string]struct{ said, want string }{
		"nothing":             {"", ""},
		"empty lines":         {"\n \n", ""},
		"one line":            {"no such file\n", "no such file"},
		"a log":               {"info: started: ok\nError: a try failed: again\nServer shut down.\n\n", "Server shut down."},
		".NET":                {"info: started\nUnhandled exception. System.InvalidOperationException: The till is shut\n   at Till.Open(Int32 n) in /src/Till.cs:line 12\n   at Program.<Main>$(String[] args)\n", "Unhandled exception. System.InvalidOperationException: The till is shut"},
		".NET, several lines": {"Unhandled exception. System.Exception: The till is shut\nand the key is away\n ---> System.IO.IOException: no disk\n   at A.B()\n   --- End of inner exception stack trace ---\n   at C.D()\nAborted (core dumped)\n", "Unhandled exception. System.Exception: The till is shut"},
		"Python":              {"Traceback (most recent call last):\n  File \"/srv/till.py\", line 3, in <module>\n    open_till(1)\n    ~~~~~~~~~^^^\nValueError: the till is shut\n", "ValueError: the till is shut"},
		"Java":                {"Exception in thread \"main\" java.lang.IllegalStateException: The till is shut\n\tat shop.Till.open(Till.java:12)\n\tat shop.Main.main(Main.java:3)\n", `Exception in thread "main" java.lang.IllegalStateException: The till is shut`},
		"Java, with a cause":  {"Exception in thread \"main\" java.lang.RuntimeException: broken\n\tat shop.Main.main(Main.java:3)\nCaused by: java.io.IOException: The till is shut\n\tat shop.Till.open(Till.java:12)\n\t... 1 more\n", "Caused by: java.io.IOException: The till is shut"},
		"Go":                  {"panic: the till is shut\n\ngoroutine 1 [running]:\nmain.open(...)\n\t/src/till.go:5\nmain.main()\n\t/src/main.go:9 +0x1d\nexit status 2\n", "panic: the till is shut"},
		"Go, a signal":        {"panic: runtime error: invalid memory address or nil pointer dereference\n[signal SIGSEGV: segmentation violation code=0x1 addr=0x0 pc=0x4]\n\ngoroutine 7 [running]:\nmain.main.func1()\n\t/src/main.go:9 +0x1d\ncreated by main.main in goroutine 1\n\t/src/main.go:8 +0x2\n", "panic: runtime error: invalid memory address or nil pointer dereference"},
		"Node":                {"/srv/till.js:1\nthrow new Error(\"The till is shut\")\n^\n\nError: The till is shut\n    at Object.<anonymous> (/srv/till.js:1:7)\n    at node:internal/main/run_main_module:28:49 {\n  code: 'SHUT'\n}\n\nNode.js v20.1.0\n", "Error: The till is shut"},
		"Rust":                {"thread 'main' panicked at src/main.rs:2:5:\nthe till is shut\nnote: run with `RUST_BACKTRACE=1` environment variable to display a backtrace\n", "the till is shut"},
		"frames alone":        {"   at A.B()\n   at C.D()\n", "at C.D()"},
	} {
		if got := lastWords(c.said); got != c.want {
			t.Errorf("%s: it is told as %q, want %q", name, got, c.want)
		}
	}
}
