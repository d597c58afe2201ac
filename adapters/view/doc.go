// Package view has the JSON of what the service knows, once: the dashboard, the export of an
// account and --json of the commands write these structs, and the TypeScript of the pages is
// made from them. A part that several answers have is a struct of its own, which they embed in
// the order that each promises. Tags of the key ts give a field's type in TypeScript where the
// Go type does not say it. What writes a CSV file for Excel begins it here too.
package view
