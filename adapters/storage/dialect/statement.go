package dialect

import "database/sql/driver"

// Statement is a statement that is sent as it stands. What every request does is sent so: gorm
// needs longer to write such a statement than SQLite needs to run it.
type Statement struct {
	Text string // with a question mark for each of Args
	Args []any
	Into []any // what the first row is scanned into; nil if the statement returns no rows
	Rows int64 // once it was sent: how many rows it has changed, or 1 if it has returned one
}

// NewStatement returns a statement that returns no rows.
func NewStatement(text string, args ...any) *Statement { return &Statement{Text: text, Args: args} }

// Scan has the first row scanned.
func (s *Statement) Scan(into ...any) *Statement {
	s.Into = into
	return s
}

// Values returns the arguments as drivers take them: a domain.Day is an int64, for example.
func (s *Statement) Values() ([]any, error) {
	values := make([]any, len(s.Args))
	for i, arg := range s.Args {
		var err error
		if values[i], err = driver.DefaultParameterConverter.ConvertValue(arg); err != nil {
			return nil, err
		}
	}
	return values, nil
}
