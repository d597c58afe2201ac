// Package documents writes documents: what a run found, as workbooks, CSV files, PDF and
// dispute packs, for accountants, couriers and clients.
package documents
