// Package razorpay sells subscriptions at Razorpay, the billing provider: it calls its API and
// checks the notices that it posts.
package razorpay
