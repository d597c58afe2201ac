package domain

// Orders are the orders of one export.
type Orders struct{}

// Remittances are the lines of one courier report.
type Remittances struct{}
