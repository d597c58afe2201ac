package autopilot

import (
	"context"
	"slices"

	"go.uber.org/fx"

	"milaan/app/admission"
	"milaan/app/ids"
	"milaan/domain"
	"milaan/ports"
)

// IgnoringFiles is what people say of the files that passes know of.
type IgnoringFiles struct {
	fx.In

	Connections ports.Connections
	PassLog     ports.PassLog
	Ignored     ports.IgnoredFiles
	Clock       ports.Clock
}

func (i *IgnoringFiles) Seen(ctx context.Context, accountID, connectionID string) (ports.SeenFiles, error) {
	_, seen, err := i.find(ctx, accountID, connectionID)
	return seen, err
}

func (i *IgnoringFiles) find(ctx context.Context, accountID, id string) (c domain.Connection, seen ports.SeenFiles, err error) {
	if c, err = i.Connections.Find(ctx, accountID, id); err != nil {
		return c, seen, err
	}
	if seen.Files, seen.More, err = i.PassLog.Files(ctx, accountID, id); err != nil {
		return c, seen, err
	}
	seen.Ignored, err = i.Ignored.List(ctx, accountID, id)
	return c, seen, err
}

func (i *IgnoringFiles) Ignore(ctx context.Context, accountID, connectionID, id string, by domain.Actor) (domain.IgnoredFile, error) {
	c, seen, err := i.find(ctx, accountID, connectionID)
	if err != nil {
		return domain.IgnoredFile{}, err
	}
	at := slices.IndexFunc(seen.Files, func(f domain.SeenFile) bool { return f.ID() == id })
	if at < 0 || c.Source(seen.Files[at].SourceID) == 0 {
		return domain.IgnoredFile{}, domain.ErrNoSeenFile
	}
	f := seen.Files[at]
	file := domain.IgnoredFile{ID: ids.New(), AccountID: accountID, ConnectionID: connectionID, SourceID: f.SourceID, Name: f.Name,
		Version: f.Version, Modified: f.Modified, Sum: f.Sum, At: i.Clock()}
	return i.Ignored.Add(ctx, file, i.event(domain.SecurityFileIgnored, c, by))
}

func (i *IgnoringFiles) TakeBack(ctx context.Context, accountID, connectionID, id string, by domain.Actor) error {
	c, err := i.Connections.Find(ctx, accountID, connectionID)
	if err != nil {
		return err
	}
	return i.Ignored.Remove(ctx, accountID, connectionID, id, i.event(domain.SecurityFileTaken, c, by))
}

func (i *IgnoringFiles) event(kind domain.SecurityKind, c domain.Connection, by domain.Actor) domain.SecurityEvent {
	return admission.NewEvent(domain.SecurityEvent{AccountID: c.AccountID, At: i.Clock(), Kind: kind, Detail: c.Brand, By: by})
}
