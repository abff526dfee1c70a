package models

import (
	"context"
	"strings"

	"chalie/adapters/models/dialogue"
	"chalie/commands/reasoning"
	"chalie/domain"
)

// Verifier checks answers with a real model.
type Verifier struct{ model *Model }

var _ reasoning.Verifier = (*Verifier)(nil)

// Name is that of its model.
func (v *Verifier) Name() string { return v.model.Name() }

// Close lets go of idle connections.
func (v *Verifier) Close() { v.model.Close() }

// verdict is what a model finds.
type verdict struct {
	Outcome    domain.VerificationOutcome `json:"outcome"`
	Confidence float64                    `json:"confidence"`
	Reasoning  string                     `json:"reasoning"`
	Issues     []string                   `json:"issues"`
}

const (
	maxIssues     = 8
	maxIssueBytes = 1 << 10
)

// verdictTokens is enough for a verdict, and for the thoughts before it.
const verdictTokens = 4_096

func verdictSchema() map[string]any {
	outcome := map[string]any{"type": "string", "enum": []string{
		string(domain.VerifiedSuccess), string(domain.VerifiedPartial), string(domain.VerifiedFailure),
	}}
	return object("outcome", outcome, "confidence", typed("number"), "reasoning", typed("string"), "issues", listOf(typed("string")))
}

// Verify judges an answer. Its errors are those of Model.Reply.
func (v *Verifier) Verify(ctx context.Context, w reasoning.Verification) (domain.AnswerVerified, error) {
	q := v.question(w)
	var out domain.AnswerVerified
	err := v.model.converse(ctx, &q, nil, func(answer dialogue.Answer) (fault string) {
		var said verdict
		if fault := readJSON(answer.Text, &said); fault != "" {
			return fault
		}
		switch said.Outcome {
		case domain.VerifiedSuccess, domain.VerifiedPartial, domain.VerifiedFailure:
		default:
			return "its outcome is none of success, partial and failure"
		}
		out = domain.AnswerVerified{
			Outcome: said.Outcome, Confidence: share(said.Confidence), Reasoning: cut(strings.TrimSpace(said.Reasoning), maxIssueBytes),
			Issues: []string{}, Verifier: v.Name(),
		}
		for _, issue := range said.Issues {
			if issue = strings.TrimSpace(issue); issue != "" && len(out.Issues) < maxIssues && said.Outcome != domain.VerifiedSuccess {
				out.Issues = append(out.Issues, cut(issue, maxIssueBytes))
			}
		}
		return ""
	})
	return out, err
}

func (v *Verifier) question(w reasoning.Verification) dialogue.Question {
	var a asking
	lines := []string{jsonLine(map[string]string{"task": clean(w.Task)})}
	for _, d := range w.Done {
		result, _ := a.result(d)
		lines = append(lines, jsonLine(map[string]any{"called": clean(d.Call.Tool), "with": cleanJSON(d.Call.Params)}), result)
	}
	lines = append(lines, jsonLine(map[string]string{"answer": clean(w.Answer)}))
	q := dialogue.Question{
		System: judging, MaxTokens: min(verdictTokens, v.model.traits.MaxOutput),
		Turns: []dialogue.Turn{{Text: strings.Join(lines, "\n")}},
	}
	if v.model.traits.Schema {
		q.Format = &dialogue.Format{Name: "verdict", Schema: verdictSchema()}
	}
	return q
}
