// Package jsonbody decodes the body of POST /reconcile: a small JSON object around two or more
// texts of up to 25 MB. It accepts, refuses and decodes the same texts as encoding/json does,
// nearly as fast as memory can be copied. The texts are unescaped in place. The rest,
// with empty strings in their place, is the skeleton, and encoding/json checks its syntax,
// so that there is no second grammar. The members of the object are read here, because
// there may be a million; if a name is repeated, the last one counts, as in encoding/json.
//
// It differs from encoding/json in six ways. Names must match in their case. A body of
// null is refused. All values of a wrong type are listed, and not only the first one.
// Of every string but the texts only the first 8 KiB are read, of columns only one name
// more than there are roles, and of reports only one more than there may be: no valid
// request has more. If reports is repeated, its last array counts as a whole.
package jsonbody
