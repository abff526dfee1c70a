package gauge

import "strings"

// companies are what large companies and coins are called besides their symbols.
var companies = table(`AAPL Apple
MSFT Microsoft
GOOGL Google,Alphabet
GOOG Google,Alphabet
AMZN Amazon
NVDA Nvidia,NVIDIA
META Meta,Facebook
TSLA Tesla
NFLX Netflix
AMD Advanced Micro Devices
INTC Intel
IBM International Business Machines
ORCL Oracle
CRM Salesforce
ADBE Adobe
CSCO Cisco
QCOM Qualcomm
AVGO Broadcom
UBER Uber
ABNB Airbnb
SPOT Spotify
SHOP Shopify
PYPL PayPal
SBUX Starbucks
MCD McDonald's
KO Coca-Cola
PEP Pepsi,PepsiCo
NKE Nike
DIS Disney
WMT Walmart
COST Costco
JPM JPMorgan
GS Goldman Sachs
BAC Bank of America
MA Mastercard
PFE Pfizer
JNJ Johnson & Johnson
XOM Exxon,ExxonMobil
CVX Chevron
BA Boeing
F Ford
GM General Motors
TM Toyota
SONY Sony
ASML Advanced Semiconductor Materials
SAP Systeme Anwendungen Produkte
SIE Siemens
VOD Vodafone
BP British Petroleum
SHEL Shell
BABA Alibaba
TSM TSMC
BTC Bitcoin
ETH Ethereum,Ether
SOL Solana
XRP Ripple
DOGE Dogecoin`)

// Also are other names of something, by a table of large companies and coins: Apple of AAPL, and
// AAPL of Apple. There are none of most things.
func Also(name string) []string {
	if of := companies[strings.ToUpper(name)]; len(of) > 0 && name == strings.ToUpper(name) {
		return of
	}
	return symbols[strings.ToLower(name)]
}

// symbols are the symbols of what companies has, by its names in small letters.
var symbols = turned(companies)

func table(lines string) map[string][]string {
	out := map[string][]string{}
	for line := range strings.Lines(lines) {
		symbol, names, _ := strings.Cut(strings.TrimSpace(line), " ")
		out[symbol] = strings.Split(names, ",")
	}
	return out
}

func turned(of map[string][]string) map[string][]string {
	out := map[string][]string{}
	for symbol, names := range of {
		for _, name := range names {
			if symbol != name && (symbol != "GOOG") {
				out[strings.ToLower(name)] = append(out[strings.ToLower(name)], symbol)
			}
		}
	}
	return out
}
