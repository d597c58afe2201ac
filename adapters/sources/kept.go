package sources

import (
	"context"
	"errors"

	"milaan/domain"
	"milaan/ports"
)

// keptConnector is the reports that people upload for the autopilot.
func keptConnector(files ports.KeptFiles) connector {
	return connector{
		ConnectorInfo: ports.ConnectorInfo{ID: "upload", Name: "Upload", Files: true, Kept: true},
		open: func(_ context.Context, _ *network, access ports.SourceAccess) (place, error) {
			return keptFiles{files, access}, nil
		},
	}
}

type keptFiles struct {
	files  ports.KeptFiles
	access ports.SourceAccess
}

// list counts a file from when it was uploaded.
func (k keptFiles) list(ctx context.Context, q query) (files []ports.SourceFile, err error) {
	all, err := k.files.List(ctx, k.access.AccountID, k.access.ConnectionID)
	if err != nil {
		return nil, &domain.ConnectorError{Rule: domain.ConnFault, Cause: err}
	}
	for _, f := range all {
		if f.SourceID == k.access.Source.ID && q.wants(f.Name, f.At) {
			files = append(files, ports.SourceFile{Name: f.Name, Version: f.ID, Modified: f.At, Bytes: f.Bytes, Settled: true, Handle: f.ID})
		}
	}
	return files, nil
}

func (k keptFiles) read(ctx context.Context, file ports.SourceFile, _ int64) ([]byte, error) {
	id, _ := file.Handle.(string)
	content, err := k.files.Read(ctx, k.access.AccountID, k.access.ConnectionID, id)
	switch {
	case errors.Is(err, domain.ErrNoKeptFile):
		return nil, &domain.ConnectorError{Rule: domain.ConnGone}
	case err != nil:
		return nil, &domain.ConnectorError{Rule: domain.ConnFault, Cause: err}
	}
	return content, nil
}

func (k keptFiles) close() error { return nil }
