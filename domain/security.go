package domain

import "time"

// SecurityKind says what happened to an account's security.
type SecurityKind string

// The kinds of security events. An event's detail is of the kind that the comment names;
// it is never a secret or personal data.
const (
	SecuritySignInLink    SecurityKind = "sign_in_link_made"
	SecuritySignedIn      SecurityKind = "signed_in"             // link or the provider's host
	SecuritySignedOut     SecurityKind = "signed_out_everywhere" // how many sessions ended
	SecurityKeyIssued     SecurityKind = "key_issued"            // the key's prefix
	SecurityKeyRevoked    SecurityKind = "key_revoked"           // the key's prefix
	SecurityWebhookSet    SecurityKind = "webhook_set"           // the endpoint's host
	SecurityWebhookSecret SecurityKind = "webhook_rotated"
	SecurityWebhookGone   SecurityKind = "webhook_removed"
	SecurityBranding      SecurityKind = "branding_changed"
	SecurityMappingGone   SecurityKind = "mapping_removed"    // the courier's id, or the name
	SecurityMapping       SecurityKind = "mapping_saved"      // the name, also a new one
	SecurityConnection    SecurityKind = "connection_changed" // its brand
	SecurityFileIgnored   SecurityKind = "file_ignored"       // the brand of its connection
	SecurityFileTaken     SecurityKind = "file_taken_back"    // the same
	SecurityAccount       SecurityKind = "account_changed"    // the fields that changed
	SecurityPhoneCode     SecurityKind = "phone_code_sent"
	SecurityPhone         SecurityKind = "phone_verified"
	SecurityInvited       SecurityKind = "invitation_made" // the role, as in the next four
	SecurityUninvited     SecurityKind = "invitation_withdrawn"
	SecurityMemberAdded   SecurityKind = "member_added"
	SecurityMemberChanged SecurityKind = "member_changed"
	SecurityMemberGone    SecurityKind = "member_removed"
	SecuritySignedUp      SecurityKind = "signed_up" // the provider's host
	SecurityExported      SecurityKind = "account_exported"
)

// Way says by which way something was done for an account.
type Way string

// The ways.
const (
	ByDashboard   Way = "dashboard"
	ByCommandLine Way = "command_line"
	ByAPI         Way = "api"
	ByBilling     Way = "billing" // the billing provider said so
)

// SecurityEvent is one line of an account's security log. The zero SecurityEvent stands
// for none.
type SecurityEvent struct {
	ID        string // UUID
	AccountID string
	At        time.Time
	Kind      SecurityKind
	Detail    string
	By        Way
}

// SecurityLogLength is how many events of an account are listed.
const SecurityLogLength = 200

// SecurityRetention is how long security events are kept.
const SecurityRetention = 400 * 24 * time.Hour
