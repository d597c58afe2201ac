package wording

import "milaan/domain"

// englishPages returns the names that the pages of the dashboard use in English.
func englishPages() pageWords {
	return pageWords{
		files:  [...]string{domain.StorefrontFile: "the orders file", domain.CourierFile: "the report", domain.StatementFile: "the bank statement"},
		report: "report {number}",
		fields: map[domain.Field]string{
			domain.FieldJobs: "the jobs", domain.FieldJob: "the job",
			domain.FieldStorefront: "the orders file", domain.FieldCourier: "the report", domain.FieldReports: "the list of reports", domain.FieldStatement: "the bank statement",
			domain.FieldCourierName: "the courier", domain.FieldBrand: "the brand", domain.FieldOverdueDays: "the number of days until an order is overdue",
			domain.FieldMinorGap: "the difference that is tolerated", domain.FieldColumns: "the list of columns", domain.FieldInclude: "what is included", domain.FieldSheet: "the sheet",
			domain.FieldFormat: "the format", domain.FieldBrandingName: "the name on documents", domain.FieldBrandingLogo: "the logo", domain.FieldBrandingColour: "the colour",
			domain.FieldBrandingFooter: "the footer", domain.FieldWebhookURL: "the URL", domain.FieldRequestKey: "the Idempotency-Key", domain.FieldEmail: "the e-mail address",
			domain.FieldPlan: "the plan", domain.FieldSubscription: "the subscription", domain.FieldSubscribedOn: "the first day of the subscription", domain.FieldBillingDay: "the billing day",
			domain.FieldRunCap: "the number of runs a month", domain.FieldOwnOverdueDays: "the number of days until an order is overdue", domain.FieldEndpoint: "the URL", domain.FieldSessionTime: "the time",
			domain.FieldSource: "the source", domain.FieldFrom: "the first day", domain.FieldTo: "the last day", domain.FieldLimit: "the number of runs", domain.FieldAfter: "the page",
			domain.FieldConnector: "the kind", domain.FieldShop: "the shop", domain.FieldSources: "the list of report sources", domain.FieldSetting: "the setting",
			domain.FieldPattern: "the pattern", domain.FieldWindowDays: "the number of days of the window", domain.FieldAlertAbove: "the amount above which a mail is sent",
			domain.FieldFile: "the file", domain.FieldPhoneNumber: "the phone number", domain.FieldPhoneCode: "the code", domain.FieldConfirm: "the confirmation", domain.FieldMemberRole: "the role",
		},
		of: "{name} of {report}",
		roles: [...]string{
			domain.RoleAWB: "AWB", domain.RoleOrderID: "order id", domain.RoleCODAmount: "COD amount", domain.RoleRemittedAmount: "remitted amount",
			domain.RoleRemittanceDate: "remittance date", domain.RoleDeliveredDate: "delivery date", domain.RoleStatus: "shipment status",
			domain.RoleRemittanceStatus: "remittance status", domain.RoleUTR: "UTR", domain.RoleCharges: "charges",
		},
		as: "{column} as {role}",
	}
}
