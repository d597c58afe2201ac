// Package books makes of the payouts of a run the vouchers that an accountant posts, and writes them in the forms that
// accounting programs read.
package books
