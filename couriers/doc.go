// Package couriers knows what the couriers' remittance reports look like: which
// column plays which role, whoever wrote the file. It fills ports.Couriers.
//
// A courier is data: one Profile in one file, with samples of its reports in
// testdata. README.md says how to add one. The names that many couriers use are
// in vocabulary.go; registry.go has the catalogue, and detection.go asks every
// courier about a header and settles what they answer.
//
// The files of profiles are the one place of the program with init functions: a
// courier announces itself, so that adding one touches no other file. The order
// in which they run means nothing, for the catalogue is sorted.
package couriers
