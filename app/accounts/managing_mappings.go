package accounts

import (
	"context"

	"milaan/app/admission"
	"milaan/domain"
	"milaan/ports"
)

// ManagingMappings lists and deletes saved mappings.
type ManagingMappings struct {
	mappings ports.SavedMappings
	clock    ports.Clock
}

// NewManagingMappings makes the use case.
func NewManagingMappings(mappings ports.SavedMappings, clock ports.Clock) *ManagingMappings {
	return &ManagingMappings{mappings: mappings, clock: clock}
}

func (m *ManagingMappings) Mappings(ctx context.Context, accountID string) ([]ports.StoredMapping, error) {
	return m.mappings.List(ctx, accountID)
}

// RemoveMapping finds the id of the courier, under which its mapping is saved.
func (m *ManagingMappings) RemoveMapping(ctx context.Context, accountID, courier string, by domain.Way) error {
	if !domain.IsStorable(courier) {
		return domain.ErrNoMapping
	}
	return m.mappings.Remove(ctx, accountID, courier, admission.NewEvent(domain.SecurityEvent{
		AccountID: accountID, At: m.clock(), Kind: domain.SecurityMappingGone, Detail: courier, By: by}))
}
