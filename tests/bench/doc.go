// Package bench measures the engine, from the body of a request to the body of
// its answer, against the plain way of doing the same in the same run, and holds
// that both say the same of every order. It also holds what a request may make the
// service allocate, whatever is sent, and that a stop leaves no goroutine. That is counted
// for the whole process, so its tests run one after the other.
//
//	go test ./tests/bench -bench .
//
// # Where the time goes
//
// Of a 25 MB request (41,000 rows of 80 columns, 32,000 lines) on one core, in
// milliseconds of about 42: unescaping the JSON strings 8, reading orders 12 (7 of
// them finding the cells, 3 putting the names into their index), reading lines 5,
// matching and deciding 9, most of which is waiting for memory, and writing 9 MB of
// results 8. The server adds the system's copying of the body
// and the answer, about 15, and a millisecond for the account, the rate and the
// run in the database.
//
// Less than that passes on the clock: the strings are unescaped while the client
// still sends, and the lines are read on a second core beside the orders.
//
// Of a 140 KB request (500 rows) in 1.3: the engine 0.4, the database 0.4, the
// rest is HTTP and waiting for goroutines.
//
// Of the memory at the peak of four 25 MB requests at once, 127 MiB: two bodies of 24 MiB
// and two runs of 19 (there are as many of each as cores), 25 of the program's file, and 16
// for the database, the rest of the heap and what Go needs for itself.
//
// Of an .xlsx of 25,000 rows and 79 columns (42 MB of XML for 21 MB of text), before its text is read as CSV, inflating takes 47 of
// 100 of the processor's time, finding cells and putting them into their rows 38, the table of texts 6. As LibreOffice writes it,
// with 84 MB of XML, inflating takes 54 and the cells 36. Inflating has a core of its own, if one is free, and then the clock
// waits for it. The same as .ods has 187 MB of XML, most of which are tags that repeat: inflating takes 29 of 100, cells 63.
//
// # The least possible
//
// Every byte must be copied from the system, looked at for escapes, looked at
// for delimiters and, for the answer, written: four passes over memory, about
// 15 ms for 25 MB at what such a machine's memory gives, and hashing each name
// and AWB once or twice, 5 ms when the tables do not fit the first caches.
//
// What could still be won: the body has an escape every 85 bytes, and each
// costs two or three branches that the processor cannot foresee. Each order is looked
// up in a table that does not fit the second cache. Reading the orders while the rest
// of the body arrives would hide some 10 ms, at the price of files that the use case
// sees before they are whole.
//
// Tried without gain: unescaping 32 bytes a turn, copying and looking in one
// pass, writing down all delimiters of a stretch before any cell is taken, pages of
// 2 MB, putting the names that stand in a row into their index all at once. With half as
// many runs as cores, the peak is 120 MiB and the wall a quarter longer. Collecting garbage
// at 3 percent beside a ballast of 256 MiB, which leaves less of it, does not lower the peak.
package bench
