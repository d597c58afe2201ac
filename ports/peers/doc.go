// Package peers holds the interfaces by which one adapter, or a courier, uses another
// adapter without importing it. The application does not import it: what the application
// calls is in package ports. sealing.go and storage.go are between storage and secrets;
// tables.go is for the readers of files; answers.go, health.go, wording.go and languages.go
// are for HTTP and the command line; outbound.go is for whatever dials hosts that accounts
// name; tracing.go is for HTTP and the job engine.
package peers
