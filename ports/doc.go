// Package ports holds the interfaces between the application and the adapters, and the
// plain values that cross them. The interfaces in usecases.go and background.go are what
// HTTP, the command line and the job engine call in the application. Those in the other
// files are what the application calls: storage, couriers, storefronts, the identity
// provider and customers' endpoints. What adapters call in each other is in ports/glue, but
// for wording.go. No interface has more than five methods.
//
// Every method says which domain errors it returns and whether it may be repeated; any
// other error is a fault of the service, and its text is for the log.
package ports
