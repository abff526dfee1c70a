package pebblestore

// What a Set does with the files of a folder.
var (
	Versions    = versionsOf
	ReadActive  = readActive
	WriteActive = writeActive
	Sweep       = sweep
	Remove      = remove
)
