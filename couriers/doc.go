// Package couriers knows what the couriers' remittance reports look like: which column
// plays which role, whoever wrote the file.
//
// A courier is data: one Profile in one file, with samples of its reports in
// testdata. README.md says how to add one. The names that many couriers use are
// in vocabulary.go; registry.go has the catalogue. detection.go asks every courier
// how it would read a header, and decides between their proposals.
//
// Only the files of profiles have init functions: a courier registers itself, so that
// adding one changes no other file. The order in which the functions run does not
// matter, because the catalogue is sorted.
package couriers
