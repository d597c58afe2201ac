// Package body decodes the body of POST /reconcile: a small JSON object around two texts
// of up to 25 MB. It accepts, refuses and decodes the same texts as encoding/json does,
// nearly as fast as memory can be copied. The two texts are unescaped in place. The rest,
// with empty strings in their place, is the skeleton, and encoding/json checks its syntax,
// so that there is no second grammar. The members of the object are read here, because
// there may be a million; if a name is repeated, the last one counts, as in encoding/json.
//
// It differs from encoding/json in five ways. Names must match in their case. A body of
// null is refused. All values of a wrong type are listed, and not only the first one.
// Of every string but the two texts only the first 8 KiB are read, and of columns only
// one name more than there are roles: no valid request has more.
package body
