package storage

import (
	"context"
	"errors"
	"slices"
	"strings"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// Billing stores notices and subscriptions of the billing provider.
type Billing struct{ viewWithJobs }

// billedPlace is the place that the URL of a subscription is sealed for.
func billedPlace(accountID, id string) []string {
	return []string{"billed_subscriptions", "url", accountID, id}
}

// errTaken rolls the transaction of a notice back that was taken before.
var errTaken = errors.New("the notice was taken before")

// Take stores a notice with its job, unless it was taken before. Its id and the hash of its body have a
// row each, so that it is found by either.
func (b *Billing) Take(ctx context.Context, n domain.BillingNotice, at time.Time) (taken bool, err error) {
	err = b.store.transactWithJobs(ctx, "take a billing notice", b.outbox, func(tx *gorm.DB, add dialect.AddJobs) error {
		for _, known := range []string{n.ID, n.BodyHash} {
			if known == "" {
				continue
			}
			row := billingNoticeRow{ID: known, TakenAtUs: at.UnixMicro()}
			if err := changedOne(tx.Clauses(clause.OnConflict{DoNothing: true}).Create(&row), errTaken); err != nil {
				return err
			}
		}
		if n.Subscription == "" {
			return nil
		}
		return add(ports.Job{Kind: ports.BillingJob, Billed: n.Subscription, BilledPlan: n.PlanID})
	})
	if errors.Is(err, errTaken) {
		return false, nil
	}
	return err == nil, err
}

func (b *Billing) Version(ctx context.Context, id string) (version int64, err error) {
	err = b.store.read(ctx, "find a billed subscription", func(db *gorm.DB) error {
		_, err := scanFirst(db.Raw("SELECT version FROM billed_subscriptions WHERE id = ?", id), &version)
		return err
	})
	return version, err
}

func (b *Billing) Apply(
	ctx context.Context, fetched ports.FetchedSubscription, now time.Time, event domain.SecurityEvent,
) (ports.BillingApplied, error) {
	var applied ports.BillingApplied
	err := b.store.transact(ctx, "store a billed subscription", func(tx *gorm.DB) error {
		if fetched.Missing {
			return tx.Exec("UPDATE billed_subscriptions SET looked_at_us = ? WHERE id = ?", now.UnixMicro(), fetched.Subscription.ID).Error
		}
		applied = ports.BillingApplied{}
		account, was, version, err := b.lockBilled(ctx, tx, fetched.Subscription)
		if err != nil {
			return err
		}
		if version != fetched.Version {
			return domain.ErrStaleFetch
		}
		sub := fetched.Subscription.Noticed(was, fetched.Shown, domain.DayOf(now))
		row := b.rowOfBilled(sub)
		row.Version, row.LookedAtUs = version+1, now.UnixMicro()
		if err := put(tx, &row); err != nil {
			return err
		}
		byPerson := event.By.Way != domain.WayBilling
		asked := byPerson && (was == nil || was.Ending != sub.Ending || was.Status != sub.Status || was.PlanID != sub.PlanID)
		applied, err = b.follow(ctx, tx, account, now, event, asked)
		return err
	})
	return applied, err
}

// lockBilled locks the account of a subscription, and finds what is stored of it; was is nil,
// if nothing is.
func (b *Billing) lockBilled(
	ctx context.Context, tx *gorm.DB, sub domain.BilledSubscription,
) (account accountRow, was *domain.BilledSubscription, version int64, err error) {
	accountID := sub.AccountID
	var rows []billedSubscriptionRow
	if err := tx.Limit(1).Find(&rows, "id = ?", sub.ID).Error; err != nil {
		return account, nil, 0, err
	}
	if len(rows) > 0 {
		accountID = rows[0].AccountID
	}
	if account, err = lockAccount(tx, accountID); err != nil {
		return account, nil, 0, err
	}
	// Others may have stored it before the account was locked.
	rows = nil
	if err := tx.Limit(1).Find(&rows, "id = ?", sub.ID).Error; err != nil || len(rows) == 0 {
		return account, nil, 0, err
	}
	stored, err := b.billed(ctx, rows[0])
	return account, &stored, rows[0].Version, err
}

// follow changes a locked account as its subscriptions say. If a person has asked for what has
// changed of them, that is in the security log even if the account changes later.
func (b *Billing) follow(
	ctx context.Context, tx *gorm.DB, account accountRow, now time.Time, event domain.SecurityEvent, asked bool,
) (ports.BillingApplied, error) {
	all, err := b.list(ctx, tx, account.ID)
	if err != nil {
		return ports.BillingApplied{}, err
	}
	next := domain.BilledBy(all, now)
	applied := ports.BillingApplied{Account: account.account()}
	if next.ID != "" {
		var stored billedAccountRow
		if err := tx.Limit(1).Find(&stored, "account_id = ?", account.ID).Error; err != nil {
			return applied, err
		}
		applied.Account.FollowBilling(stored.billed(), next, now)
		stored = rowOfBilledAccount(account.ID, next)
		if err := put(tx, &stored); err != nil {
			return applied, err
		}
	}
	names := applied.Account.ChangesSince(account.account())
	if applied.Changed = len(names) > 0; applied.Changed {
		row := rowOfAccount(applied.Account)
		if err := tx.Save(&row).Error; err != nil {
			return applied, err
		}
	}
	if subscription := domain.FieldSubscription.String(); asked && !slices.Contains(names, subscription) {
		names = append(names, subscription)
	}
	if len(names) == 0 {
		return applied, nil
	}
	event.Detail = strings.Join(names, ", ")
	return applied, b.add(tx, account.ID, event)
}

func (b *Billing) Of(ctx context.Context, accountID string) (all []domain.BilledSubscription, err error) {
	err = b.store.read(ctx, "list billed subscriptions", func(db *gorm.DB) error {
		all, err = b.list(ctx, db, accountID)
		return err
	})
	return all, err
}

func (b *Billing) list(ctx context.Context, db *gorm.DB, accountID string) ([]domain.BilledSubscription, error) {
	var rows []billedSubscriptionRow
	err := db.Order("created_at_us DESC, id DESC").Find(&rows, "account_id = ?", accountID).Error
	return eachOr(rows, err, func(row billedSubscriptionRow) (domain.BilledSubscription, error) { return b.billed(ctx, row) })
}

// dueBilled lists the subscriptions that can still change and were not fetched for a day;
// for an hour, if the billed period is over; or for a quarter of an hour, if they are new and
// nothing was charged yet, or are to be charged for the first time by now. A cancelled one is
// fetched once more an hour after its end, after all others, because a charge of that moment is counted later, and one
// that follows once at its beginning. One that was fetched later than it can be now was fetched by a
// clock that was ahead.
const dueBilled = `
SELECT id FROM billed_subscriptions
WHERE status = 'cancelled' AND ended_at_us <= ? AND looked_at_us < ended_at_us + 3600000000
   OR status NOT IN ('cancelled', 'completed', 'expired')
  AND (looked_at_us < ? OR looked_at_us > ? OR status IN ('active', 'pending') AND period_end_day <= ? AND looked_at_us < ?
       OR status IN ('created', 'authenticated') AND (created_at_us > ? OR begins_at_us <= ?) AND looked_at_us < ?
       OR status = 'authenticated' AND begins_at_us <= ? AND looked_at_us < begins_at_us)
ORDER BY CASE WHEN status = 'cancelled' THEN 1 ELSE 0 END, looked_at_us, id LIMIT ?`

func (b *Billing) Due(ctx context.Context, now time.Time, limit int) (ids []string, err error) {
	ago := func(d time.Duration) int64 { return now.Add(-d).UnixMicro() }
	err = b.store.read(ctx, "list the billed subscriptions to look at", func(db *gorm.DB) error {
		ids = nil
		return db.Raw(dueBilled, ago(time.Hour), ago(24*time.Hour), ago(-time.Hour), domain.DayOf(now), ago(time.Hour), ago(48*time.Hour),
			ago(0), ago(15*time.Minute), ago(0), limit).Scan(&ids).Error
	})
	return ids, err
}

// beginStart lets a request begin if nobody has begun, the time of whoever has is over, or both
// close the account. Of requests that did not end, since_us is that of the first.
const beginStart = `
INSERT INTO billing_starts (account_id, id, closing, until_us, since_us) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (account_id) DO UPDATE SET id = excluded.id, closing = excluded.closing, until_us = excluded.until_us
WHERE billing_starts.until_us <= ? OR billing_starts.closing AND excluded.closing
RETURNING since_us`

func (b *Billing) Begin(ctx context.Context, s ports.BillingStart, now time.Time) (lostSince time.Time, err error) {
	err = b.store.transactOf(ctx, "begin a subscription", s.AccountID, func(tx *gorm.DB) error {
		var since int64
		begun, err := scanFirst(tx.Raw(beginStart, s.AccountID, s.ID, s.Closing, s.Until.UnixMicro(), now.UnixMicro(), now.UnixMicro()), &since)
		if err == nil && !begun {
			err = domain.ErrBillingStarting
		}
		if lostSince = (time.Time{}); since < now.UnixMicro() {
			lostSince = moment(since)
		}
		return err
	})
	return lostSince, err
}

func (b *Billing) End(ctx context.Context, s ports.BillingStart, lost bool) error {
	return b.store.write(ctx, "end the start of a subscription", func(db *gorm.DB) error {
		own := db.Model(&billingStartRow{}).Where("account_id = ? AND id = ?", s.AccountID, s.ID)
		if lost {
			return own.Update("until_us", 0).Error
		}
		return own.Delete(nil).Error
	})
}

type billingNoticeRow struct {
	ID        string `gorm:"primaryKey"`
	TakenAtUs int64
}

type billingStartRow struct {
	AccountID string `gorm:"primaryKey"`
	ID        string
	Closing   bool
	UntilUs   int64
}

type billedSubscriptionRow struct {
	ID             string `gorm:"primaryKey"`
	AccountID      string
	PlanID         string
	Plan           string
	Status         string
	CreatedAtUs    int64
	PeriodStartDay domain.Day
	PeriodEndDay   domain.Day
	EndedAtUs      *int64
	PaidUntilUs    *int64
	BeginsAtUs     *int64
	Charges        int
	Method         string
	Fixed          bool
	URL            []byte
	Ending         bool
	ChangedOnDay   domain.Day
	Version        int64
	LookedAtUs     int64
}

func (b *Billing) rowOfBilled(s domain.BilledSubscription) billedSubscriptionRow {
	return billedSubscriptionRow{ID: s.ID, AccountID: s.AccountID, PlanID: s.PlanID, Plan: string(s.Plan), Status: string(s.Status),
		CreatedAtUs: s.CreatedAt.UnixMicro(), PeriodStartDay: s.PeriodStart, PeriodEndDay: s.PeriodEnd, EndedAtUs: storedOrNone(s.EndedAt),
		PaidUntilUs: storedOrNone(s.PaidUntil), BeginsAtUs: storedOrNone(s.BeginsAt), Charges: s.Charges, Method: s.Method, Fixed: s.Fixed,
		URL: seal(b.sealer, []byte(s.URL), billedPlace(s.AccountID, s.ID)...), Ending: s.Ending, ChangedOnDay: s.ChangedOn}
}

// billed does without a URL that cannot be opened any more.
func (b *Billing) billed(ctx context.Context, r billedSubscriptionRow) (domain.BilledSubscription, error) {
	url, err := b.open(ctx, r.URL, billedPlace(r.AccountID, r.ID)...)
	return domain.BilledSubscription{ID: r.ID, AccountID: r.AccountID, PlanID: r.PlanID, Plan: domain.Plan(r.Plan),
		Status: domain.BilledStatus(r.Status), CreatedAt: moment(r.CreatedAtUs), PeriodStart: r.PeriodStartDay, PeriodEnd: r.PeriodEndDay,
		EndedAt: momentOrNone(r.EndedAtUs), PaidUntil: momentOrNone(r.PaidUntilUs), BeginsAt: momentOrNone(r.BeginsAtUs), Charges: r.Charges,
		Method: r.Method, Fixed: r.Fixed, URL: string(url), Ending: r.Ending, ChangedOn: r.ChangedOnDay}, err
}

type billedAccountRow struct {
	AccountID      string `gorm:"primaryKey"`
	SubscriptionID string
	Plan           string
	Subscription   string
	EndsAtUs       *int64
}

func rowOfBilledAccount(accountID string, b domain.Billed) billedAccountRow {
	return billedAccountRow{AccountID: accountID, SubscriptionID: b.ID, Plan: string(b.Plan), Subscription: string(b.Subscription),
		EndsAtUs: storedOrNone(b.EndsAt)}
}

func (r billedAccountRow) billed() domain.Billed {
	return domain.Billed{ID: r.SubscriptionID, Plan: domain.Plan(r.Plan), Subscription: domain.Subscription(r.Subscription),
		EndsAt: momentOrNone(r.EndsAtUs)}
}
