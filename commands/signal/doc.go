// Package signal takes in what happens around the person: signals that programs send,
// alone or in batches, what is overheard on streams, and what clients say of where and how
// the person is.
//
// A signal is judged (its shape, its sender's permission, the limits), screened and
// appended; a batch is appended whole and judged item by item. While a person waits for an
// answer, signals wait for a moment. A request with an Idempotency-Key happens once.
//
// Every error is a *domain.Error; a failed append had no effect, except with
// domain.CodeOutcomeUnknown.
package signal
