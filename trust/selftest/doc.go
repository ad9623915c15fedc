// Package selftest tests the tests. It plants faults in what they rely on, a definition in package
// generic, the list of levels, the file of vectors, runs them as they are, and requires that they
// fail, with a message that says what is wrong. Files change in an overlay of the go command alone
// (go help build, -overlay), and nothing is written to the repository.
package selftest
