// Package mcp lets an assistant on a person's own machine use Milaan, by the Model Context
// Protocol: it compares files below folders that the person has named, and writes documents
// there. It connects to nothing, and stores nothing but these documents.
//
// An assistant may be told anything by whoever wrote a file. So paths are opened by os.Root,
// which leads nowhere else; files have the limits of a request to the service; one tool works
// at a time; and results say which texts are of files.
package mcp
