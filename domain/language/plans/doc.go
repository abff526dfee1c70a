// Package plans hears what is to happen to what is planned: reminders, alarms and appointments. A sentence is
// known by a phrase, or else taken apart into a [Frame]: what is to happen, to what kind of plan, and when.
package plans
