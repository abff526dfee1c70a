// Package ulids mints the ids of everything: ULIDs whose 128 bits are valid
// UUIDv7s too, because the outer contracts write them as UUIDs.
//
//	bits 0–47     Unix milliseconds of the clock
//	bits 48–51    0111, UUID version 7
//	bits 52–63    random
//	bits 64–65    10, the UUID variant
//	bits 66–127   random
//
// Within one Mint each id is greater than the one before, as bytes and in every
// spelling. In one millisecond, or when the clock stands still or goes back, the
// 74 random bits count up by a random step; should they overflow, the
// millisecond is counted up instead. Ids of different processes are told apart
// by their random bits only, and are in order as far as their clocks agree.
//
// Ids are no secrets: from one it can be guessed what the next is near.
package ulids
