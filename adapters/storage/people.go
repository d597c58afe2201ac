package storage

import (
	"context"
	"errors"
	"time"

	"gorm.io/gorm"
	"gorm.io/gorm/clause"

	"milaan/adapters/storage/dialect"
	"milaan/domain"
	"milaan/ports"
)

// People stores members, invitations and sign-ups.
type People struct{ viewWithJobs }

// worksFor finds the accounts of a person, which one they used last, and whether they are
// proven. An instance of an earlier version does not store that of a member; their sessions say
// so too.
var worksFor = `
SELECT w.member_id, w.role, w.since_us, COALESCE(l.account_id = a.id, FALSE),
       w.proven OR COALESCE(l.account_id = a.id, FALSE)
           OR EXISTS (SELECT 1 FROM sessions s WHERE s.member_id = w.member_id AND NOT s.confined),
       ` + accountColumns + `
FROM (
    SELECT id AS account_id, NULL AS member_id, NULL AS role, 0 AS since_us, TRUE AS proven FROM accounts WHERE email = @email
    UNION ALL
    SELECT account_id, id, role, added_at_us, proven FROM members WHERE email = @email
) w
JOIN accounts a ON a.id = w.account_id
LEFT JOIN last_accounts l ON l.email = @email
ORDER BY CASE WHEN w.member_id IS NULL THEN 0 ELSE 1 END, w.since_us, w.member_id`

func (p *People) WorksFor(ctx context.Context, email string) ([]ports.Membership, error) {
	var found []ports.Membership
	err := p.store.read(ctx, "find the accounts of a person", func(db *gorm.DB) error {
		found = nil
		rows, err := db.Raw(worksFor, map[string]any{"email": email}).Rows()
		if err != nil {
			return err
		}
		defer func() { _ = rows.Close() }()
		for rows.Next() {
			var (
				account        accountRow
				memberID, role *string
				since          int64
				m              ports.Membership
			)
			if err := rows.Scan(account.appendFields([]any{&memberID, &role, &since, &m.Last, &m.Proven})...); err != nil {
				return err
			}
			m.Account, m.Role = account.account(), domain.Owner
			if memberID != nil && role != nil {
				m.MemberID, m.Role = *memberID, domain.MemberRole(*role)
			}
			found = append(found, m)
		}
		return rows.Err()
	})
	return found, err
}

func (p *People) List(ctx context.Context, accountID string, now time.Time) ([]domain.Member, []domain.Invitation, error) {
	var members []memberRow
	var invitations []invitationRow
	err := p.store.read(ctx, "list the people of an account", func(db *gorm.DB) error {
		if err := db.Order("added_at_us, id").Find(&members, "account_id = ?", accountID).Error; err != nil {
			return err
		}
		return db.Order("made_at_us, id").Find(&invitations, "account_id = ? AND until_us > ?", accountID, now.UnixMicro()).Error
	})
	open, err := eachOr(invitations, err, invitationRow.invitation)
	return each(members, memberRow.member), open, err
}

func (p *People) Invite(ctx context.Context, i domain.Invitation, event domain.SecurityEvent, mail domain.Mail) error {
	row := rowOfInvitation(i)
	stored := func(tx *gorm.DB, account accountRow, add dialect.AddJobs) error {
		if account.Email == i.Email {
			return domain.ErrOwnAddress
		}
		if err := tx.Exec("DELETE FROM invitations WHERE account_id = ? AND (email = ? OR until_us <= ?)", i.AccountID, i.Email, row.MadeAtUs).
			Error; err != nil {
			return err
		}
		if err := admitInvitation(tx, i); err != nil {
			return err
		}
		if err := tx.Create(&row).Error; err != nil {
			return err
		}
		if err := p.add(tx, i.AccountID, event); err != nil || mail.ID == "" {
			return err
		}
		stored := rowOfMail(mail)
		if err := tx.Create(&stored).Error; err != nil {
			return err
		}
		return add(ports.Job{Kind: ports.MailJob, AccountID: mail.AccountID, Mail: mail.ID})
	}
	return p.storeWithJobs(ctx, "invite a person", i.AccountID, &invitationRow{}, i.ID, stored)
}

// admitInvitation returns an error if the account may not make this invitation. The events of
// its security log say how many it has made: they stay when an invitation is withdrawn.
func admitInvitation(tx *gorm.DB, i domain.Invitation) error {
	var people, known int64
	if err := tx.Model(&memberRow{}).Where("account_id = ? AND email = ?", i.AccountID, i.Email).Count(&known).Error; err != nil {
		return err
	}
	if known > 0 {
		return domain.ErrMemberExists
	}
	counted := "SELECT (SELECT count(*) FROM members WHERE account_id = @account) + (SELECT count(*) FROM invitations WHERE " +
		"account_id = @account)"
	if err := tx.Raw(counted, map[string]any{"account": i.AccountID}).Scan(&people).Error; err != nil {
		return err
	}
	if people >= domain.MaxPeople {
		return domain.ErrPeople
	}
	var made []int64
	since := i.MadeAt.Add(-domain.InvitationSpan).UnixMicro()
	err := tx.Model(&securityEventRow{}).
		Where("account_id = ? AND at_us > ? AND kind = ?", i.AccountID, since, string(domain.SecurityInvited)).
		Order("at_us DESC").Limit(domain.MaxInvitations).Pluck("at_us", &made).Error
	if err != nil || len(made) < domain.MaxInvitations {
		return err
	}
	free := moment(made[len(made)-1]).Add(domain.InvitationSpan)
	return domain.ErrInvitations(free.Sub(i.MadeAt))
}

func (p *People) ChangeRole(ctx context.Context, accountID, id string, role domain.MemberRole, event domain.SecurityEvent) error {
	return unknownAs(domain.ErrNoMember, p.changeOf(ctx, "change the role of a person", accountID, noEvent, func(tx *gorm.DB) error {
		person, table, err := personOf(tx, accountID, id, event.At)
		if err != nil || person.Role == string(role) {
			return err
		}
		if err := tx.Exec("UPDATE "+table+" SET role = ? WHERE id = ?", string(role), id).Error; err != nil {
			return err
		}
		event.Whom = person.Email
		return p.add(tx, accountID, event)
	}))
}

func (p *People) Remove(ctx context.Context, accountID, id string, member, invitation domain.SecurityEvent) error {
	return unknownAs(domain.ErrNoMember, p.changeOf(ctx, "remove a person", accountID, noEvent, func(tx *gorm.DB) error {
		person, table, err := personOf(tx, accountID, id, invitation.At)
		if err != nil {
			return err
		}
		event := invitation
		if table == "members" {
			event, err = member, dropMember(tx, person)
		} else {
			err = tx.Exec("DELETE FROM invitations WHERE id = ?", id).Error
		}
		if err != nil {
			return err
		}
		event.Detail, event.Whom = person.Role, person.Email
		return p.add(tx, accountID, event)
	}))
}

// dropMember deletes a member with their sessions, and forgets that they have used the account
// last.
func dropMember(tx *gorm.DB, m memberRow) error {
	for _, query := range []string{
		"DELETE FROM sessions WHERE member_id = @id",
		"DELETE FROM last_accounts WHERE email = @email AND account_id = @account",
		"DELETE FROM members WHERE id = @id",
	} {
		if err := tx.Exec(query, map[string]any{"id": m.ID, "email": m.Email, "account": m.AccountID}).Error; err != nil {
			return err
		}
	}
	return nil
}

func (p *People) Find(ctx context.Context, hash domain.InvitationHash) (domain.Invitation, domain.Account, error) {
	var row invitationRow
	var account accountRow
	err := p.store.read(ctx, "find an invitation", func(db *gorm.DB) error {
		err := db.Take(&row, "hash = ?", hash[:]).Error
		if err == nil {
			err = db.Take(&account, "id = ?", row.AccountID).Error
		}
		return orMissing(err, domain.ErrInvitation)
	})
	if err != nil {
		return domain.Invitation{}, domain.Account{}, err
	}
	found, err := row.invitation()
	if err == nil && !domain.SameHash(found.Hash, hash) {
		err = domain.ErrInvitation
	}
	return found, account.account(), err
}

func (p *People) ByID(ctx context.Context, id string) (domain.Invitation, error) {
	row, err := find[invitationRow](ctx, p.store, "find an invitation", domain.ErrInvitation, "id = ?", id)
	if err != nil {
		return domain.Invitation{}, err
	}
	return row.invitation()
}

func (p *People) Accept(
	ctx context.Context, hash domain.InvitationHash, memberID string, session domain.Session, added, signedIn domain.SecurityEvent,
) error {
	row := rowOfSession(session)
	row.MemberID = &memberID
	return unknownAs(domain.ErrInvitation, p.changeOf(ctx, "accept an invitation", session.AccountID, signedIn, func(tx *gorm.DB) error {
		var invitation invitationRow
		err := tx.Take(&invitation, "hash = ? AND account_id = ? AND until_us > ?", hash[:], session.AccountID,
			session.CreatedAt.UnixMicro()).Error
		if err != nil {
			return orMissing(err, domain.ErrInvitation)
		}
		if err := changedOne(tx.Exec("DELETE FROM invitations WHERE id = ?", invitation.ID), domain.ErrInvitation); err != nil {
			return err
		}
		member := memberRow{ID: memberID, AccountID: session.AccountID, Email: invitation.Email, Role: invitation.Role,
			AddedAtUs: session.CreatedAt.UnixMicro(), Proven: !session.Confined}
		if err := tx.Create(&member).Error; err != nil {
			return err
		}
		if err := storeSession(tx, row, invitation.Email); err != nil {
			return err
		}
		added.Detail, added.Whom = invitation.Role, invitation.Email
		return p.add(tx, session.AccountID, added)
	}))
}

// signUpLock is the lock under which accounts that people make for themselves are counted,
// one transaction at a time.
const signUpLock = 7350126845093

func (a *Accounts) SignUp(
	ctx context.Context, account domain.Account, client string, perClient, all domain.Rate, event domain.SecurityEvent,
) error {
	row := rowOfAccount(account)
	made := signUpRow{ID: event.ID, Client: client, AtUs: row.CreatedAtUs}
	return a.store.transact(ctx, "sign a person up", func(tx *gorm.DB) error {
		if err := a.store.database.Serialize(tx, signUpLock); err != nil {
			return err
		}
		created := tx.Clauses(clause.OnConflict{Columns: []clause.Column{{Name: "email"}}, DoNothing: true}).Create(&row)
		if err := changedOne(created, domain.ErrAccountTaken); err != nil {
			return err
		}
		wait, err := signUpWait(tx, perClient, account.CreatedAt, "client = ?", client)
		if err != nil {
			return err
		}
		if wait > 0 {
			return domain.ErrRate(wait)
		}
		if wait, err = signUpWait(tx, all, account.CreatedAt, "TRUE"); err != nil {
			return err
		}
		if wait > 0 {
			return domain.ErrSignUps
		}
		if err := tx.Create(&made).Error; err != nil {
			return err
		}
		return a.add(tx, account.ID, event)
	})
}

// signUpWait returns how long it takes until a rate allows another account; 0: it does now. Accounts that only a clock that was ahead can
// have made do not count.
func signUpWait(tx *gorm.DB, r domain.Rate, now time.Time, condition string, args ...any) (time.Duration, error) {
	var made []int64
	err := tx.Model(&signUpRow{}).Where("at_us > ? AND at_us <= ?", now.Add(-r.Span).UnixMicro(), now.Add(domain.ClockSkew).UnixMicro()).
		Where(condition, args...).Order("at_us DESC").Offset(r.Limit-1).Limit(1).Pluck("at_us", &made).Error
	if err != nil || len(made) == 0 {
		return 0, err
	}
	return moment(made[0]).Add(r.Span).Sub(now), nil
}

// signUpRow is one account that somebody has made for themselves.
type signUpRow struct {
	ID     string `gorm:"primaryKey"`
	Client string
	AtUs   int64
}

// unknownAs returns another error for an account that there is not.
func unknownAs(unknown, err error) error {
	if errors.Is(err, domain.ErrNoAccount) {
		return unknown
	}
	return err
}

func memberOf(tx *gorm.DB, accountID, id string) (row memberRow, err error) {
	return row, tx.Take(&row, "id = ? AND account_id = ?", id, accountID).Error
}

// personOf finds a member, or the person of an invitation that is open at a time, and in which table.
func personOf(tx *gorm.DB, accountID, id string, at time.Time) (person memberRow, table string, err error) {
	if person, err = memberOf(tx, accountID, id); !errors.Is(err, gorm.ErrRecordNotFound) {
		return person, "members", err
	}
	var invited invitationRow
	err = tx.Take(&invited, "id = ? AND account_id = ? AND until_us > ?", id, accountID, at.UnixMicro()).Error
	return memberRow{ID: id, AccountID: accountID, Email: invited.Email, Role: invited.Role}, "invitations", orMissing(err, domain.ErrNoMember)
}

type memberRow struct {
	ID        string `gorm:"primaryKey"`
	AccountID string
	Email     string
	Role      string
	AddedAtUs int64
	Proven    bool
}

func (r memberRow) member() domain.Member {
	return domain.Member{ID: r.ID, Email: r.Email, Role: domain.MemberRole(r.Role), AddedAt: moment(r.AddedAtUs)}
}

type invitationRow struct {
	ID        string `gorm:"primaryKey"`
	AccountID string
	Email     string
	Role      string
	Hash      []byte
	MadeAtUs  int64
	UntilUs   int64
}

func rowOfInvitation(i domain.Invitation) invitationRow {
	return invitationRow{ID: i.ID, AccountID: i.AccountID, Email: i.Email, Role: string(i.Role), Hash: i.Hash[:],
		MadeAtUs: i.MadeAt.UnixMicro(), UntilUs: i.Until.UnixMicro()}
}

func (r invitationRow) invitation() (domain.Invitation, error) {
	i := domain.Invitation{ID: r.ID, AccountID: r.AccountID, Email: r.Email, Role: domain.MemberRole(r.Role), MadeAt: moment(r.MadeAtUs),
		Until: moment(r.UntilUs)}
	return i, copyHash(i.Hash[:], r.Hash, "invitation", r.ID)
}

type lastAccountRow struct {
	Email     string `gorm:"primaryKey"`
	AccountID string
}
