package domain

import "time"

// SecurityKind says what happened to an account's security.
type SecurityKind string

// The kinds of security events. An event's detail is of the kind that the comment names; it is
// never a secret or personal data. Whom it is about is in Whom.
const (
	SecuritySignInLink     SecurityKind = "sign_in_link_made"
	SecuritySessionToken   SecurityKind = "session_token_made"
	SecuritySignedIn       SecurityKind = "signed_in"             // link, invitation, switch or the provider's host
	SecuritySignedOut      SecurityKind = "signed_out_everywhere" // how many sessions ended
	SecuritySignInRefused  SecurityKind = "sign_in_refused"       // link or invitation
	SecurityRoleRefused    SecurityKind = "refused_by_role"       // method and route of the request
	SecurityKeyIssued      SecurityKind = "key_issued"            // the key's prefix
	SecurityKeyReplaced    SecurityKind = "key_replaced"          // the prefixes of the former key and the new one, with an arrow between them
	SecurityKeyRevoked     SecurityKind = "key_revoked"           // the key's prefix
	SecurityKeyRefused     SecurityKind = "revoked_key_used"      // the key's prefix
	SecurityWebhookSet     SecurityKind = "webhook_set"           // the endpoint's host, as in the next two
	SecurityWebhookSecret  SecurityKind = "webhook_rotated"
	SecurityWebhookGone    SecurityKind = "webhook_removed"
	SecurityBranding       SecurityKind = "branding_changed"
	SecurityMappingGone    SecurityKind = "mapping_removed" // the courier's id, or the name
	SecurityMapping        SecurityKind = "mapping_saved"   // the name, also a new one
	SecurityConnectionMade SecurityKind = "connection_made" // its brand, as in the next five
	SecurityConnection     SecurityKind = "connection_changed"
	SecurityCredentials    SecurityKind = "connection_secrets_changed"
	SecurityPaused         SecurityKind = "connection_paused"
	SecurityResumed        SecurityKind = "connection_resumed"
	SecurityConnectionGone SecurityKind = "connection_removed"
	SecurityFileIgnored    SecurityKind = "file_ignored" // the brand of its connection, as in the next one
	SecurityFileTaken      SecurityKind = "file_taken_back"
	SecurityItemsKept      SecurityKind = "items_kept" // the brand of its connection, as in the next one
	SecurityItemsDeleted   SecurityKind = "items_deleted"
	SecurityAccount        SecurityKind = "account_changed" // the fields that changed
	SecurityPhoneCode      SecurityKind = "phone_code_sent"
	SecurityPhone          SecurityKind = "phone_verified"
	SecurityInvited        SecurityKind = "invitation_made" // the role, as in the next four
	SecurityUninvited      SecurityKind = "invitation_withdrawn"
	SecurityMemberAdded    SecurityKind = "member_added"
	SecurityMemberChanged  SecurityKind = "member_changed"
	SecurityMemberGone     SecurityKind = "member_removed"
	SecuritySignedUp       SecurityKind = "signed_up" // the provider's host
	SecurityExported       SecurityKind = "account_exported"
)

// Way says by which way something was done for an account.
type Way string

// The ways.
const (
	WayDashboard   Way = "dashboard"
	WayCommandLine Way = "command_line"
	WayAPI         Way = "api"
	WayBilling     Way = "billing"    // the billing provider said so
	WayInvitation  Way = "invitation" // somebody with its link, who has not proved that its address is theirs
)

// Actor is who does something for an account. Name and Address are personal data: they are
// sealed where they are stored, and are in no log of the service.
type Actor struct {
	Way     Way
	Name    string // the person's e-mail address, or the invitation's, or the prefix of a key; blank: the way says it all
	Address string // the client's IP address; blank: it is no client
}

// The actors of whom nothing but their way is known.
var (
	ByDashboard   = Actor{Way: WayDashboard}
	ByCommandLine = Actor{Way: WayCommandLine}
	ByAPI         = Actor{Way: WayAPI}
	ByBilling     = Actor{Way: WayBilling}
)

// SecurityEvent is one line of an account's security log. The zero SecurityEvent stands
// for none.
type SecurityEvent struct {
	ID        string // UUID
	AccountID string
	At        time.Time
	Kind      SecurityKind
	Detail    string
	Whom      string // e-mail address of the person whom it is about; blank: nobody in particular
	By        Actor
}

// SecurityLogLength is how many events of an account are listed.
const SecurityLogLength = 200

// SecurityRetention is how long security events are kept.
const SecurityRetention = 400 * 24 * time.Hour

// RefusalRate is how many refusals of one kind are in an account's security log at most:
// everybody who has a revoked key can cause them.
var RefusalRate = Rate{Limit: 20, Span: 24 * time.Hour}
