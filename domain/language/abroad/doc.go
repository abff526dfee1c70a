// Package abroad hears requests in German, Spanish and French, by the phrases and times of package tongues, and
// tells answers in them.
package abroad
