package service

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/stretchr/testify/require"

	"milaan/domain"
	"milaan/ports"
)

// TestGuide holds what the description says of the files against the service.
func TestGuide(t *testing.T) {
	t.Parallel()
	s := Start(t, Options{})
	guide := s.description.doc.Tags.Get("The two files").Description

	t.Run("columns are found by the names of the guide, the better name first", func(t *testing.T) {
		quoted := regexp.MustCompile("`([^`]+)`")
		for _, role := range domain.Roles() {
			_, list, found := strings.Cut(guide, "\n- `"+role.String()+"`")
			require.True(t, found, role)
			list, _, _ = strings.Cut(list, "\n")
			var names []string
			for _, name := range quoted.FindAllStringSubmatch(list, -1) {
				names = append(names, name[1])
			}
			require.NotEmpty(t, names, role)
			for i, name := range names {
				require.Equal(t, name, s.column(t, role, name), role)
				if i > 0 && role != domain.RoleOrderID && role != domain.RoleCharges { // of two order ids the export decides, and all charges count
					require.Equal(t, names[i-1], s.column(t, role, name, names[i-1]), role)
				}
			}
		}
	})
	t.Run("the examples of requests are answered as the examples of answers", func(t *testing.T) {
		reconcile := s.description.doc.Paths.Value("/reconcile").Post
		answers := reconcile.Responses.Value("200").Value.Content
		c := s.Customer(t)
		for _, name := range []string{"run", "duplicate"} {
			a := c.Reconcile(t, example(t, reconcile.RequestBody.Value.Content, "delhivery"))
			require.Equal(t, 200, a.Status, string(a.Body))
			got := fields(t, a.Body)
			want := example(t, answers, name)
			if _, repeated := got["run_id"]; repeated {
				got["run_id"] = want["run_id"]
			}
			require.Equal(t, withoutFigures(want), withoutFigures(got), name)
		}
		several := c.Reconcile(t, example(t, reconcile.RequestBody.Value.Content, "several"))
		require.Equal(t, 200, several.Status, string(several.Body))
		require.Equal(t, withoutFigures(example(t, answers, "several")), withoutFigures(fields(t, several.Body)))
		for _, name := range []string{"custom", "ledger"} {
			a := c.Reconcile(t, example(t, reconcile.RequestBody.Value.Content, name))
			require.Equal(t, 200, a.Status, string(a.Body))
		}
	})
	t.Run("the reasons begin as the guide says", func(t *testing.T) {
		says := s.description.doc.Components.Schemas["OrderResult"].Value.Properties["flag_reason"].Value.Description
		for _, r := range s.Get(t, "/demo").Run(t).Results {
			phrase, _, _ := strings.Cut(r.FlagReason, ":")
			require.Contains(t, says, "`"+phrase+"`")
		}
	})
}

// column is the column that plays a role in a report with these columns and what
// else a report needs, by names that are in the signature of no courier.
func (s *Service) column(t *testing.T, role domain.Role, columns ...string) string {
	t.Helper()
	header := slices.Clone(columns)
	for other, name := range map[domain.Role]string{domain.RoleAWB: "Courier AWB", domain.RoleCODAmount: "Gross Amount", domain.RoleRemittanceDate: "Paid On"} {
		if role != other {
			header = append(header, name)
		}
	}
	_, mapping, err := s.Couriers.Recognise(ports.Content{Bytes: []byte(strings.Join(header, ",") + "\n")})
	require.NoError(t, err, header)
	return mapping[role]
}

func example(t *testing.T, content openapi3.Content, name string) Body {
	t.Helper()
	text, err := json.Marshal(content["application/json"].Examples[name].Value.Value)
	require.NoError(t, err)
	return decoded[Body](t, text)
}

// withoutFigures shortens each flag_reason to its first phrase: the rest may be
// worded anew at any time.
func withoutFigures(run map[string]any) map[string]any {
	for _, r := range run["results"].([]any) {
		fields := r.(map[string]any)
		fields["flag_reason"], _, _ = strings.Cut(fields["flag_reason"].(string), ":")
	}
	return run
}
