// Package body decodes the body of POST /reconcile: a small JSON object around
// two texts of up to 25 MB. It accepts, refuses and decodes exactly what
// encoding/json does with the same fields, at the speed of memory: the two
// texts are unescaped where they lie, and encoding/json sees the rest with
// empty strings in their place. So the grammar stays its own. The members are
// read here, for an object may have a million of them; of repeated names the last
// counts, as it does there. It differs in that names match
// in their case as well, and in what no good request has: of any other string
// than the two texts no more than the first 8 KiB are looked at, and of columns
// one more than there are roles.
package body
