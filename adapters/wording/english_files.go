package wording

import "milaan/domain"

// englishFaults returns the messages of faults of files in English: what is wrong, and what
// to do about it.
func englishFaults() map[domain.FileRule]faultText {
	saveAsCSV := text{"open it and save the sheet as 'CSV UTF-8'"}
	closeQuotes := text{"write the cell in quotation marks and double those inside it, or export the file again"}
	oneMeant := text{"rename or delete the one that is not meant"}
	return map[domain.FileRule]faultText{
		domain.RuleAmount: {text{"[{cell} ]is not an amount"}, text{"write it like 1299.50"}},
		domain.RuleDate:   {text{"[{cell} ]is not a date"}, text{"write it like 2026-03-31[{if report} or 31-03-2026][{if payout}, or leave it blank if nothing was paid out yet]"}},
		domain.RuleMonthFirst: {
			text{"[{cell} ]is {if export}written month first, in a column with dates that are written day first",
				"[{cell} ]is a date with its month first, and other cells of the column have the day first"},
			text{"{if export}write all its dates like 2026-03-31", "write all of them alike, best like 2026-03-31"}},
		domain.RuleFarDate: {text{"[{cell} ]is more than a year after every other date of the column"},
			text{"{if export}correct it; if it is right, run the orders of that year by themselves",
				"correct the date: it would say that the report reaches as far as that"}},
		domain.RuleUnknownStatus: {text{"[{cell} ]is not known to say whether the line's {amount} was paid out"},
			text{"write one such as Remitted, Paid, Settled or Credited where it was, and Pending, Initiated, On hold or Not paid where it was not; " +
				"or give the column of what was paid out as remitted_amount, which decides by itself"}},
		domain.RuleCurrency:        {text{"[{cell} ]is not the rupee (INR), in which couriers collect cash and Milaan counts"}, text{"leave the orders in another currency out of the export, or give the amounts in rupees and write INR"}},
		domain.RuleNoName:          {text{"[{cell} ]names no order although the row has a total"}, text{"give the row its order's name, or delete it if it is the export's sum"}},
		domain.RuleTrackingNumbers: {text{"[{cell} ]makes more than {limit} tracking numbers for one order"}, text{"check whether the column has slipped"}},
		domain.RuleNamesakes:       {text{"[{cell} ]makes more than {limit} orders of one name"}, text{"check whether the column Name has the orders' names, or export fewer stores together"}},
		domain.RuleBeyondHeader:    {text{"[{cell} ]stands beyond the header's last column: the record has {count} cells, the header {limit}"}, text{"look for a stray comma in this line, or export the file again"}},
		domain.RuleSecondHeader:    {text{"is the header of another report: {found}; there are two reports in one file"}, text{"{if source}split the file in two at this line", "split the file at this line, and run each report by itself"}},
		domain.RuleRows:            {text{"has more than {limit} rows below its header"}, text{"{if bank}leave out the months that are not needed", "{if source}leave out the months that are not needed", "leave out what is of other months in both files alike[{if API}, or compare the whole files with milaan reconcile on the command line, which has no limit]"}},
		domain.RuleRowsTogether: {text{"has, together with the reports before it, more than {limit} rows below the headers"},
			text{"give fewer reports at once, with the orders of their time[{if API}, or compare the whole files with milaan reconcile on the command line, which has no limit]"}},
		domain.RuleSandboxRows: {text{"has more than {limit} rows below its header, the most that the sandbox reads"}, text{"send a part of the file with the sandbox key, or the whole file with the live key"}},
		domain.RuleSandboxTogether: {text{"has, together with the reports before it, more than {limit} rows below the headers, the most that the sandbox reads"},
			text{"send fewer reports, or parts of them, with the sandbox key, or all of them with the live key"}},
		domain.RuleQuoteOpen:    {text{"opens a quotation mark that is never closed"}, closeQuotes},
		domain.RuleQuoteTrailed: {text{"has text after a cell's closing quotation mark"}, closeQuotes},
		domain.RuleSums:         {text{"has amounts that add up to more than ₹{limit}"}, text{"check whether a column of ids is read as one of amounts"}},
		domain.RuleDirection:    {text{"[{cell} ]does not say whether the amount beside it came in or went out"}, text{"write Cr for a credit and Dr for a debit"}},
		domain.RuleNoLines:      {text{"has no line with a date below its header"}, text{"download the statement again, as the bank writes it"}},
		domain.RuleNoOrders:     {text{"has no orders below its header"}, text{"export the orders again"}},
		domain.RuleNoDates:      {text{"has no order with a date (Created at, Paid at or Fulfilled at)"}, text{"export the orders with their dates"}},

		domain.RuleNoColumn: {
			text{"{if export}no column {one of} was found; the header found is: {found}",
				"{if bank}no column such as {looked for} was found; the header found is: {found}",
				"no column was found for {role}[ or {other role}] (looked for {looked for}); the header found is: {found}"},
			text{"{if export}send the orders export as {storefront} writes it ({steps})",
				"{if bank}download the statement with its dates, narrations and credits, or rename the column",
				"{if source}rename the column, or state it under columns in the settings of the source",
				"{if API}rename the column, or send {statement}", "{if page}choose the column for it in the list of columns", "rename the column, or give {statement}"}},
		domain.RuleNotThere: {
			text{"{if source}there is no column[ {cell}], which the settings of the source state for {role}; the header found is: {found}",
				"{if API}there is no column[ {cell}], which columns names for {role}; the header found is: {found}",
				"{if page}there is no column[ {cell}], which was chosen for {role}; the header found is: {found}",
				"there is no column[ {cell}], which --column names for {role}; the header found is: {found}"},
			text{"{if source}state under columns in the settings of the source what the column is called in the file's header",
				"{if page}choose a column of this file", "copy the column's name from the file's header"}},
		domain.RuleAmbiguous: {text{"the header is ambiguous: couriers that know it equally well read it differently: {readings}"},
			text{"{if source}rename or delete the column that is not meant, or state the right one under columns in the settings of the source",
				"{if API}rename or delete the column that is not meant, or send {statement}", "{if page}choose the right one in the list of columns", "rename or delete the column that is not meant, or give {statement}"}},
		domain.RuleColumnTwice: {text{"stands more than once in the header and would be {role}: columns {places}", "stands twice in the header, as columns {places}"}, oneMeant},
		domain.RuleTwoRoles:    {text{"would be both {role} and {other role}"}, text{"name another column for one of the two, or leave one out"}},
		domain.RuleTwoExports:  {text{"the header could be that of an export of {storefront} or of {other storefront}"}, text{"export the orders again with all columns"}},
		domain.RuleFarHeader:   {text{"is the header, but a header is looked for among the first {limit} lines alone"}, text{"delete the lines above it"}},
		domain.RuleWide:        {text{"has {count} cells, and no line above it is a header; a header has at most {limit}"}, text{"look for a line that has lost its end, or export the file again"}},

		domain.RuleWorkbook:       {text{"is an Excel workbook (.xlsx) or a ZIP archive, not CSV"}, saveAsCSV},
		domain.RuleOldWorkbook:    {text{"is an old Excel workbook (.xls), not CSV"}, saveAsCSV},
		domain.RulePDF:            {text{"is a PDF document, not CSV"}, text{"{if export}export the orders as CSV", "{if bank}download the statement as CSV or Excel", "ask the courier for the report as CSV or Excel"}},
		domain.RuleWebPage:        {text{"is a web page (an HTML table), not CSV"}, text{"open it in a spreadsheet and save it as 'CSV UTF-8'; if the page asks for a login, download the {if bank}statement again", "open it in a spreadsheet and save it as 'CSV UTF-8'; if the page asks for a login, download the report again"}},
		domain.RuleBrokenWorkbook: {text{"is a workbook that is damaged or not whole"}, text{"{if export}export it again", "download it again, or open it and save it as 'CSV UTF-8'"}},
		domain.RulePassword:       {text{"is a workbook that is protected by a password"}, text{"open it and save it without the password"}},
		domain.RuleLargeWorkbook:  {text{"is a workbook whose cells have more than {limit} bytes of text, alone or with the other workbooks of the run"}, text{"delete the sheets and columns that are not needed, or export fewer months"}},
		domain.RuleSeveralSheets: {text{"has several sheets that could be meant: {options}"},
			text{"{if source}delete the sheets that are not meant", "{if report}{if API}name one or several in the field sheet, or * for all", "{if report}{if page}name one or several, or * for all", "{if report}name one or several with --sheet, or * for all",
				"{if API}name one in the field sheet", "{if page}choose one", "name one with --sheet"}},
		domain.RuleNoSheet: {text{"has no sheet of the name[ {cell}]; its sheets are: {options}"},
			text{"{if API}name one of them in the field sheet", "{if page}choose one of them", "name one of them with --sheet"}},
		domain.RuleNotText: {text{"is not UTF-8 text (it looks like UTF-16 or a binary file)"}, text{"save it as 'CSV UTF-8'"}},
		domain.RuleEmpty:   {text{"is empty"}, text{"{if export}export it again", "download it again"}},
		domain.RuleSwapped: {
			text{"{if several}is a courier's report, and {report} is the orders export: the two are swapped",
				"{if API}is a courier's report, and the courier file is the orders export: the two are swapped",
				"is a courier's report, and {report} is the orders export: the two are swapped"},
			text{"{if API}send each in the other's place", "{if page}give each in the other's place", "give them in the other order: the orders export, then the report"}},
		domain.RuleGivenTwice: {
			text{"{if export}is a courier's report: the report was given twice", "is the orders export: the export was given twice"},
			text{"{if export}give the shop's orders export here[ ({storefront}: {steps})]", "give the courier's remittance report here"}},
		domain.RuleOtherFile: {
			text{"{if export}is a courier's report and not the shop's orders export", "is an orders export and not a courier's report"},
			text{"{if export}give the orders export here[ ({storefront}: {steps})]", "give the courier's remittance report here"}},
	}
}
