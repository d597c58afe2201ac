// Package app holds the use cases of the service. It decides by the rules of package domain
// and uses nothing else but package ports. The files of a subject:
//
//   - Runs: reconciling.go, which checking.go, comparing.go, reading.go, workspace.go,
//     statement.go, digests.go and claiming.go belong to; sandbox.go; inspecting.go; demo.go;
//     documents.go and branding.go; reading_history.go; managing_mappings.go.
//   - Batches: batching.go takes them, and running_batches.go does their jobs.
//   - Webhooks: webhooks.go, delivering.go, delivery_permits.go, managing_deliveries.go.
//   - The autopilot: managing_connections.go, testing_connections.go and keeping_files.go set
//     it up; scheduling_passes.go adds the passes that are due; passing.go makes one, which
//     pass_sources.go, pass_looks.go and pass_permits.go belong to; alarming.go and mailing.go
//     tell accounts of it, and unsubscribing.go ends that.
//   - Accounts: accounts.go, closing.go, exporting.go, billing.go, verifying_phones.go,
//     people.go, joining.go, switching.go.
//   - Who asks: gate.go, issuing_keys.go and managing_keys.go for keys, identifying.go and
//     issuing_sessions.go for session tokens, signing_in.go and memberships.go for sessions,
//     uploading.go and changing.go for the dashboard. rates.go has what their rates count.
//   - Upkeep: housekeeping.go, resealing.go, security_log.go.
//
// working.go says which use case does which job, and module.go which use case fills which port.
package app
