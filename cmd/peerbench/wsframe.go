package main

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// opcode is what a WebSocket frame is.
type opcode byte

// The opcodes that a server sends here.
const (
	opText  opcode = 1
	opClose opcode = 8
	opPing  opcode = 9
	opPong  opcode = 10
)

const (
	finalBit  = 0x80 // of the first byte: the message ends with this frame
	maskedBit = 0x80 // of the second byte
	noMask    = 4    // bytes of a masking key; of zeros, it leaves the payload as it is
)

// cutFrame takes the first frame off what a server sent. The payload is nil
// when the frame has not come whole, and aliases data otherwise.
func cutFrame(data []byte) (op opcode, payload, rest []byte, err error) {
	if len(data) < 2 {
		return 0, nil, data, nil
	}
	if data[0]&^0x0f != finalBit {
		return 0, nil, nil, fmt.Errorf("a frame begins with byte %#x: it is in parts or compressed, which nobody asked for", data[0])
	}
	if data[1]&maskedBit != 0 {
		return 0, nil, nil, errors.New("a frame of the server is masked")
	}
	size, body := uint64(data[1]), data[2:]
	switch {
	case size == 126 && len(body) >= 2:
		size, body = uint64(binary.BigEndian.Uint16(body)), body[2:]
	case size == 127 && len(body) >= 8:
		size, body = binary.BigEndian.Uint64(body), body[8:]
	case size >= 126:
		return 0, nil, data, nil
	}
	if uint64(len(body)) < size {
		return 0, nil, data, nil
	}
	return opcode(data[0] & 0x0f), body[:size:size], body[size:], nil
}

// clientFrame is a frame as a client sends it, with a payload of at most 65,535
// bytes. Its masking key is zero: the mask protects proxies, and there is none.
func clientFrame(op opcode, payload []byte) []byte {
	frame := make([]byte, 0, 4+noMask+len(payload))
	if len(payload) < 126 {
		frame = append(frame, finalBit|byte(op), maskedBit|byte(len(payload)))
	} else {
		frame = append(frame, finalBit|byte(op), maskedBit|126)
		frame = binary.BigEndian.AppendUint16(frame, uint16(len(payload)))
	}
	frame = append(frame, make([]byte, noMask)...)
	return append(frame, payload...)
}

// closeText says what a close frame says.
func closeText(payload []byte) string {
	if len(payload) < 2 {
		return "without a code"
	}
	return fmt.Sprintf("with code %d: %s", binary.BigEndian.Uint16(payload), payload[2:])
}
