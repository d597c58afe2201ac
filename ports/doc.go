// Package ports holds the interfaces between the business and the world, and
// the plain values that cross them. usecases.go and background.go are what
// HTTP, the command line, the clock and the job engine may ask of the
// application; the other files are what the application asks of storage,
// couriers, the storefront, the identity provider and customers' endpoints. What
// adapters ask of each other is in ports/glue. No interface has more than five
// methods.
// Every method says which domain error it returns and whether it may be
// repeated; any other error is a fault, and its text is for the log.
package ports
