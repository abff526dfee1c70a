package httpapi_test

import (
	"bytes"
	"context"
	"sync"

	"chalie/commands"
	"chalie/domain"
)

// shelf is blobs in memory, with a failure on order.
type shelf struct {
	mu   sync.Mutex
	held map[string][]byte
	fail error
}

func (s *shelf) Put(_ context.Context, content []byte) (string, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	hash := commands.BodyHash(content)
	if s.fail == nil {
		s.held[hash] = bytes.Clone(content)
	}
	return hash, s.fail
}

func (s *shelf) Get(_ context.Context, hash string) ([]byte, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	content, ok := s.held[hash]
	if s.fail == nil && !ok {
		return nil, &domain.Error{Category: domain.NotFound, Code: "no_blob", Message: "nothing is there"}
	}
	return content, s.fail
}

func (s *shelf) Remove(_ context.Context, hash string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.held, hash)
	return s.fail
}

func (s *shelf) lose() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.held)
}

func (s *shelf) fails(fail error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fail = fail
}
