package reckon

import (
	"strings"
)

const currency = `(?:usd|eur|euros?|gbp|inr|cad|cdn|aud|nzd|jpy|yen|yuan|renminbi|cny|rmb|rupees?|rupies?|rs|pesos?|mxn|francs?|chf|czk|koruna|kron(?:a|or|e)|sek|nok|dkk|rubles?|roubles?|rub|won|krw|rials?|riyals?|dirhams?|aed|lira|try|zloty|pln|forint|bitcoins?|btc|ringgit|baht|shekels?|real|reais|brl|rand|zar|quid|sterling|pounds? sterling|(?:british|english|uk|egyptian) pounds?|(?:us |american |canadian |australian |new zealand |hong kong |singapore )?(?:dollars?|dollers?|bucks)|us \$|us\$|\$|€|£)`

// aCurrency is one by itself: not the end of summers.
const aCurrency = `(?:^|[^\pL])` + currency + `(?:[^\pL]|$)`

var (
	rates     = matching(`\b(?:exchange|xchange|conversion|currency|forex|foreign exchange|fx) (?:rates?|rte|conversion|calculator)\b|\b(?:exchange|exchanging|xchange|exchance|conversion|currency|rates?|rte)\b.*` + aCurrency + `|` + aCurrency + `.*\b(?:exchange|xchange|rates?)\b|\b(?:exchange|currency|exchance)\b.*\bbetween\b|^(?:current |new |latest |the |what is )*(?:exchange|forex|currency) rates?$|^(?:compare |convert )?(?:the )?(?:currency|currencies)(?: rates?)?$`)
	twoSorts  = matching(`(?:^|[^\pL])(` + currency + `)(?:[^\pL].*?[^\pL]|[^\pL])(` + currency + `|pounds?)(?:[^\pL]|$)|(?:^|[^\pL])(pounds?)[^\pL](?:.*[^\pL])?(` + currency + `)(?:[^\pL]|$)`)
	worth     = matching(aCurrency + `.*\b(?:worth|price|value|position|rate|vs|versus)\b|\b(?:price|value|worth|rate)\b.*` + aCurrency + `|` + aCurrency + `.*\bin [a-z ]+$`)
	moneyAsks = matching(`^(?:what|how|which|is|are|convert|change|exchange|xchange|currency|currencies|conversion|current|detail|the|i have|new|check|compare|display|rate|rates|forex|and|given|\d|\$|€|£)`)
)

// money answers who wants to know what a currency is worth in another.
func (a asker) money() (Answer, bool) {
	s := a.plain()
	if mine.in(strings.ReplaceAll(s, "do i have", "")) && !rates.in(s) || !moneyAsks.in(s) && !currencyFirst.in(s) {
		return none()
	}
	between := twoSorts.parts(s)
	if !rates.in(s) && !worth.in(s) && (between == nil || sameSort(between)) {
		return none()
	}
	if stays.in(s) {
		return none()
	}
	return unworked("rates")
}

var (
	currencyFirst = matching(`^(?:a |one )?` + currency + `(?:[^\pL]|$)`)
	// stays are sums of money that stay in their currency.
	stays   = matching(`\b(?:sum|plus|minus|times|add|subtract|divided?|split|tip|tax|percent|off|of the house|house|car|ticket|stock|shares?|gas|petrol|gold|cost of)\b|%|\+`)
	manyEnd = matching(`s$`)
)

// sameSort reports whether the two sorts of money of a sentence are one: 5 dollars and 3 dollars.
func sameSort(found []string) bool {
	var sorts []string
	for _, f := range found[1:] {
		if f != "" {
			sorts = append(sorts, manyEnd.without(f))
		}
	}
	return len(sorts) == 2 && sorts[0] == sorts[1]
}
