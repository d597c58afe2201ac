package storage

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
)

// RequestClaims stores the claims of request keys.
type RequestClaims struct{ view }

// Take stores a claim unless another one stands, and returns the one that stands now. A
// claim that is over is deleted under its former hashes too, so that its holder loses it,
// should it still be at work.
func (c *RequestClaims) Take(ctx context.Context, claim domain.RequestClaim, former ...domain.RequestHash) (domain.RequestClaim, error) {
	stands := claim
	row := rowOfClaim(claim)
	keys := [][]byte{row.RequestKeyHash}
	for i := range former {
		keys = append(keys, former[i][:])
	}
	err := c.store.transactOf(ctx, "claim a request key", claim.AccountID, func(tx *gorm.DB) error {
		var known []claimRow
		if err := tx.Find(&known, "account_id = ? AND request_key_hash IN ?", row.AccountID, keys).Error; err != nil {
			return err
		}
		for _, r := range known {
			var err error
			if stands, err = r.claim(); err != nil || !stands.Over(claim.At) {
				return err
			}
		}
		stands = claim
		if len(known) > 0 {
			if err := tx.Exec("DELETE FROM claims WHERE account_id = ? AND request_key_hash IN ?", row.AccountID, keys).Error; err != nil {
				return err
			}
		}
		return tx.Create(&row).Error
	})
	return stands, err
}

// ofHolder finds a claim that its holder still has, without an outcome.
const ofHolder = "account_id = ? AND request_key_hash = ? AND holder = ? AND run_id IS NULL AND batch_id IS NULL"

func (c *RequestClaims) Renew(ctx context.Context, claim domain.RequestClaim) error {
	return c.store.write(ctx, "renew a claim", func(db *gorm.DB) error {
		return changedOne(db.Exec("UPDATE claims SET held_until_us = ? WHERE "+ofHolder,
			claim.Until.UnixMicro(), claim.AccountID, claim.Key[:], claim.Holder), domain.ErrNothingToDo)
	})
}

// Release deletes the holder's claim, unless it has an outcome. It waits for a
// transaction that gives it one and is still being committed.
func (c *RequestClaims) Release(ctx context.Context, claim domain.RequestClaim) error {
	return c.store.write(ctx, "release a claim", func(db *gorm.DB) error {
		return db.Exec("DELETE FROM claims WHERE "+ofHolder, claim.AccountID, claim.Key[:], claim.Holder).Error
	})
}

// fulfilment gives a claim its outcome, unless the holder has lost it. A lease that has ended does no harm as long as no other
// request has taken the claim.
func fulfilment(claim domain.RequestClaim, outcome, id string) *dialect.Statement {
	return dialect.NewStatement("UPDATE claims SET "+outcome+" = ? WHERE "+ofHolder, id, claim.AccountID, claim.Key[:], claim.Holder)
}

// changedOne returns otherwise if a statement has changed nothing.
func changedOne(done *gorm.DB, otherwise error) error {
	if done.Error == nil && done.RowsAffected == 0 {
		return otherwise
	}
	return done.Error
}

type claimRow struct {
	AccountID      string `gorm:"primaryKey"`
	RequestKeyHash []byte `gorm:"primaryKey"`
	RequestHash    []byte
	Holder         string
	MadeAtUs       int64
	HeldUntilUs    int64
	RunID          *string
	BatchID        *string
}

// rowOfClaim returns the row of a claim without an outcome, even if the claim has one.
func rowOfClaim(c domain.RequestClaim) claimRow {
	return claimRow{AccountID: c.AccountID, RequestKeyHash: c.Key[:], RequestHash: c.Request[:], Holder: c.Holder,
		MadeAtUs: c.At.UnixMicro(), HeldUntilUs: c.Until.UnixMicro()}
}

func (r claimRow) claim() (domain.RequestClaim, error) {
	c := domain.RequestClaim{AccountID: r.AccountID, Holder: r.Holder, At: moment(r.MadeAtUs), Until: moment(r.HeldUntilUs),
		RunID: orZero(r.RunID), BatchID: orZero(r.BatchID)}
	if copy(c.Key[:], r.RequestKeyHash) != len(c.Key) || copy(c.Request[:], r.RequestHash) != len(c.Request) {
		return domain.RequestClaim{}, fmt.Errorf("a stored claim has hashes of %d and %d bytes", len(r.RequestKeyHash), len(r.RequestHash))
	}
	return c, nil
}
