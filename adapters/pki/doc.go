// Package pki has the certificates that Chalie serves TLS with: of an authority of its
// own, or from files of the person's.
//
//	own, err := pki.OpenAuthority(pki.Config{Dir: data, Clock: clock, Names: names})
//	own, err := pki.OpenFiles("cert.pem", "key.pem", clock, logger)
//	config := &tls.Config{GetCertificate: own.Certificate}
//
// # The authority
//
// A phone trusts a root that was installed on it once, for everything that root says. So
// the root's key signs one thing, the issuing certificate, and is forgotten: it never
// reaches the disk. The key that is kept is the issuing certificate's, whose critical name
// constraints every client has to obey: it can vouch for this machine's names, for
// *.local and *.home.arpa, and for private addresses. A thief of it can impersonate no
// site of the internet. The root says the same for those clients that look there, too.
//
// Both last ten years. A server's certificate lasts 90 days, less than the 397 that
// clients take at most, and is made anew in memory at each start, 30 days before its end,
// and when the machine's names or addresses have changed. What the authority may not
// vouch for is left out of it.
//
// # On the disk
//
// FileName in the data directory, mode 0600, in PEM: the root, the issuing certificate,
// and the issuing certificate's key. It is written once. Without it phones have to install
// another root, so a damaged one is an error and is not replaced.
//
// # Files of the person's
//
// They are read again when they have changed. Where that fails, as in the middle of a
// change, the certificate before serves on, and that is logged once.
//
// # Tests
//
// Give a clock of your own, and shake hands over a pipe: see keeper_test.go.
package pki
