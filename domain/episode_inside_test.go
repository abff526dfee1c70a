package domain

// WithoutSpending is the episode without what it has used of its limits, to
// compare the rest.
func (e Episode) WithoutSpending() Episode {
	e.spent = spending{}
	return e
}
