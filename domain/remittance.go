package domain

// Remittance is one line of a courier's report: what was collected for a
// parcel, and what of it was paid out. Texts are slices of the report.
type Remittance struct {
	AWB         []byte
	OrderID     []byte
	UTR         []byte
	Collected   Paise
	Remitted    Paise
	RemittedOn  Day
	DeliveredOn Day
	Returned    bool // the shipment's status says RTO or return
}
