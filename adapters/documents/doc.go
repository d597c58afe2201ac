// Package documents writes documents: what a run found, as workbooks, CSV files, PDF, dispute
// packs and vouchers, for accountants, couriers and clients.
package documents
