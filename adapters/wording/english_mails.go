package wording

import "milaan/domain"

func englishMails() map[domain.MailKind]mailText {
	return map[domain.MailKind]mailText{
		domain.MailDigest: {
			subject: text{"Milaan: {total} at risk with your couriers, most of it for {worst}"},
			lines:   []text{{"This is what the runs of the last seven days found, worst first."}},
		},
		domain.MailInvitation: {
			subject: text{"Milaan: {account} invites you"},
			lines: []text{
				{"{account} invites you to work for their account of Milaan, which compares cash-on-delivery orders with what couriers pay out."},
				{"{if owner}Your role is owner: you may do everything.", "{if accountant}Your role is accountant: you may make runs, documents and reports.", "Your role is reader: you may see the history of runs."},
				{"To accept, open this link. It serves once, until {until}, and is for you alone:"},
				{"{link}"},
				{"If you do not know {account}, do nothing: without you the link makes nobody a member."},
			},
		},
		domain.MailFailing: {
			subject: text{"Milaan: the autopilot of {brand} has not worked since {since}"},
			lines: []text{
				{"The autopilot of {brand} has made no run since {since}."},
				{"Reason: {why}"},
				{"{if stopped}It makes no further passes until you correct this.", "It goes on trying every hour."},
			},
		},
		domain.MailStale: {
			subject: text{"Milaan: reports of {brand} are late"},
			lines: []text{
				{"At least one report source of {brand} has shown nothing new for more than ten days. Until it does, an order that no report lists is called overdue, and not missing."},
			},
		},
		domain.MailAtRisk: {
			subject: text{"Milaan: {at risk} at risk for {brand}"},
			lines: []text{
				{"Since {above since}, the runs of {brand} have found more than {limit} at risk. The last one found {at risk}."},
			},
		},
	}
}

// englishBrandWeek returns the lines about one brand of a digest.
func englishBrandWeek() []text {
	return []text{
		{"{brand}: {at risk} at risk in {flagged|# order|# orders}[; a week before it was {before}]."},
		{"  {runs|# run|# runs} this week, the latest on {latest}."},
		{"  The autopilot has made no run since {since}. Reason: {why}", "  The autopilot has made no run since {since}."},
	}
}

func englishStaleSource() text {
	return text{
		"  Report source {source} ({connector}[, {courier}]) reaches to {through}.",
		"  Report source {source} ({connector}[, {courier}]) has had no report with a date yet.",
	}
}

// englishSenders returns the lines about the mails of a report source in a digest.
func englishSenders() []text {
	return []text{
		{"  Report source {source} ({connector}) has settings of an earlier version, in which anybody could pose as your courier. From {refused from} on, it is refused and the autopilot of {brand} stops: edit the connection before."},
		{"  Report source {source} ({connector}) left out {left out|# mail with reports|# mails with reports}, because nothing proves the sender: the connection's page has the reasons."},
	}
}

func englishMailEnd() []text {
	return []text{
		{"Orders and reasons: compare the same orders and reports by hand, at {reconcile}"},
		{"Autopilot: {autopilot}"},
		{"You get this mail because an account of Milaan has your address. The link at its end, or your mail program, ends such mails."},
	}
}
