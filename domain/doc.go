// Package domain is the business of Milaan: what an order owes, what a courier
// has paid, which flag that comes to, and who may ask. It is pure: no clock, no
// input or output, nothing but the standard library.
//
// # Words
//
// One word per thing. In brackets, what we avoid.
//
//   - order: one sale of the storefront, whatever its rows (not: row, item).
//   - storefront: the shop's system of orders, such as Shopify (not: platform).
//   - provider: what we know of one storefront: its columns, and what its words mean.
//   - export: the storefront's file of orders.
//   - namesakes: two or more orders of one name, as where two stores were exported together.
//   - moment: a second of a day in Asia/Kolkata, or a day alone.
//   - courier: who carries the parcel and collects the cash (not: carrier,
//     logistics partner, 3PL).
//   - report: the courier's file of remittances.
//   - line: one record of a report; a parcel may have several (not: row, entry).
//   - parcel: an AWB of an order's lines, or all of them that have none that can be
//     relied on.
//   - AWB: the courier's tracking number of a parcel, once air waybill (not:
//     waybill, docket, consignment number, which are names of columns only).
//   - rounded AWB: one of which a spreadsheet has kept the first digits alone. It
//     names no parcel.
//   - shared AWB: one that several orders bear; they are its sharers.
//   - order id: the storefront's name of an order as a courier repeats it.
//   - COD: cash on delivery.
//   - collected: what the courier took at the door, gross.
//   - remitted: what the courier paid out to the shop, net (not: settled, paid).
//   - remittance: one line's word on collected and remitted.
//   - footer: a line of a report that states sums or counts of others, and is no
//     parcel's (not: total row, summary).
//   - status: what a report says of a shipment, or of the money; words in status.go.
//   - as listed: a line's cod_amount, whether collected or to be collected.
//   - UTR: the bank's reference of a payout.
//   - repeats of a line: lines that are the same money listed twice. They are
//     dropped; those told by the order id alone are set aside, and may count. (Of a
//     request, repeat is something else: see below.)
//   - claim of an order: the lines that belong to it, summed. (Of a request key it is
//     something else: see below.) Lines of no order are unclaimed.
//   - listed: of an order, that a line is its own, or bears its AWB though another
//     order has it.
//   - due: what the courier owes for an order; cod_amount in answers.
//   - shortfall: due less remitted; negative if too much came (not: gap, diff).
//   - at risk: the shortfalls of flagged orders, added up.
//   - RTO: return to origin, a parcel that went back.
//   - flag: the one finding on an order; flagged are all but RECONCILED and
//     AWAITING_NEXT_CYCLE.
//   - window: the days in which the courier may still keep the money.
//   - coverage: how far the report's dates reach; it is complete when they prove
//     every order's window.
//   - dispatch: the day on which an order left, its fulfilment's, else its own.
//   - neighbours of an order: those dispatched around the same day. Their being
//     listed shows that an order is from the report's time.
//   - reason: why an order bears its flag, as values; its cause is what the flag
//     hangs on, its notes are what else does, and its hint names the unclaimed line
//     that looks like the order's.
//   - warning: a doubt about a whole run, as values.
//   - terms: the rules of one run, days of the window and tolerated shortfall.
//   - run: one reconciliation of two files for an account, and its audit record.
//   - workspace: the memory of a run, which a later run uses again (not: bench).
//   - duplicate: a run like the one of a moment ago, which is not stored.
//   - brand: the caller's label for a run.
//   - role: what a column of a report means to us; mapping: which column plays
//     which role (not: schema).
//   - rule: what a file breaks, as data (not: problem); its words are an adapter's.
//   - account: an agency or shop that calls the API (not: user, tenant).
//   - plan, subscription: what an account has bought, and its state.
//   - cycle: the billing month of an account; cap: its runs per cycle.
//   - key: an API key; session: a signed-in person's token.
//   - request key: the Idempotency-Key by which a caller says that two requests
//     are one (not: key, which is an API key).
//   - claim of a request key: what is kept of it: the request it stands for, and its
//     outcome. Its holder is whoever makes the outcome; its lease says until when.
//   - repeat of a request: one that is answered by the outcome of an earlier one with the
//     same request key.
//   - event: a stored run, a complete batch or a test, that an account is told of.
//   - webhook: what an account has set up to be told; endpoint: the URL that is
//     called (not: callback, hook).
//   - signing secret: what signs an account's webhooks (not: webhook key).
//   - delivery: one event on its way to one endpoint; attempt: one POST of it; of
//     a job, one time that it is done. Delivering is making an attempt (not:
//     deliverer), and the poster makes the POST (not: sender).
//   - batch: runs asked for at once and made in the background; job: one of
//     them, and any other piece of work that outlives the request for it.
//   - engine: what does jobs.
//   - death: the end of a process amid a job that was neither a stop nor the loss
//     of its database; a job may have several (not: crash, kill).
//   - turn: the order in which accounts have their next job of a batch begun.
//   - window of a rate: the requests that a limit remembers of one account or
//     client.
//   - secret: what the service itself signs session tokens and seals with; there
//     are several while it is changed. (An account's is the signing secret.)
//   - seal: to encrypt for one place, such as a column of a row; reseal: to seal
//     again with another secret.
//
// # Files
//
// Reading cells: cell.go, money.go, dates.go, calendar.go, ids.go. The two files:
// order.go, payment.go, remittance.go, status.go, mapping.go, with the memory that
// they keep their texts in, arena.go. The comparison: matching.go and index.go, with
// rounding.go, shared.go, repeats.go and parcels.go; policy.go (the
// decision table) and neighbours.go; flag.go, guidance.go, reconciliation.go; sums.go
// guards it. What is said of it: reason.go, explaining.go and hints.go, warning.go
// and doubts.go. Who asks: account.go, apikey.go, rate.go. What they ask for and
// what is kept of it:
// request.go, run.go, batch.go, claim.go. Who is told: webhook.go. Errors:
// errors.go, and what is wrong with a file, file_error.go.
package domain
