// Package servers starts real servers that merchants have, beside the fakes: OpenSSH and Dovecot, on
// this machine, as an ordinary user, with a folder of their own. Where they are missing, tests are
// skipped and say so, and fail if CI or MILAAN_TEST_REQUIRE_PROGRAMS is set.
package servers
