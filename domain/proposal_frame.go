package domain

// propose asks the person for approval. A proposal that was erased shows that it
// was, and can still be decided by its token.
func (f *Frame) propose(e Envelope) error {
	notice, err := ApprovalNotice(e)
	f.Proposal = &notice
	if CodeOf(err) == CodeErased {
		f.Blocks = ErasedBlocks()
		return nil
	}
	if err != nil {
		return err
	}
	f.Topic = "approval"
	f.Blocks = []Block{
		AlertBlock(notice.Summary, VariantWarning),
		TextBlock("This waits for your approval: answer yes or no.", FormatPlain),
	}
	return nil
}
