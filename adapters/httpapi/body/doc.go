// Package body decodes the body of POST /reconcile: a small JSON object around
// two texts of up to 25 MB. It accepts, refuses and decodes exactly what
// encoding/json does with the same fields, at the speed of memory: the two
// texts are unescaped where they lie, and encoding/json sees the rest with
// empty strings in their place, so that the grammar stays its own. The members are
// read here, because an object may have a million of them; if a name is repeated, the
// last one counts, as it does there.
//
// It differs from encoding/json in five ways. Names must match in their case. A body of
// null is refused. All values of a wrong type are listed, and not only the first one.
// Of every string but the two texts only the first 8 KiB are read, and of columns only
// one name more than there are roles: no valid request has more.
package body
