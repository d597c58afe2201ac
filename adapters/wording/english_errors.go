package wording

import "milaan/domain"

// englishErrors returns the messages of errors in English. Each says what is wrong and what
// to do. Those in the contract's section 7 must not be changed.
func englishErrors() map[errorKind]text {
	const busy = "the service is busy; no run was counted: retry after 5 seconds"
	return map[errorKind]text{
		{domain.CodeKey, ""}:          {"API key missing, malformed or expired: send Authorization: Bearer <your milaan_live_ key>, or issue a new key"},
		{domain.CodeSession, ""}:      {"session token missing, malformed or expired: sign in to the dashboard again"},
		{domain.CodeKeyAsSession, ""}: {"an API key cannot issue keys: send the dashboard's session token instead"},
		{domain.CodePhone, ""}:        {"phone_not_verified: verify the account's phone number in the dashboard; the API is blocked until then"},
		{domain.CodeSubscription, ""}: {"the account's subscription has ended: renew it to use the API"},
		{domain.CodeSetup, ""}:        {"account setup incomplete: finish it in the dashboard to use the API"},
		{domain.CodePlan, ""}:         {"the account's plan has no API access: upgrade to Pro or Enterprise"},
		{domain.CodeInsecure, ""}:     {"HTTPS only: send the request to the https:// address"},

		{domain.CodeSession, domain.DetailElsewhere}: {"session tokens come from {value}[{if terminal} (MILAAN_OIDC_ISSUER)]: sign in there"},
		{domain.CodeProvider, ""}:                    {"the identity provider cannot be reached, so the session cannot be checked: retry after 5 seconds"},

		{domain.CodeNoAccount, ""}:     {"no account has this e-mail address: check its spelling[{if terminal}, or make the account with milaan account create]"},
		{domain.CodeAccountExists, ""}: {"an account with this e-mail address exists already[{if terminal}: change it with milaan account set]"},
		{domain.CodeNoWebhook, ""}:     {"the account has no webhook endpoint: set one[{if terminal} with milaan webhook set]"},
		{domain.CodeWebhookPlan, ""}:   {"webhooks need the Enterprise plan: upgrade the account to be told of its runs"},
		{domain.CodeNoDelivery, ""}:    {"the account has no such delivery: {if terminal}milaan webhook deliveries lists them", "the account has no such delivery: check its id"},

		{domain.CodeRate, ""}:        {"Rate limit exceeded"},
		{domain.CodeRunCap, ""}:      {"Run limit of {limit}/month reached; the next cycle begins on {day}"},
		{domain.CodeNoBatch, ""}:     {"no such batch: use the batch_id that POST /reconcile/batch answered with"},
		{domain.CodeBatchGone, ""}:   {"the results of this batch have been deleted: send the batch again if you still need them"},
		{domain.CodeOpenBatches, ""}: {"the account has {limit} batches under way: wait until one is complete, then send this one again"},
		{domain.CodeKeptResults, ""}: {"the account's batches keep {gigabytes} GiB of files and results, the most that an account may: results are deleted some time after their batch is complete; wait for that, then send this batch again, or send fewer jobs"},
		{domain.CodeBatchQuota, ""}:  {"the service keeps as many files and results of batches as it may, of all accounts together: results are deleted some time after their batch is complete; send this batch again after 10 minutes, or its jobs one by one to POST /reconcile"},
		{domain.CodeKeyReused, ""}:   {"this Idempotency-Key stands for another request of the last 24 hours: send this request with a new key, or that one again as it was"},
		{domain.CodeKeyRunning, ""}:  {"a request with this Idempotency-Key is under way: send this one again after 5 seconds, with the same key"},

		{domain.CodeJobFailed, ""}:     {"Unexpected server error: send this job again"},
		{domain.CodeJobGivenUp, ""}:    {"Given up: the service broke down {limit} times while it was running this job. Export both files anew and send the job again; if it is given up again, ask for help and name the batch_id"},
		{domain.CodeUnreadable, ""}:    {"what was kept for this was sealed with another secret key and cannot be read: send it again"},
		{domain.CodeNothingToDo, ""}:   {"there is nothing left to do"},
		{domain.CodeMissingSecret, ""}: {"the service is being given another secret key, and cannot read this everywhere yet: retry after 5 seconds"},

		{domain.CodeDatabase, ""}:                         {"the service cannot reach its database; no run was counted: retry after 5 seconds"},
		{domain.CodeBusy, ""}:                             {busy},
		{domain.CodeDeadline, ""}:                         {busy},
		{domain.CodeEngine, ""}:                           {"the service does not get on with its work in the background: retry after 5 seconds"},
		{domain.CodeStopping, ""}:                         {"the service is stopping: retry after 5 seconds"},
		{domain.CodeUnsettled, ""}:                        {"the service lost its database while it was storing this, and does not know whether it did: send the same request again within 30 seconds; a run that was stored is then answered as a duplicate, and nothing is counted twice"},
		{domain.CodeUnsettled, domain.DetailKeyed}:        {"the service lost its database while it was storing this, and does not know whether it did: send the same request again with the same Idempotency-Key within 24 hours; what was stored is then answered, and nothing is done twice"},
		{domain.CodeUnsettled, domain.DetailBatch}:        {"the service lost its database while it was storing this batch, and does not know whether it did: if you send it again, jobs whose runs are stored more than 30 seconds apart count twice; an Idempotency-Key rules that out"},
		{domain.CodeFault, ""}:                            {"unexpected error in the service: retry once after 5 seconds, and quote X-Request-Id if it stays"},
		{domain.CodeClientGone, ""}:                       {"the client went away"},
		{domain.CodeBodyTimeout, ""}:                      {"the request body did not arrive in time: send it again over a faster connection"},
		{domain.CodeNoRoute, ""}:                          {"no such path: GET /docs lists what there is"},
		{domain.CodeNoMethod, ""}:                         {"this path has no such method: see the Allow header"},
		{domain.CodeMedia, ""}:                            {"Content-Type must be application/json in UTF-8"},
		{domain.CodeMediaHeader, domain.DetailCompressed}: {"Content-Encoding is not accepted: send the body uncompressed"},
		{domain.CodeMediaHeader, domain.DetailTwice}:      {"Content-Type and Content-Encoding may be given once each: send Content-Type: application/json alone"},

		{domain.CodeBodyTooLarge, ""}:                         {"request body larger than {megabytes} MB ({bytes} bytes): split the two files by period and send them one after the other"},
		{domain.CodeBodyTooLarge, domain.DetailBatch}:         {"request body larger than {megabytes} MB ({bytes} bytes): send fewer jobs in one batch"},
		{domain.CodeBodyTooLarge, domain.DetailExpanded}:      {"the files are larger than {megabytes} MB ({bytes} bytes) once U+FFFD stands for each byte that is not UTF-8: send them as UTF-8"},
		{domain.CodeBodyTooLarge, domain.DetailBatchExpanded}: {"the request body is larger than {megabytes} MB ({bytes} bytes) once U+FFFD stands for each byte that is not UTF-8: send UTF-8, or fewer jobs in one batch"},

		{domain.CodeBody, domain.DetailEmpty}:      {"the request body is empty: send a JSON object with shopify and courier"},
		{domain.CodeBody, domain.DetailEmptyBatch}: {"the request body is empty: send a JSON object with jobs"},
		{domain.CodeBody, domain.DetailSyntax}:     {"the request body is not valid JSON: {value}"},
		{domain.CodeBody, domain.DetailNoObject}:   {"the request body must be a JSON object, not {type}"},
		{domain.CodeBody, domain.DetailCutShort}:   {"the request body ended before the length that its header announced: send it again"},

		{domain.CodeFile, ""}: {"a file cannot be read"},
	}
}

// englishFields returns the messages of faults of fields in English; each follows the name
// of the field.
func englishFields() map[faultKind]text {
	return map[faultKind]text{
		{domain.RuleMissing, domain.FieldStorefront}:   {"is missing: send the whole text of the storefront's orders export (CSV) as a string"},
		{domain.RuleMissing, domain.FieldCourier}:      {"is missing: send the whole text of the courier's remittance report (CSV) as a string"},
		{domain.RuleMissing, domain.FieldBrand}:        {"is missing: name the brand that the job is for"},
		{domain.RuleMissing, domain.FieldJobs}:         {"is missing: send an array of {min} to {max} jobs"},
		{domain.RuleMissing, 0}:                        {"must be given: the https:// URL that is to be called"},
		{domain.RuleType, 0}:                           {"must be a string, not {type}"},
		{domain.RuleType, domain.FieldJob}:             {"must be a JSON object, not {type}"},
		{domain.RuleType, domain.FieldJobs}:            {"must be an array of {min} to {max} jobs, not {type}"},
		{domain.RuleType, domain.FieldColumns}:         {`must be an object whose values are strings, such as {{"awb": "Docket No"}`},
		{domain.RuleType, domain.FieldReports}:         {"must be an array of {min} to {max} reports, not {type}"},
		{domain.RuleType, domain.FieldInclude}:         {"must be an array of names: {options}"},
		{domain.RuleObject, 0}:                         {"must be a JSON object, not {type}"},
		{domain.RuleTooFew, domain.FieldReports}:       {"must have {min} to {max} entries: send at least one report"},
		{domain.RuleTooMany, domain.FieldReports}:      {"has more than {max} entries: send the others in another run, or join those of one courier to one file"},
		{domain.RuleOneOf, domain.FieldInclude}:        {`has an unknown name "{value}"; what can be included is {options}`},
		{domain.RuleTooFew, 0}:                         {"must have {min} to {max} entries: send at least one job"},
		{domain.RuleTooMany, domain.FieldJobs}:         {"has more than {max} entries: send the others in another batch"},
		{domain.RuleTooMany, domain.FieldColumns}:      {"has more than {max} entries, and there are no more roles: {roles}"},
		{domain.RuleWhole, 0}:                          {"must be a whole number from {min} to {max}"},
		{domain.RuleWhole, domain.FieldBillingDay}:     {"must be a day of the month, {min} to {max}"},
		{domain.RuleWhole, domain.FieldOwnOverdueDays}: {"must be {min} to {max}[{if terminal}, or none]"},
		{domain.RuleLeast, 0}:                          {"must be {min} or more"},
		{domain.RuleLabel, 0}:                          {"must be at most {max} characters, none of them a control character"},
		{domain.RuleOneOf, 0}:                          {"must be {choice}"},
		{domain.RuleOneOf, domain.FieldCourierName}:    {"must be one of {options}"},
		{domain.RuleCustom, 0}:                         {"is accepted only with {if terminal}--courier custom", `is accepted only with courierName "custom"`},
		{domain.RuleEither, 0}:                         {"and {if terminal}one report cannot be given both: give either", "and courier cannot be given both: send one report as courier, or several as reports"},
		{domain.RuleInEach, 0}:                         {"cannot stand beside several reports: {if terminal}give it with each of them", "cannot stand beside several reports: give it in each of them"},
		{domain.RuleRole, 0}:                           {`has an unknown role "{value}"; the roles are {roles}`},
		{domain.RuleBlank, 0}:                          {"names no column for the role {role}: name one, or leave the role out"},
		{domain.RuleDay, 0}:                            {"must be a date such as 2026-08-31"},
		{domain.RuleNotPast, 0}:                        {"must be no later than today, {day}"},
		{domain.RuleEmail, 0}:                          {"must be an e-mail address such as accounts@shop.example"},
		{domain.RuleTime, 0}:                           {"must be {min}s to {max}h"},
		{domain.RuleTwice, 0}:                          {"is there more than once: send one such header, or none"},
		{domain.RuleKey, 0}:                            {"must be 1 to {max} printable characters of ASCII: send a new UUID for each new request, or no such header"},

		{domain.RuleLength, 0}:      {"has {value} bytes and may have at most {max}: give a shorter URL"},
		{domain.RuleUnseen, 0}:      {"holds a blank or a character that cannot be seen: give the URL alone, with such characters percent-encoded"},
		{domain.RuleURL, 0}:         {"is no URL: give one such as https://shop.example/milaan"},
		{domain.RuleHTTPS, 0}:       {"must begin with https:// (plain http is for endpoints on this machine, with MILAAN_WEBHOOK_ALLOW_LOOPBACK=true)"},
		{domain.RuleHTTPSHere, 0}:   {"must begin with https://: plain http is for endpoints on this machine alone"},
		{domain.RuleNoHost, 0}:      {"names no host: give a whole URL, such as https://shop.example/milaan"},
		{domain.RuleUser, 0}:        {"holds a user name before its host: leave that out; the signature tells you that a call is ours"},
		{domain.RuleFragment, 0}:    {"holds a fragment, which is never sent: leave out # and what follows it"},
		{domain.RulePort, 0}:        {"has a port that is no number from 1 to 65535: leave it out, or correct it"},
		{domain.RuleZone, 0}:        {"names an address with a zone, which means something on one machine only: give a public host"},
		{domain.RuleASCII, 0}:       {"has a host with letters beyond a to z: write its name as DNS has it, beginning with xn--"},
		{domain.RuleHost, 0}:        {"has a host that is no name: give one such as https://shop.example/milaan"},
		{domain.RuleHostLength, 0}:  {"has a host of more than {max} characters: DNS has no such names"},
		{domain.RuleHostNumber, 0}:  {"has a host that ends in a number and is no address as one is usually written: give the host's name"},
		{domain.RulePublic, 0}:      {"has the host {value}, which does not resolve, or has addresses that are not public: check its spelling, and give an endpoint that the internet can reach[{if loopback} (endpoints on this machine are allowed with MILAAN_WEBHOOK_ALLOW_LOOPBACK=true)]"},
		{domain.RuleNameServers, 0}: {"has a host, {value}, whose name servers do not answer: try again, or check them"},
	}
}
