// Package ports holds the interfaces between the application and the adapters, and the
// plain values that cross them. A file has both sides of a topic, such as people.go:
//
//   - What HTTP, the command line and the job engine call in the application, one interface for
//     what belongs together. These are Gate, Demo, Work, and the interfaces that are called by
//     what somebody does, such as ManagingPeople and Reconciling.
//   - What the application calls: storage, couriers, storefronts, shops and report sources,
//     the identity provider, the billing provider, mail, phone codes and customers' endpoints.
//     These are called by what they are, such as People and Poster.
//
// What adapters call in each other is in ports/peers. An interface that the application
// calls has at most five methods.
//
// Every method says which domain errors it returns and whether it may be repeated. A method
// that reaches the database may also return an error with CodeDatabase. Any other error is a
// fault of the service, and its text is for the log.
package ports
