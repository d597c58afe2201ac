package httpapi

import (
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"milaan/adapters/httpapi/dashboard"
	"milaan/adapters/httpapi/pages"
	"milaan/domain"
	"milaan/tests/only"
)

// description is what the pages say of this API.
func description(t *testing.T) *openapi3.T {
	t.Helper()
	documents := pages.New(noCouriers{}, nil, nil)
	w := httptest.NewRecorder()
	documents.Description.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/openapi.json", nil))
	return only.Value(openapi3.NewLoader().LoadFromData(w.Body.Bytes()))(t)
}

// TestEveryFormatIsAnswered holds that each format of documents has a media type, and is in
// the description.
func TestEveryFormatIsAnswered(t *testing.T) {
	var formats []any
	for _, f := range domain.Formats() {
		require.NotEmpty(t, forms[f].media, f)
		require.NotEmpty(t, forms[f].extension, f)
		formats = append(formats, string(f))
	}
	var described []any
	for _, schema := range description(t).Components.Schemas {
		for _, part := range append(schema.Value.AllOf, schema) {
			if format := part.Value.Properties["format"]; format != nil && format.Value.Enum != nil {
				described = format.Value.Enum
			}
		}
	}
	require.Equal(t, formats, described)
}

// parameter is a parameter in the path of a route.
var parameter = regexp.MustCompile(`:(\w+)`)

// TestEveryRouteIsDescribed compares the router with the description, both
// ways. HEAD goes with GET. The routes below /app are for the pages alone, and not described.
func TestEveryRouteIsDescribed(t *testing.T) {
	server := only.Value(New((&service{}).params(nil)))(t)
	var routed []string
	for _, r := range server.publicRoutes(&pages.Pages{}).Routes() {
		if r.Method != http.MethodHead && !dashboard.Covers(r.Path) {
			p := parameter.ReplaceAllString(r.Path, "{$1}")
			routed = append(routed, r.Method+" "+p)
		}
	}
	var described []string
	for p, item := range description(t).Paths.Map() {
		for method := range item.Operations() {
			described = append(described, method+" "+p)
		}
	}
	require.ElementsMatch(t, routed, described)
}

// errFieldsSize is what Body answers to too many bytes.
var errFieldsSize = &domain.Error{Kind: domain.KindTooLarge, Code: domain.CodeBodyTooLarge, Detail: domain.DetailPage, Bytes: 64 << 10}

// TestDescribedErrorsAreThoseAnswered ties messages of the description to those
// of the code.
func TestDescribedErrorsAreThoseAnswered(t *testing.T) {
	doc := description(t)
	people := []*domain.Error{domain.ErrRole, domain.ErrWhichAccount, domain.ErrNotMember, domain.ErrSetup}
	for name, errs := range map[string][]*domain.Error{
		"TooLarge": {errTooLarge}, "BatchTooLarge": {errBatchSize}, "BatchTooMany": {domain.ErrRate(0), domain.ErrOpenBatches, domain.ErrKeptResults},
		"NoBatch": {domain.ErrNoBatch}, "NoSandbox": {domain.ErrNoSandbox}, "BatchGone": {domain.ErrBatchGone}, "PollTooMany": {domain.ErrRate(0)},
		"Unavailable": {domain.ErrBusy, domain.ErrDatabase, domain.ErrDiskFull, domain.ErrUnsettled, errKeyedUnsettled},
		"TooMany":     {domain.ErrRate(0), domain.ErrRunCap(10, domain.Cycle{End: domain.DayFromDate(2026, time.December, 5)}, time.Time{}), domain.ErrSandboxRuns(time.Date(2026, time.November, 21, 10, 0, 0, 0, domain.Kolkata))},
		"Busy":        {domain.ErrBusy, domain.ErrDatabase, domain.ErrDiskFull}, "IssueUnavailable": {domain.ErrBusy, domain.ErrDatabase, domain.ErrDiskFull}, "AccountUnavailable": {domain.ErrBusy, domain.ErrDatabase, domain.ErrDiskFull}, "PollUnavailable": {domain.ErrBusy, domain.ErrDatabase, domain.ErrDiskFull},
		"NotReady":         {domain.ErrBusy, domain.ErrDatabase, domain.ErrDiskFull, domain.ErrEngine, errDraining},
		"BatchUnavailable": {domain.ErrBusy, domain.ErrDatabase, domain.ErrDiskFull, domain.ErrBatchQuota, errBatchUnsettled, errKeyedUnsettled},
		"PhoneUnavailable": {domain.ErrPhoneUnsent, domain.ErrPhoneRefused, domain.ErrBusy, domain.ErrDatabase, domain.ErrDiskFull}, "PhoneCodesOff": {domain.ErrPhoneCodesOff},
		"PhoneTooMany": {domain.ErrRate(0)}, "ChangeTooMany": {domain.ErrRate(0)}, "FieldsTooLarge": {errFieldsSize},
		"PhoneBadRequest":     {domain.Faults{{Field: domain.FieldPhoneNumber, Rule: domain.RulePhone}}.Err().(*domain.Error)},
		"PhoneCodeBadRequest": {domain.Faults{{Field: domain.FieldPhoneCode, Rule: domain.RulePhoneCode, Max: 6}}.Err().(*domain.Error), domain.ErrPhoneGuess(4), domain.ErrPhoneCode},
		"KeyConflict":         {domain.ErrKeyReused, domain.ErrKeyRunning}, "NotJSON": {errMedia, errPacked, errMediaTwice}, "NotJSONOrPacked": {errMedia, errCoding, errMediaTwice}, "NotForm": {errForm, errPacked, errFormTwice},
		"RoleForbidden":  people,
		"PeopleConflict": {domain.ErrMemberExists, domain.ErrOwnAddress, domain.ErrPeople}, "NoPerson": {domain.ErrNoMember},
		"AccountTooMany":   {domain.ErrRate(0), domain.ErrInvitations(0)},
		"WebhookForbidden": append(slices.Clone(people), domain.ErrWebhookPlan), "NoWebhook": {domain.ErrNoWebhook, domain.ErrNoDelivery},
		"MappingForbidden": append(slices.Clone(people), domain.ErrMappingPlan), "NoMapping": {domain.ErrNoMapping, domain.ErrNoNamedMapping},
		"MappingConflict": {domain.ErrMappingTaken, domain.ErrManyMappings}, "NoRun": {domain.ErrNoRun},
		"BrandingForbidden": append(slices.Clone(people), domain.ErrBrandingPlan), "NoBranding": {domain.ErrNoBranding},
		"SettingsTooLarge":   {{Kind: domain.KindTooLarge, Code: domain.CodeBodyTooLarge, Detail: domain.DetailPage, Bytes: 512 << 10}},
		"AutopilotForbidden": append(slices.Clone(people), domain.ErrAutopilotPlan, domain.ErrPhone, domain.ErrSubscription),
		"NoConnection":       {domain.ErrNoConnection, domain.ErrNoKeptFile, domain.ErrNoSeenFile, domain.ErrNoIgnored},
		"ConnectionConflict": {domain.ErrBrandTaken, domain.ErrConnections, domain.ErrConnectionChanged}, "PassRunning": {domain.ErrPassRunning},
		"NoOpenItems": {domain.ErrNoConnection, domain.ErrNoItems, domain.ErrItemsUnread}, "OpenItemConflict": {domain.ErrItemChanged},
		"NothingToDispute": {domain.ErrNothingToDispute},
		"MarksTooLarge":    {{Kind: domain.KindTooLarge, Code: domain.CodeBodyTooLarge, Detail: domain.DetailPage, Bytes: mostMarkText}},
		"QueryLacks":       {{Kind: domain.KindInvalid, Code: domain.CodeQuery, Detail: domain.DetailLacking, Value: "name"}},
		"KeptFileConflict": {domain.ErrKeptFiles}, "IgnoredConflict": {domain.ErrIgnored}, "KeptFileTooLarge": {errUploadSize},
		"AutopilotUnavailable": {domain.ErrBusy, domain.ErrDatabase, domain.ErrDiskFull, domain.ErrTesting, domain.ErrTests, domain.ErrUnsettled},
	} {
		var described, answered []string
		for _, example := range doc.Components.Responses[name].Value.Content["application/json"].Examples {
			described = append(described, example.Value.Value.(map[string]any)["error"].(string))
		}
		for _, err := range errs {
			answered = append(answered, said(err))
		}
		require.ElementsMatch(t, answered, described, name)
	}
}

// TestDescribedFaultsOfFields ties messages to those of the code that are made up.
func TestDescribedFaultsOfFields(t *testing.T) {
	doc := description(t)
	for name, faults := range map[string]domain.Faults{
		"WebhookBadRequest https": {{Field: domain.FieldEndpoint, Rule: domain.RuleHTTPS}},
		"HistoryBadRequest from":  {{Field: domain.FieldFrom, Rule: domain.RuleDay}}, "HistoryBadRequest limit": {domain.OutOfBounds(domain.FieldLimit)}, "HistoryBadRequest after": {{Field: domain.FieldAfter, Rule: domain.RuleCursor}},
		"MappingBadRequest name": {{Field: domain.FieldMapping, Rule: domain.RuleMissing}}, "MappingBadRequest columns": {{Field: domain.FieldColumns, Rule: domain.RuleMissing}},
		"MappingBadRequest header":  {{Field: domain.FieldHeader, Rule: domain.RuleMissing}},
		"BrandingBadRequest name":   {{Field: domain.FieldBrandingName, Rule: domain.RuleLabel, Max: domain.MaxLabel}},
		"BooksBadRequest ledger":    {{Field: domain.FieldBookLedger, Rule: domain.RuleLabel, Max: domain.MaxLabel, Value: "freight"}},
		"BrandingBadRequest colour": {{Field: domain.FieldBrandingColour, Rule: domain.RuleColour}}, "BrandingBadRequest logo": {{Field: domain.FieldBrandingLogo, Rule: domain.RuleImage}},
		"ConnectionBadRequest source":  {{Field: domain.FieldSources, Rule: domain.RuleMissing}},
		"ConnectionBadRequest paused":  {{Field: domain.FieldPaused, Rule: domain.RuleMissing}},
		"ConnectionBadRequest setting": {{Field: domain.FieldSetting, Source: 1, Setting: "host", Rule: domain.RuleMissing}},
		"ConnectionBadRequest again":   {{Field: domain.FieldSetting, Setting: "access_token", Rule: domain.RuleAgain}},
		"ConfirmBadRequest brand":      {{Field: domain.FieldBrand, Rule: domain.RuleConfirm, Options: []string{"Asha Textiles"}}},
		"OpenItemsBadRequest limit":    {{Field: domain.FieldLimit, Rule: domain.RuleWhole, Min: 1, Max: mostItems}},
		"OpenItemsBadRequest after":    {{Field: domain.FieldAfter, Rule: domain.RuleWhole, Max: domain.MaxRows}},
		"KeepBadRequest keep":          {{Field: domain.FieldKeep, Rule: domain.RuleMissing}},
		"MarksBadRequest number":       {{Field: domain.FieldMarks, Rule: domain.RuleTooFew, Min: 1, Max: mostItems}},
		"MarksBadRequest state":        {{Field: domain.FieldMarks, Entry: 1, Rule: domain.RuleOneOf, Value: "lost", Options: domain.ItemStates()[1:]}},
		"MarksBadRequest unknown":      {{Field: domain.FieldMarks, Entry: 1, Rule: domain.RuleUnknownOrder, Value: "#1002"}},
		"KeptFileBadRequest file":      {{Field: domain.FieldFile, Rule: domain.RuleNoFile}},
	} {
		response, example, _ := strings.Cut(name, " ")
		shown := doc.Components.Responses[response].Value.Content["application/json"].Examples[example].Value.Value
		require.Equal(t, map[string]any{"error": catalogue.Message(faults.Err(), AccountNames{})}, shown, name)
	}
	_, faults := requestKey(http.Header{"Idempotency-Key": {""}})
	for _, name := range []string{"BadRequest", "FormBadRequest", "BatchBadRequest"} {
		shown := doc.Components.Responses[name].Value.Content["application/json"].Examples["key"].Value.Value
		require.Equal(t, map[string]any{"error": said(faults.Err())}, shown)
	}
	shown := doc.Components.Responses["BadRequest"].Value.Content["application/json"].Examples
	for name, fault := range map[string]domain.Fault{
		"both":    {Field: domain.FieldReports, Rule: domain.RuleEither},
		"include": {Field: domain.FieldInclude, Rule: domain.RuleOneOf, Value: "payout", Options: domain.Inclusions()},
	} {
		require.Equal(t, map[string]any{"error": said(domain.Faults{fault}.Err())}, shown[name].Value.Value)
	}
	none := domain.Faults{{Field: domain.FieldJobs, Rule: domain.RuleTooFew, Min: 1, Max: domain.MaxBatch}}
	require.Equal(t, map[string]any{"error": said(none.Err())}, doc.Components.Responses["BatchBadRequest"].Value.Content["application/json"].Examples["none"].Value.Value)
}
