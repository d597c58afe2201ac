package connecting_test

import (
	"context"
	"fmt"
	"slices"
	"testing"
	"time"

	"milaan/adapters/sources"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/connecting"
)

func TestSourceUpload(t *testing.T) {
	t.Parallel()
	connecting.Sources(t, connecting.Kind{Start: startUpload, Without: []string{"a file that changes after the list is not read"}})
}

func startUpload(testing.TB) *connecting.Place {
	kept := &kept{contents: map[string][]byte{}}
	return &connecting.Place{
		Source:       domain.ReportSource{ID: "source", Connector: "upload"},
		Params:       sources.Params{Kept: kept},
		AccountID:    account,
		ConnectionID: "connection",
		Put:          kept.put,
		Remove:       kept.remove,
		Settled:      true,
	}
}

// kept is uploads in memory. It does as much as sources need.
type kept struct {
	ports.KeptFiles
	files    []domain.KeptFile
	contents map[string][]byte
	count    int
}

func (k *kept) put(name string, content []byte, at time.Time) {
	k.remove(name)
	k.count++
	id := fmt.Sprint(k.count)
	k.files = append(k.files, domain.KeptFile{ID: id, SourceID: "source", Name: name, Bytes: int64(len(content)), At: at})
	k.contents[id] = content
}

func (k *kept) remove(name string) {
	k.files = slices.DeleteFunc(k.files, func(f domain.KeptFile) bool {
		if f.Name == name {
			delete(k.contents, f.ID)
		}
		return f.Name == name
	})
}

func (k *kept) List(ctx context.Context, _, _ string) ([]domain.KeptFile, error) {
	return k.files, ctx.Err()
}

func (k *kept) Read(ctx context.Context, _, _, id string) ([]byte, error) {
	content, ok := k.contents[id]
	if !ok {
		return nil, domain.ErrNoKeptFile
	}
	return content, ctx.Err()
}
