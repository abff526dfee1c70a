package main

import (
	"chalie/adapters/builtinmodel"
	"chalie/adapters/models"
	"chalie/commands/reasoning"
)

// thinkers are the models that answer, in the order they are asked, and who
// checks their answers.
type thinkers struct {
	models   []reasoning.Model // the built-in one last: it always answers
	verifier reasoning.Verifier
	close    []func()
}

// newThinkers makes what was chosen. Nothing is sent.
func newThinkers(chosen models.Chosen) (*thinkers, error) {
	chosenOnes, err := models.New(models.Config{Choices: chosen.Models})
	if err != nil {
		return nil, err
	}
	out := &thinkers{models: append(chosenOnes, builtinmodel.Model{})}
	for _, m := range chosenOnes {
		if m, ok := m.(*models.Model); ok {
			out.close = append(out.close, m.Close)
		}
	}
	if chosen.Verifier == nil {
		return out, nil
	}
	verifier, err := models.NewVerifier(*chosen.Verifier, models.Config{})
	if err != nil {
		return nil, err
	}
	out.verifier, out.close = verifier, append(out.close, verifier.Close)
	return out, nil
}

// names are those of the models, in order.
func (t *thinkers) names() []string {
	out := make([]string, len(t.models))
	for i, m := range t.models {
		out[i] = m.Name()
	}
	return out
}

// seeImages reports whether the model that is asked first does.
func (t *thinkers) seeImages() bool { return t.models[0].SeesImages() }

// release lets go of what the models hold.
func (t *thinkers) release() {
	for _, release := range t.close {
		release()
	}
}
