// Package domain is the business of Milaan in values: what is read of a cell, which flags and
// reasons there are, and who may ask. Package domain/verdict decides: what an order owes, what
// a courier has paid, and which flag the order gets; package domain/bank which payouts a bank has credited. All are pure: no
// clock, no input or output, and no imports but the standard library.
//
// Comments cite chapters of the guide with their sections: (guide: verdict 4) is section 4 of
// adapters/guide/chapters/verdict.md. The contract is what customers were given of the API:
// adapters/httpapi/pages/openapi.json, which changes by additions alone. Technical decisions
// are in .github/decisions.
//
// # Words
//
// Each word has one meaning, and each thing has one word. In brackets stand words that
// we do not use for it.
//
// The two files:
//
//   - storefront: the system in which the shop takes its orders, such as Shopify (not:
//     platform).
//   - provider: what the code knows of one storefront: the names of its columns, and what
//     its words mean (not the identity provider).
//   - profile: what the code knows of one courier's reports: the names of their columns.
//   - export: the storefront's file of orders.
//   - order: one sale of the storefront; an export may have several rows for it (not:
//     row, item).
//   - order id: the name of an order as the courier repeats it.
//   - namesakes: two or more orders with the same name, for example because two stores
//     were exported together.
//   - courier: the company that carries the parcel and collects the cash (not: logistics
//     partner, 3PL).
//   - carrier of an order: the courier as the storefront names it, in any words.
//   - report: the courier's file of remittances.
//   - line: one record of a report; a parcel may have several (not: row, entry).
//   - footer: a line of a report that states sums or counts of other lines (not: total
//     row, summary).
//   - AWB: the courier's tracking number of a parcel, once short for air waybill (not:
//     waybill, docket, consignment number; these are only names of columns).
//   - rounded AWB: an AWB of which a spreadsheet kept only the first digits, so that it
//     names no parcel.
//   - shared AWB: an AWB that several orders have; these orders are its sharers, and each
//     has a share of what its lines say.
//   - parcel: the lines of an order that have the same AWB, or all its lines without a
//     reliable one.
//   - moment: a second of a day in Asia/Kolkata, or a day alone.
//   - role: the meaning of a column of a report; a mapping says which column has which
//     role (not: schema).
//   - saved mapping: one that is kept for later reports: that of a courier by a run, and a
//     named mapping by a person, for reports with exactly its header.
//
// The money:
//
//   - COD: cash on delivery.
//   - collected: what the courier took at the door, gross.
//   - remitted: what the courier paid out to the shop, net (not: settled, paid).
//   - charge: what the courier says on a line that it has deducted, such as freight; it
//     changes no amount of the line.
//   - remittance: what one line says was collected and remitted.
//   - listed amount: the cod_amount of a line, whether it was collected or is to be
//     collected.
//   - due: what the courier owes for an order; cod_amount in answers.
//   - shortfall: due minus remitted; it is negative if too much was paid (not: gap, diff).
//   - at risk: the sum of the shortfalls of flagged orders that are owed money.
//   - status: what a report says about a shipment or about its money; verdict/status.go
//     has the words that are known.
//   - RTO: return to origin, a parcel that went back to the shop.
//   - payout: what a courier paid out at once: the lines of one UTR, or of one remittance
//     date of a report (not: settlement).
//   - UTR: the bank's reference of a payout.
//   - statement: the bank's file of what went in and out of an account; what a database runs
//     is a query in names.
//   - credit: a line of a statement that states money received; a debit states money paid.
//   - reversed payout: one whose transfer was returned, so that it was not received.
//   - narration: what the bank writes about a line, with its reference.
//   - payer: a courier as statements name it.
//
// The comparison:
//
//   - run: one reconciliation of an export with one report or several for an account, and
//     the audit record of it.
//   - terms: the rules of one run: the length of the window, the tolerated shortfall, and
//     whether charges are accepted.
//   - claim of an order: the lines that belong to the order or are shared with it, summed.
//   - storefront due: what an order owes by the storefront's columns alone.
//   - line beside: one that names an order which was matched by AWB, and whose own AWB is
//     blank, rounded or no order's.
//   - replaced parcel: one that came back or never left, in place of which another was sent.
//   - unclaimed line: a line that belongs to no order of the export.
//   - listed order: an order that a line belongs to or is shared with, or that has the same
//     name as an order to which a line with that name belongs.
//   - repeats of a line: lines that list the same money again; they are left out, or set
//     aside if only the order id shows what they are about, and then may count after all.
//   - to correct: of a report, to list a payout of an earlier report again with other amounts; the
//     corrected lines of the earlier one count nowhere (not: replace, which is of parcels).
//   - control totals of a report: what was read of it, which is what was matched, unclaimed,
//     repeated, corrected and unidentified.
//   - decide: to compare two files and give each order its flag (not: settle).
//   - verdict: the flags of all orders of a run, and why they have them; package domain/verdict
//     finds it.
//   - flag: the one finding on an order; an order is flagged if its flag is neither
//     RECONCILED nor AWAITING_NEXT_CYCLE.
//   - window: the days in which the courier may still keep the money of an order.
//   - dispatch: the day on which an order left the shop: the day of its fulfilment, else
//     the day of the order.
//   - coverage: how far the dates of a report reach; it is complete if they prove that
//     every order's window is over.
//   - neighbours of an order: the orders of the same courier that were dispatched around
//     the same day; if they are listed, the report is from the order's time.
//   - form of an AWB: the AWB with one sign for every digit.
//   - gap: a span without a payout in a regular series of a courier's payouts.
//   - to explain: of charges, to be what was remitted less than collected on a line; of what
//     they explain a letter asks nothing.
//   - accepted charges: those that explain a line and count as paid, because the terms say so.
//   - reason: why an order has its flag, as values: a cause, notes and a hint.
//   - cause: what decided on the flag.
//   - note: what else affects the finding.
//   - hint: the one unclaimed line that looks like the order's own.
//   - warning: a doubt about a whole run, as values.
//   - ledger: what a run writes down for a later one, in a file that the user keeps; that of
//     adapters/jobs is another, of the rows of jobs.
//   - remembered: of orders and lines, known from a ledger.
//   - open item: an order that is flagged, or whose money may still come.
//   - finding: what a run has found on an order, as a ledger remembers it.
//   - mark: what a person notes on an open item, such as its state (not: tag, label).
//   - movement: how what is claimed for open items has changed since the run before.
//   - field: what a caller fills in, of a request, a batch or an account.
//   - fault: what is wrong with a field or a file, as values (not: problem).
//   - rule: what a field or a file must keep, as a value; adapters/wording has its words.
//   - misread field: one that is missing or does not have the type that it must have.
//   - duplicate: a run identical to one that was stored at most 30 seconds ago; it is not
//     stored.
//   - brand: the label that the caller gives to a run.
//   - inspection: what a file is recognised as before a run: its kind, its header, and which
//     column has which role (not: preview).
//   - workspace: the memory in which a run works and which the next run uses again (not:
//     bench).
//   - assistant: a program that a person talks to, and that calls tools of milaan mcp (not:
//     agent, model, client).
//   - tool: what milaan mcp can do for an assistant.
//
// Documents:
//
//   - document: what Milaan writes for people about a run: a workbook, CSV files, a PDF or a
//     dispute pack (not: report, which is the courier's file).
//   - reporter: what writes documents of one format.
//   - dispute pack: for each courier a workbook and a covering letter, in which the shop asks
//     for its money; a dispute is what they say about one order.
//   - books: what an accountant keeps in a program such as Tally, and how an account wants its vouchers to be written.
//   - voucher: one entry of the books, which sums to nothing; a ledger of the books is what its lines are about.
//   - branding: how documents are marked as an account's own (not brand, the label of a run).
//
// Accounts and keys:
//
//   - account: an agency or a shop that calls the API (not: user, tenant).
//   - closing an account: deleting it with everything that is stored of it (not: cancelling,
//     which ends a subscription); an export is all of that, but for secrets, in a file.
//   - member: a person who may sign in for an account; a member's role says what they may do
//     (a role alone is that of a column).
//   - phone code: six digits that are sent to a phone number, and prove that it is the
//     account's (not: OTP; a code alone is that of an error); a guess is a code that somebody
//     enters, and is judged if it is compared; a check is one guess that was judged.
//   - verify: to make sure that a phone number or an e-mail address is somebody's own.
//   - confirm: to type a name or an address again before something is deleted (not: verify).
//   - person: who has an e-mail address. A person works for the account that has this address,
//     and for those of which they are a member.
//   - invitation: a link by which a person becomes a member of an account.
//   - sign-up: making an account for oneself, once the identity provider knows the person.
//   - plan, subscription: what an account has bought, and whether it is still paid for.
//   - cycle: the billing month of an account; its cap is how many runs it may have in one.
//   - key: an API key; an account has one for the API and one for the sandbox.
//   - sandbox: where an account tries the API on its own files with a sandbox key (not: test
//     mode). Of a sandbox run (not: try) nothing is stored but that there was one.
//   - simulated error: one with which the sandbox answers because the brand asks for it.
//   - billing provider: where subscriptions are paid for, which is Razorpay.
//   - notice: what the billing provider posts when a subscription changes (not: event, which
//     is ours). It is taken: stored, with a job that refreshes the subscription.
//   - refresh: to fetch a subscription from the billing provider, and to change the account as
//     it says (not: look).
//   - billed period: the span of days that the last charge of a subscription was for.
//   - session: a browser in which a person has signed in for an account. A confined one cannot
//     go on to another account of the person.
//   - sign-in: the beginning of a session, by a sign-in link, by the link of an invitation or
//     at the identity provider.
//   - session token: the bearer token of a person, with which a key is issued.
//   - identity provider: the OpenID Connect provider at which people sign in, and which
//     signs session tokens; without one, the service does both (not: provider).
//   - visitor: a person without an account, at a service that only their own machine can
//     reach.
//   - sign-in link: the link of the command line that begins a session; it can be redeemed
//     once.
//   - security event: one line of an account's security log. Its actor is who has done it, and
//     the way is by what: dashboard, command line or API.
//   - history: the runs of an account that are stored, which are deleted when they are
//     older than the retention that the operator has set.
//   - rate: how many requests an account or client may send in a span of time; requests
//     over it are throttled.
//   - rate window: the requests that the service remembers of one account or client to
//     apply a rate. Its subject says which requests of whom they are.
//   - request key: the Idempotency-Key by which a caller says that two requests are the
//     same one (not: key, which is an API key).
//   - request claim: what the service stores for a request key: the request that
//     it stands for, and the outcome.
//   - fingerprint of a request: a hash that is the same for requests that ask the same; the
//     input hash of a run or a pass is one of its files and rules (not: digest, a mail).
//   - outcome of a request: the run or the batch that was stored for it.
//   - holder of a claim: the request that makes the outcome; its lease says until when
//     nobody else may make it.
//   - repeat of a request: a request that is answered with the outcome of an earlier one
//     with the same request key.
//
// Webhooks:
//
//   - event: a stored run, a complete batch or a test, about which an account is told.
//   - webhook: what an account has set up in order to be told; its endpoint is the URL that
//     is called (not: callback, hook).
//   - delivery: one event on its way to one endpoint; it is dropped if nobody is to be told
//     any more.
//   - poster: what makes the POST (not: sender).
//   - attempt: one POST of a delivery; for a job, one time that the job is started.
//   - retry: an attempt after a failed one; backoff is the pause before it.
//   - unhealthy endpoint: one that has just timed out, answered slowly or was out of reach; it
//     has fewer deliveries under way than a healthy one, as behind a circuit breaker that is
//     half open. The unhealthy hosts of passes are the same.
//   - signing secret: the secret that signs an account's webhooks (not: webhook key).
//
// The autopilot:
//
//   - autopilot: what makes runs by itself, from the orders of a shop and the reports of its
//     couriers.
//   - connection: what an account has set up for the autopilot: one shop and its report
//     sources (not: integration).
//   - shop: the storefront of a connection, as its API gives orders.
//   - report source: a place from which reports come by themselves, such as a mailbox (not
//     the source of a run, which is what requested it).
//   - connector: the kind of a shop or of a report source, such as shopify or sftp; its
//     settings are what it needs to connect.
//   - pass: one time that the autopilot fetches the orders and reports of a connection and
//     compares them (not: sync, poll). A pass that a person asks for is an asked one.
//   - slot: the hour that a pass is for (not: place).
//   - snapshot: what a pass sees of a file, without its content; two of them show whether the
//     file is still growing (not: look).
//   - version of a file: what changes when its content does.
//   - series of files: those of a source of which only the latest counts, the older ones being
//     replaced.
//   - kept file: a report that a person has uploaded for the autopilot.
//   - attachment: a file in a mail of a mailbox.
//   - seen file: one that the last pass knew of. It is a report, or is left out, or has stopped the
//     pass. A skipped file is one that a pass has left out.
//   - ignored file: one that is left out because a person has said so; taking it back ends that.
//   - left-out mail: one with reports that a mailbox does not take, because nothing proves that
//     its sender is the one who was entered.
//   - former settings: those that an earlier version has saved, and that are used for a while
//     although this one does not accept them.
//   - archive: a zip file; it stands for the one report in it.
//   - leaving the window: of an order, becoming too old to be fetched again.
//   - mail: an e-mail to an account; the digest is the one about the runs of a week, an alert
//     is any other.
//   - alarm: the finding that an account must be told something.
//   - guard: what keeps connections away from hosts that are not public.
//
// Work in the background:
//
//   - instance: one running process of the service; several may share a database (not:
//     copy, replica).
//   - job: a piece of work that outlives the request for it.
//   - batch: runs that are requested together and made in the background, each by a job.
//   - engine: what starts jobs, in adapters/jobs.
//   - lease: the right of one holder to something until a stated time; the holder renews
//     it, and if the holder dies, it ends by itself.
//   - heartbeat: the sign of life that an instance writes to the database while it has jobs.
//   - held: of the service, serving without sending anything, as a restored copy does until the
//     operator resumes it.
//   - death: the end of an instance while it had a job, but not by a stop, and not the loss
//     of its database; a job may have several (not: crash, kill).
//   - round-robin: the rule by which the next job of a batch is started: one of each account
//     after the other; an account has its turn.
//   - limiter: what lets only a few things go on at once in an instance, such as deliveries,
//     passes and large bodies, and shares the places among accounts and hosts; whoever may go
//     on has acquired a place, and releases it (not: permit, slot, turn).
//   - round: one time that a periodic job looks for everything that is due, such as mails, or
//     subscriptions of which no notice may have come.
//   - memory ballast: memory that is allocated and never used, so that Go collects garbage
//     less often; GC percent is how much the heap may grow before Go collects.
//
// Secrets:
//
//   - secret: what the service signs session tokens with and derives its keys from; there
//     are several while it is being changed (not the signing secret of an account).
//   - seal: to encrypt for one place, such as a column of a row; reseal: to seal again with
//     another secret.
//
// # Files
//
// Reading cells: cell.go, spreadsheet.go (writing them), money.go, dates_column.go,
// dates_spelling.go, calendar.go. The two files: payment.go, mapping.go and columns.go. What
// a run finds, as values: flag.go, guidance.go, reason.go, warning.go. How it is found is in
// domain/verdict. Documents: branding.go, books.go. Who asks: account.go, member.go, phone.go,
// apikey.go, session.go, sandbox.go, billing.go, security.go, rate.go. What they ask for, and
// what is stored of it: request.go, include.go, run.go, batch.go, request_claim.go. Who is told:
// webhook.go, mail.go, alarm.go. What is made by itself: connection.go, pass.go,
// kept_file.go, ignored_file.go. Errors: errors.go, fault.go for those of a field, file_error.go for those of a
// file, and connector_error.go for those of a shop or a report source.
package domain
