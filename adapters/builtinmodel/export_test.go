package builtinmodel

// PlainText is plainText for the tests: what was said is also said by the words that it is read as.
var PlainText = plainText

// SaysNo is saysNo.
var SaysNo = saysNo
