package wording

// englishGuidance returns the sentences of guidance in English, in their order: what counts
// as overdue, how far the reports reach, of which courier too little is known, and what to do
// next.
func englishGuidance() []text {
	const overdue = "An order is overdue {offset|# day|# days} after delivery "
	return []text{
		{"{if set}{if page}" + overdue + "(as set for this run or for the account)[, as of {as of}, the latest order date].",
			"{if set}" + overdue + "(as set for this run)[, as of {as of}, the latest order date].",
			overdue + "(Milaan's default)[, as of {as of}, the latest order date]."},
		{"{if undated}{if page}{behind}[ ({its courier})] has no date, so how far the reports reach is not known: run again with a report of this courier that has dates.",
			"{if undated}{if page}{if several}The reports have no date, so how far they reach is not known: run again with reports that have dates.",
			"{if undated}{if page}The report has no date, so how far it reaches is not known: run again with a report that has dates.",
			"{if undated}{behind}[ ({its courier})] has no date, so how far they reach is not known.",
			"{if undated}{if several}The reports have no date, so how far they reach is not known.",
			"{if undated}The report has no date, so how far it reaches is not known.",
			"{if complete}The reports reach to {through}: most behind is {behind}[ ({its courier})], but past every order's window.",
			"{if complete}{if several}The reports reach to {through}, past every order's window.",
			"{if complete}The report reaches to {through}, past every order's window.",
			"{if page}The reports reach to {through}: most behind is {behind} ({its courier}). Run again when you have a report of this courier that reaches to {until}: then every order's window is over.",
			"{if page}The reports reach to {through}: most behind is {behind}. Run again when you have a report of its courier that reaches to {until}: then every order's window is over.",
			"{if page}{if several}The reports reach to {through}. Run again when you have reports that reach to {until}: then every order's window is over.",
			"{if page}The report reaches to {through}. Run again when you have one that reaches to {until}: then every order's window is over.",
			"{if several}The reports reach to {through}: most behind is {behind} ({its courier}); one that reaches to {until} is past every order's window.",
			"{if several}The reports reach to {through}[: most behind is {behind}]; one that reaches to {until} is past every order's window.",
			"The report reaches to {through}; one that reaches to {until} is past every order's window."},
		{"{if unknown courier}{if terminal}The courier of {behind} is not known, so this report counts by itself: if others are of the same courier, name it for each of them (FILE:courier).",
			"{if unknown courier}{if page}The courier of {behind} is not known, so this report counts by itself: if others are of the same courier, choose it for each of them.",
			"{if unknown courier}The courier of {behind} is not known, so this report counts by itself: if others are of the same courier, name it for each of them."},
		{"{awaiting|# order|# orders} may still be paid in time: run again with the next report."},
	}
}
