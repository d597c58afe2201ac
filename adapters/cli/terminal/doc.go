// Package terminal writes for people at a terminal: tables that are made to fit, colours, and a
// line that says what a command is doing. Texts of others cannot move the cursor.
package terminal
