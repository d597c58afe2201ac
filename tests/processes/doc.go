// Package processes tests the program as an operator meets it: the real binary
// in processes of its own, several of them on one database, killed, told to
// stop, started with unsafe settings, and left without their database. Here is tested
// what only shows with real processes; everything else is tested in its own package.
//
// Each test has an installation: a database and the settings that all instances of
// the service share. It starts replicas of the service and runs commands, and at
// its end looks through everything that they have written for secrets, personal
// data and unexpected errors. No process outlives the test binary.
//
// MILAAN_SOAK=short makes the long tests longer, and MILAAN_SOAK=1 gives them
// the figures that a release is held to. Without it nothing puts the service
// under the load of its largest requests, and some tests take one database or
// some of their cases.
package processes
