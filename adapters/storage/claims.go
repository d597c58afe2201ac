package storage

import (
	"context"
	"fmt"

	"gorm.io/gorm"

	"milaan/domain"
)

// Claims fills ports.Claims.
type Claims struct{ store *Store }

// NewClaims is the store's view of request keys.
func NewClaims(s *Store) *Claims { return &Claims{s} }

// Take stores a claim, unless another one stands, and returns the one that does.
// What is over is dropped under its former hashes too, so that its holder, if it
// is still at work, has lost it.
func (c *Claims) Take(ctx context.Context, claim domain.Claim, former ...domain.ClaimHash) (domain.Claim, error) {
	stands := claim
	row := rowOfClaim(claim)
	keys := [][]byte{row.RequestKeyHash}
	for i := range former {
		keys = append(keys, former[i][:])
	}
	err := c.store.transact(ctx, "claim a request key", func(tx *gorm.DB) error {
		if _, err := lockedAccount(tx, "id = ?", claim.AccountID); err != nil {
			return err
		}
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

// holders finds a claim that is its holder's and has no outcome.
const holders = "account_id = ? AND request_key_hash = ? AND holder = ? AND run_id IS NULL AND batch_id IS NULL"

// Renew prolongs the holder's lease.
func (c *Claims) Renew(ctx context.Context, claim domain.Claim) error {
	return c.store.write(ctx, "renew a claim", func(db *gorm.DB) error {
		return changedOne(db.Exec("UPDATE claims SET held_until_us = ? WHERE "+holders,
			claim.Until.UnixMicro(), claim.AccountID, claim.Key[:], claim.Holder), domain.ErrNothingToDo)
	})
}

// Release forgets the holder's claim, unless it has an outcome. While a
// transaction that gives it one is still being committed, it waits for that.
func (c *Claims) Release(ctx context.Context, claim domain.Claim) error {
	return c.store.write(ctx, "release a claim", func(db *gorm.DB) error {
		return db.Exec("DELETE FROM claims WHERE "+holders, claim.AccountID, claim.Key[:], claim.Holder).Error
	})
}

// fulfil gives a claim its outcome in a transaction, if it is still its
// holder's: a lease that has ended does no harm as long as nobody else has
// taken the claim.
func fulfil(tx *gorm.DB, claim domain.Claim, outcome, id string) error {
	return changedOne(tx.Exec("UPDATE claims SET "+outcome+" = ? WHERE "+holders,
		id, claim.AccountID, claim.Key[:], claim.Holder), domain.ErrKeyRunning)
}

// changedOne is otherwise if a statement has changed nothing.
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

func (claimRow) TableName() string { return "claims" }

// rowOfClaim is a claim without an outcome, whatever it says of one.
func rowOfClaim(c domain.Claim) claimRow {
	return claimRow{AccountID: c.AccountID, RequestKeyHash: c.Key[:], RequestHash: c.Request[:], Holder: c.Holder,
		MadeAtUs: c.At.UnixMicro(), HeldUntilUs: c.Until.UnixMicro()}
}

func (r claimRow) claim() (domain.Claim, error) {
	c := domain.Claim{AccountID: r.AccountID, Holder: r.Holder, At: moment(r.MadeAtUs), Until: moment(r.HeldUntilUs),
		RunID: orZero(r.RunID), BatchID: orZero(r.BatchID)}
	if copy(c.Key[:], r.RequestKeyHash) != len(c.Key) || copy(c.Request[:], r.RequestHash) != len(c.Request) {
		return domain.Claim{}, fmt.Errorf("a stored claim has hashes of %d and %d bytes", len(r.RequestKeyHash), len(r.RequestHash))
	}
	return c, nil
}
