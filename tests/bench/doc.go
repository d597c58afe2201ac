// Package bench measures the engine, from the body of a request to the body of
// its answer, against the plain way of doing the same in the same run, and holds
// that both say the same of every order.
//
//	go test ./tests/bench -bench .
//
// # Where the time goes
//
// Of a 25 MB request (41,000 rows of 79 columns, 32,000 lines) on one core, in
// milliseconds of about 50: unescaping the JSON strings 10, reading orders 22,
// reading lines 7, matching and deciding 6, writing 8 MB of results 5. The
// server adds the system's copying of the body and the answer, about 15, and a
// millisecond for the account, the rate and the run in the database.
//
// Of a 140 KB request (500 rows) in 1.3: the engine 0.4, the database 0.4, the
// rest is HTTP and waiting for goroutines.
//
// # The least possible
//
// Every byte must be copied from the system, looked at for escapes, looked at
// for delimiters and, for the answer, written: four passes over memory, about
// 15 ms for 25 MB at what such a machine's memory gives, and hashing each name
// and AWB once or twice, 5 ms when the tables do not fit the first caches. The
// largest piece left is the delimiters of cells that nobody wants: 70 of 79
// columns. Decoding while the body still arrives would hide most of the
// unescaping.
package bench
