// Package app holds the use cases of the service, and decides by the rules of package domain.
// Each topic is a package below this one: accounts, admission, billing, mails and webhooks. Here
// are still runs and the autopilot, of which the files are:
//
//   - Runs: reconciling.go, which checking.go, comparing.go, reading.go, workspace.go,
//     statement.go, digests.go and claiming.go belong to; sandbox.go; inspecting.go; demo.go;
//     documents.go; reading_history.go.
//   - Batches: batching.go takes them, and running_batches.go does their jobs.
//   - The autopilot: managing_connections.go, testing_connections.go and keeping_files.go set
//     it up; scheduling_passes.go adds the passes that are due; passing.go makes one, which
//     pass_sources.go, pass_looks.go and pass_permits.go belong to.
//   - Upkeep: housekeeping.go, resealing.go.
//
// working.go says which use case does which job, and module.go composes the modules of the topics.
package app
