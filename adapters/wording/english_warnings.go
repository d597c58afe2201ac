package wording

import "milaan/domain"

// englishWarnings returns the messages of warnings in English. Each is a sentence with
// figures, then the remedy.
func englishWarnings() map[domain.WarningCode]text {
	return map[domain.WarningCode]text{
		domain.WarnNothingMatched: {
			"{if pass}{count|The only order of the window is not|None of the # orders of the window is} in the reports: check that the sources have the reports of this shop, and that these have the AWBs or the order ids of the shop.",
			"{if pass}None of the orders of the window is in the reports: check that the sources have the reports of this shop, and that these have the AWBs or the order ids of the shop.",
			"{if several}{count|The only order of the export is not|None of the # orders of the export is} in the reports: check that all files are of the same shop and the same time, and that the reports have the AWBs or the order ids of the export.",
			"{count|The only order of the export is not|None of the # orders of the export is} in the report: check that both files are of the same shop and the same time, and that the report has the AWBs or the order ids of the export.",
			"No order of the export is in the report: check that both files are of the same shop and the same time, and that the report has the AWBs or the order ids of the export.",
		},
		domain.WarnFewMatched: {
			"{if pass}Only {count} of {of|# shipped COD order|# shipped COD orders} that should have been paid by now {count|is|are} in the reports ({percent} %): check that the sources have all reports of this shop since the start of the window.",
			"{if pass}{of|The only shipped COD order that should have been paid by now is not|None of the # shipped COD orders that should have been paid by now is} in the reports: check that the sources have all reports of this shop since the start of the window.",
			"{if pass}Few of the shipped COD orders that should have been paid by now are in the reports: check that the sources have all reports of this shop since the start of the window.",
			"{if several}Only {count} of {of|# shipped COD order|# shipped COD orders} whose window has ended {count|is|are} in the reports ({percent} %): check that they are the reports of this shop and time, and reconcile with the other reports of that time.",
			"Only {count} of {of|# shipped COD order|# shipped COD orders} whose window has ended {count|is|are} in the report ({percent} %): check that it is the report of this shop and time, and reconcile with the other reports of that time.",
			"{of|The only shipped COD order whose window has ended is not|None of the # shipped COD orders whose window has ended is} in the report: check that it is the report of this shop and time, and reconcile with the other reports of that time.",
			"Few of the shipped COD orders whose window has ended are in the report: check that it is the report of this shop and time, and reconcile with the other reports of that time.",
		},
		domain.WarnOutsideReport: {
			"{if pass}{count|# order|# orders}[ with {amount} due] {count|is|are} in no report, and few or none of the orders of the same courier and time are, so {count|it is|they are} not called MISSING: check that the sources have all reports of every courier.",
			"{if pass}Some orders are in no report, and few or none of the orders of the same courier and time are, so they are not called MISSING: check that the sources have all reports of every courier.",
			"{count|# order|# orders}[ with {amount} due] {count|is|are} in no report, and few or none of the orders of the same courier and time are, so {count|it is|they are} not called MISSING: reconcile with the report of that courier and time that may list {count|it|them}.",
			"Some orders are in no report, and few or none of the orders of the same courier and time are, so they are not called MISSING: reconcile with the report of that courier and time that may list them.",
		},
		domain.WarnUnclaimedLines: {
			"{if all named}{if several}{count|# line of the reports|# lines of the reports}[ with {amount} remitted] {count|names an order that is|name orders that are} paid already, and {count|counts|count} for no order: check whether {count|it is a second payment|they are second payments}, or of another shop with the same numbers.",
			"{if all named}{count|# line of the report|# lines of the report}[ with {amount} remitted] {count|names an order that is|name orders that are} paid already, and {count|counts|count} for no order: check whether {count|it is a second payment|they are second payments}, or of another shop with the same numbers.",
			"{if pass}{count} lines of the reports[ with {amount} remitted] count for no order: {named|# of them names an order that is|# of them name orders that are} paid already (check whether they are second payments, or of another shop with the same numbers), and the others belong to no order that the shop has in the window.",
			"{if several}{count} lines of the reports[ with {amount} remitted] count for no order: {named|# of them names an order that is|# of them name orders that are} paid already (check whether they are second payments, or of another shop with the same numbers), and the others belong to no order of the export (export all orders of the time of the reports).",
			"{count} lines of the report[ with {amount} remitted] count for no order: {named|# of them names an order that is|# of them name orders that are} paid already (check whether they are second payments, or of another shop with the same numbers), and the others belong to no order of the export (export all orders of the report's time).",
			"{if pass}{count|# line of the reports|# lines of the reports}[ with {amount} remitted] {count|belongs|belong} to no order that the shop has in the window: check whether {count|it is|they are} of another shop or of an order from before the window.",
			"{if pass}Some lines of the reports[ with {amount} remitted] belong to no order that the shop has in the window: check whether they are of another shop or of an order from before the window.",
			"{if several}{count|# line of the reports|# lines of the reports}[ with {amount} remitted] {count|belongs|belong} to no order of the export: check whether {count|it is|they are} of another shop or another time, and export all orders of the time of the reports.",
			"{count|# line of the report|# lines of the report}[ with {amount} remitted] {count|belongs|belong} to no order of the export: check whether {count|it is|they are} of another shop or another time, and export all orders of the report's time.",
			"Some lines of the report[ with {amount} remitted] belong to no order of the export: check whether they are of another shop or another time, and export all orders of the report's time.",
		},
		domain.WarnUnidentifiedMoney: {
			"{if pass}{count|# line of the reports has money|# lines of the reports have money}[, {amount} in all,] but neither an AWB nor an order id, and {count|counts|count} for no order: ask the courier which parcels {count|it is|they are} for, and get reports that have their ids.",
			"{if pass}Some lines of the reports have money[, {amount} in all,] but neither an AWB nor an order id, and count for no order: ask the courier which parcels they are for, and get reports that have their ids.",
			"{count|# line has money|# lines have money} in {named report}[, {amount} in all,] but neither an AWB nor an order id, and {count|counts|count} for no order: ask the courier which parcels {count|it is|they are} for, and get a report that has their ids.",
			"{count|# line of the report has money|# lines of the report have money}[, {amount} in all,] but neither an AWB nor an order id, and {count|counts|count} for no order: ask the courier which parcels {count|it is|they are} for, and get a report that has their ids.",
			"Some lines of the report have money[, {amount} in all,] but neither an AWB nor an order id, and count for no order: ask the courier which parcels they are for, and get a report that has their ids.",
		},
		domain.WarnRepeatedLines: {
			"{if several}{count|# line of the reports repeats another one exactly and is|# lines of the reports repeat other ones exactly and are} not counted again[, {amount} in all]: if {count|it is a payment of its own|they are payments of their own}, get a report with the AWB and the UTR on each line.",
			"{count|# line of the report repeats another one exactly and is|# lines of the report repeat other ones exactly and are} not counted again[, {amount} in all]: if {count|it is a payment of its own|they are payments of their own}, get a report with the AWB and the UTR on each line.",
			"Some lines of the report repeat other ones exactly and are not counted again[, {amount} in all]: if they are payments of their own, get a report with the AWB and the UTR on each line.",
		},
		domain.WarnRoundedAWBs: {
			"{if pass}{if orders}A spreadsheet seems to have rounded {count|# AWB|# AWBs}[ of {of}] of the shop's orders[, such as {examples}], which {count|names|name} no parcel now: enter {count|it|them} in the shop as the courier states {count|it|them}.",
			"{if pass}A spreadsheet seems to have rounded {count|# AWB|# AWBs}[ of {of}] in the reports[, such as {examples}], which {count|names|name} no parcel now: get the files again, and do not save them in a spreadsheet unless the AWB column is text.",
			"{if pass}A spreadsheet seems to have rounded AWBs[, such as {examples}], which name no parcel now: correct them in the shop or in the report, and do not save reports in a spreadsheet unless the AWB column is text.",
			"A spreadsheet seems to have rounded {count|# AWB|# AWBs}[ of {of}] in {named report}[, such as {examples}], which {count|names|name} no parcel now: get the file again, and do not save it in a spreadsheet unless the AWB column is text.",
			"A spreadsheet seems to have rounded {count|# AWB|# AWBs}[ of {of}][ in the {file}][, such as {examples}], which {count|names|name} no parcel now: get the file again, and do not save it in a spreadsheet unless the AWB column is text.",
			"A spreadsheet seems to have rounded AWBs[ in the {file}][, such as {examples}], which name no parcel now: get the file again, and do not save it in a spreadsheet unless the AWB column is text.",
		},
		domain.WarnOrderIDColumn: {
			"{if pass}Order ids of the reports are read from the column[ {column}] that names the most orders of the shop, and not from the one with the better name: if that is wrong, state the column for the order id in the settings of the source, under columns.",
			"{if page}Order ids are read from the column {column}[ of {named report}], which names more orders of the export than {other column}: if that is wrong, choose the right column for the order id in the list of columns.",
			"{if page}Order ids are read from the column {column}[ of {named report}], which names the most orders of the export: if that is wrong, choose the right column for the order id in the list of columns.",
			"Order ids are read from the column {column}[ of {named report}], which names more orders of the export than {other column}: if that is wrong, name the right column for order_id yourself (in a request with courierName custom and columns, on the command line with --column).",
			"Order ids are read from the column {column}[ of {named report}], which names the most orders of the export: if that is wrong, name the right column for order_id yourself (in a request with courierName custom and columns, on the command line with --column).",
			"Order ids are read from the column that names the most orders of the export, and not from the one with the better name: if that is wrong, name the right column for order_id yourself (in a request with courierName custom and columns, on the command line with --column).",
		},
		domain.WarnAmbiguousDates: {
			"{if pass}The dates[ in the column {column}] of a report can all be read day first or month first, and may have been read the wrong way: check one of them, and get reports with dates as YYYY-MM-DD.",
			"{if day first}The dates[ in the column {column}] of {named report} can all be read day first or month first, and are read day first, though month first fits the other dates as well: check one of them, and export dates as YYYY-MM-DD.",
			"{if day first}The dates[ in the column {column}][ of the {file}] can all be read day first or month first, and are read day first, though month first fits the other dates as well: check one of them, and export dates as YYYY-MM-DD.",
			"The dates[ in the column {column}] of {named report} can all be read day first or month first, and are read month first, which fits the other dates better: check one of them, and export dates as YYYY-MM-DD.",
			"The dates[ in the column {column}][ of the {file}] can all be read day first or month first, and are read month first, which fits the other dates better: check one of them, and export dates as YYYY-MM-DD.",
		},
		domain.WarnUnknownPaymentMethods: {
			"{if pass}{count|# pending order has a payment method that is|# pending orders have payment methods that are} neither cash on delivery nor known as prepaid[, such as {examples}], and {count|counts|count} as prepaid[, {amount} in all]: if cash is collected for {count|it|them}, call the payment method Cash on Delivery in the shop.",
			"{if pass}Some pending orders have payment methods that are neither cash on delivery nor known as prepaid[, such as {examples}], and count as prepaid[, {amount} in all]: if cash is collected for them, call the payment method Cash on Delivery in the shop.",
			"{count|# pending order has a payment method that is|# pending orders have payment methods that are} neither cash on delivery nor known as prepaid[, such as {examples}], and {count|counts|count} as prepaid[, {amount} in all]: if cash is collected for {count|it|them}, write Cash on Delivery as the payment method in the export.",
			"Some pending orders have payment methods that are neither cash on delivery nor known as prepaid[, such as {examples}], and count as prepaid[, {amount} in all]: if cash is collected for them, write Cash on Delivery as the payment method in the export.",
		},
		domain.WarnDeductions: {
			"{if by charges}{count} of {of|# paid order|# paid orders} {count|is|are} short by the charges that the report states[, {amount} in all]: check these against your agreement with the courier.",
			"{if pass}{if same}{count} of {of|# paid order|# paid orders} {count|is|are} short by {each}[, {amount} in all][, of which no charge explains {unexplained}], as if the couriers had deducted their charges: check them against their invoices, or get reports that state amounts before deductions.",
			"{if pass}{count} of {of|# paid order|# paid orders} {count|is|are} short by about {share} %[, {amount} in all][, of which no charge explains {unexplained}], as if the couriers had deducted their charges: check them against their invoices, or get reports that state amounts before deductions.",
			"{if pass}Most paid orders are short by a like share[, {amount} in all][, of which no charge explains {unexplained}], as if the couriers had deducted their charges: check them against their invoices, or get reports that state amounts before deductions.",
			"{if same}{count} of {of|# paid order|# paid orders} {count|is|are} short by {each}[, {amount} in all][, of which no charge explains {unexplained}], as if the courier had deducted its charges: check them against its invoice, or reconcile with a report that states amounts before deductions.",
			"{count} of {of|# paid order|# paid orders} {count|is|are} short by about {share} %[, {amount} in all][, of which no charge explains {unexplained}], as if the courier had deducted its charges: check them against its invoice, or reconcile with a report that states amounts before deductions.",
			"Most paid orders are short by a like share[, {amount} in all][, of which no charge explains {unexplained}], as if the courier had deducted its charges: check them against its invoice, or reconcile with a report that states amounts before deductions.",
		},
		domain.WarnPayoutGap: {
			"{if pass}A payout of {gap courier} seems to lack: it pays every {every|day|# days}, but not between {gap after} and {gap before}. {count|# order|# orders}[ with {amount} due] would be in it and {count|is|are} not called MISSING: check that the sources have the report of that payout.",
			"{if pass}A payout seems to lack: payouts come every {every|day|# days}, but not between {gap after} and {gap before}. {count|# order|# orders}[ with {amount} due] would be in it and {count|is|are} not called MISSING: check that the sources have the report of that payout.",
			"{if pass}A payout seems to lack: payouts come every {every|day|# days}, and the first in the reports is that of {gap before}. {count|# order|# orders}[ with {amount} due] would be in an earlier one and {count|is|are} not called MISSING: check that the sources have the report of that payout.",
			"{if pass}A payout of a regular series seems to lack, so orders that would be in it are not called MISSING: check that the sources have the report of that payout.",
			"A payout of {gap courier} seems to lack: it pays every {every|day|# days}, but not between {gap after} and {gap before}. {count|# order|# orders}[ with {amount} due] would be in it and {count|is|are} not called MISSING: reconcile with the report of that payout.",
			"A payout seems to lack: payouts come every {every|day|# days}, but not between {gap after} and {gap before}. {count|# order|# orders}[ with {amount} due] would be in it and {count|is|are} not called MISSING: reconcile with the report of that payout.",
			"A payout seems to lack: payouts come every {every|day|# days}, and the first in the reports is that of {gap before}. {count|# order|# orders}[ with {amount} due] would be in an earlier one and {count|is|are} not called MISSING: reconcile with the report of that payout.",
			"A payout of a regular series seems to lack, so orders that would be in it are not called MISSING: reconcile with the report of that payout.",
		},
		domain.WarnPrepaidCollected: {
			"The courier has collected cash for {count|# prepaid order|# prepaid orders}[, {amount} in all]: find out whether the {count|buyer has|buyers have} paid twice, and refund what was paid twice.",
			"The courier has collected cash for prepaid orders[, {amount} in all]: find out whether buyers have paid twice, and refund what was paid twice.",
		},
		domain.WarnFooterDiffers: {
			"{if pass}The footer of a report states a total that its lines do not have: drop the latest reports on the page Reconcile to see which one it is, and get it again if it is not whole and as the courier sent it.",
			"The footer[ in line {line}] of {the report} states {stated count|# line|# lines}, but {count read|# was|# were} read: check that the report is whole and as the courier sent it, and get it again if it is not.",
			"The footer[ in line {line}] of {the report} states {stated}, but the lines read come to {amount}: check that the report is whole and as the courier sent it, and get it again if it is not.",
			"The footer[ in line {line}] of {the report} states a total that the lines read do not have: check that the report is whole and as the courier sent it, and get it again if it is not.",
		},
		domain.WarnOneNameTwoOrders: {
			"{if pass}{count|# order of the shop has|# orders of the shop have} the same name as another one with another date[, such as {examples}], and a line that gives the name alone may count for the wrong one: enter the AWBs in the shop, which tell them apart.",
			"{if pass}Some orders of the shop have the same name as another one with another date[, such as {examples}], and a line that gives the name alone may count for the wrong one: enter the AWBs in the shop, which tell them apart.",
			"{count|# order of the export has|# orders of the export have} the same name as another one with another date[, such as {examples}], and a line that gives the name alone may count for the wrong one: reconcile each store by itself, or have the AWBs in the export.",
			"Some orders of the export have the same name as another one with another date[, such as {examples}], and a line that gives the name alone may count for the wrong one: reconcile each store by itself, or have the AWBs in the export.",
		},
		domain.WarnReturnedWithAmount: {
			"{if several}{count|# returned order is|# returned orders are} RTO_ANOMALY only because a report has a COD amount for {count|it|them}[, {amount} in all]: before you escalate, ask the courier whether that column states what was collected or what was to be collected.",
			"{count|# returned order is|# returned orders are} RTO_ANOMALY only because the report has a COD amount for {count|it|them}[, {amount} in all]: before you escalate, ask the courier whether that column states what was collected or what was to be collected.",
			"Returned orders are RTO_ANOMALY only because the report has a COD amount for them[, {amount} in all]: before you escalate, ask the courier whether that column states what was collected or what was to be collected.",
		},
		domain.WarnEmptyReport: {
			"{if pass}At least one report has a header and no lines below it: check that it is the whole report, and get it again if it is not.",
			"There is no line below the header of {named report}: check that it is the whole report, and get it again if it is not.",
			"The report has a header and no lines below it: check that it is the whole report, and get it again if it is not.",
		},
		domain.WarnLeavingWindow: {
			"{count|# order leaves|# orders leave} the window unpaid with the next day[, with {amount} still due], and {count|is|are} not looked at any more after that: claim the money from the courier now, or compare by hand with an export that has {count|it|them}.",
			"Orders leave the window unpaid with the next day[, with {amount} still due], and are not looked at any more after that: claim the money from the courier now, or compare by hand with an export that has them.",
		},
	}
}
