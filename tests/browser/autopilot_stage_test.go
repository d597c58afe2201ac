package browser_test

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
)

// autopilotStage takes the place of the autopilot's use cases, so that a test can show what
// no files of its own would lead to. All connections are of any account.
type autopilotStage struct {
	ports.ChoosingMails

	mu          sync.Mutex
	connections []domain.Connection
	passes      []domain.Pass
	kept        []domain.KeptFile
	seen        []domain.SeenFile
	more        int // files besides
	ignored     []domain.IgnoredFile
	choice      domain.MailChoice
	noMails     bool
	refuses     map[string]error // of Save, Run, Keep and so on
	found       func(ports.ConnectionChange) *ports.ConnectionTest
	now         time.Time
}

// parts puts the stage into a service.
func (s *autopilotStage) parts() fx.Option {
	return fx.Decorate(
		func() ports.ManagingConnections { return s },
		func() ports.ChoosingMails { return s },
		func() ports.KeepingItems { return noItems{stage: s} },
	)
}

// noItems are the open items of connections that keep none.
type noItems struct {
	ports.KeepingItems

	stage *autopilotStage
}

func (n noItems) OpenItems(context.Context, domain.Account, string) (*ports.KeptItems, error) {
	return nil, cmp.Or(n.stage.do("open items", func() {}), error(domain.ErrNoItems))
}

func (noItems) ForgetItems(context.Context) error { return nil }

// do changes what the stage has, and refuses what a test has said.
func (s *autopilotStage) do(what string, act func()) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.refuses[what]; err != nil {
		return err
	}
	act()
	return nil
}

// refuse says what is refused from now on; nil: nothing.
func (s *autopilotStage) refuse(what string, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.refuses = map[string]error{what: err}
}

func (s *autopilotStage) change(act func(c *domain.Connection)) {
	_ = s.do("", func() { act(&s.connections[0]) })
}

func (s *autopilotStage) Save(_ context.Context, accountID, id string, _ domain.Actor, change ports.ConnectionChange) (saved domain.Connection, err error) {
	if change.Brand == "" {
		return saved, domain.Faults{{Field: domain.FieldBrand, Rule: domain.RuleMissing}}.Err()
	}
	err = s.do("save", func() {
		saved = domain.Connection{ID: id, AccountID: accountID, Brand: change.Brand, ConnectionTerms: change.ConnectionTerms,
			ConnectionStatus: domain.ConnectionStatus{State: domain.ConnectionActive, NextPassAt: s.now.Add(37 * time.Minute)}}
		saved.Shop = domain.Shop{Connector: change.Shop.Connector, Settings: withoutSecrets(change.Shop.Settings)}
		for i, s := range change.Sources {
			saved.Sources = append(saved.Sources, domain.ReportSource{ID: string(rune('a' + i)), Connector: s.Connector, Settings: withoutSecrets(s.Settings), Pattern: s.Pattern, Courier: s.Courier})
		}
		if id == "" {
			saved.ID = "01890000-0000-7000-8000-00000000000c"
			s.connections = append(s.connections, saved)
			return
		}
		s.connections[0] = saved
	})
	return saved, err
}

// withoutSecrets leaves of secret settings that they are stored.
func withoutSecrets(settings domain.Settings) domain.Settings {
	shown := domain.Settings{}
	for name, value := range settings {
		if slices.Contains([]string{"password", "client_secret", "private_key"}, name) {
			value = ""
		}
		shown[name] = value
	}
	return shown
}

func (s *autopilotStage) Test(_ context.Context, _, _ string, change ports.ConnectionChange) (*ports.ConnectionTest, error) {
	return s.found(change), s.do("test", func() {})
}

func (s *autopilotStage) Pause(_ context.Context, _, _ string, paused bool, _ domain.Actor) (c domain.Connection, err error) {
	err = s.do("pause", func() {
		s.connections[0].State, s.connections[0].Failure = domain.ConnectionActive, nil
		if paused {
			s.connections[0].State = domain.ConnectionPaused
		}
		c = s.connections[0]
	})
	return c, err
}

func (s *autopilotStage) Remove(context.Context, string, string, domain.Actor) error {
	return s.do("remove", func() { s.connections = nil })
}

func (s *autopilotStage) Run(context.Context, string, string) (p domain.Pass, err error) {
	err = s.do("run", func() {
		p = domain.Pass{ID: "asked", Asked: true, Slot: s.now, Due: s.now}
		s.passes = append([]domain.Pass{p}, s.passes...)
	})
	return p, err
}

func (s *autopilotStage) Choice(context.Context, string) (c domain.MailChoice, enabled bool, err error) {
	err = s.do("choice", func() { c = s.choice })
	return c, !s.noMails, err
}

func (s *autopilotStage) Choose(_ context.Context, _ string, c domain.MailChoice) error {
	return s.do("choose", func() { s.choice = c })
}

func (*autopilotStage) Connectors() (shops, sources []ports.ConnectorInfo) {
	return []ports.ConnectorInfo{
			{ID: "shopify", Name: "Shopify", Settings: []ports.SettingInfo{{Name: "shop", Required: true, Example: "asha.myshopify.com"}, {Name: "client_id"}, {Name: "client_secret", Secret: true}}},
			{ID: "woocommerce", Name: "WooCommerce", Settings: []ports.SettingInfo{{Name: "url", Required: true, Example: "https://shop.example"}}},
		}, []ports.ConnectorInfo{
			{ID: "imap", Name: "IMAP", Files: true, Settings: []ports.SettingInfo{{Name: "host", Required: true}, {Name: "user", Required: true}, {Name: "password", Secret: true}, {Name: "from"}, {Name: "sender_check", Options: []string{"required", "off"}, Default: "required"}, {Name: "authserv_id"}}},
			{ID: "sftp", Name: "SFTP", Files: true, Settings: []ports.SettingInfo{{Name: "host", Required: true}, {Name: "port", Default: "22"}, {Name: "user", Required: true}, {Name: "password", Secret: true}, {Name: "private_key", Secret: true, Lines: true}, {Name: "host_key", Example: "SHA256:…"}}},
			{ID: "upload", Name: "Upload", Files: true, Kept: true},
		}
}

func (s *autopilotStage) List(context.Context, string) (all []domain.Connection, err error) {
	err = s.do("list", func() { all = slices.Clone(s.connections) })
	return all, err
}

func (s *autopilotStage) Find(_ context.Context, _, id string) (c domain.Connection, err error) {
	err = s.do("find", func() {
		if at := slices.IndexFunc(s.connections, func(c domain.Connection) bool { return c.ID == id }); at >= 0 {
			c = s.connections[at]
		}
	})
	if err == nil && c.ID == "" {
		err = domain.ErrNoConnection
	}
	return c, err
}

func (s *autopilotStage) Passes(context.Context, string, string) (all []domain.Pass, err error) {
	err = s.do("passes", func() { all = slices.Clone(s.passes) })
	return all, err
}

func (s *autopilotStage) Keep(_ context.Context, f domain.KeptFile, content []byte) (domain.KeptFile, error) {
	err := s.do("keep", func() {
		f.ID, f.Bytes, f.At = f.Name, int64(len(content)), s.now
		s.kept = append(s.kept, f)
	})
	return f, err
}

func (s *autopilotStage) KeptFiles(context.Context, string, string) (all []domain.KeptFile, err error) {
	err = s.do("files", func() { all = slices.Clone(s.kept) })
	return all, err
}

func (s *autopilotStage) Seen(context.Context, string, string) (seen ports.SeenFiles, err error) {
	err = s.do("seen", func() {
		seen.Ignored, seen.More = slices.Clone(s.ignored), s.more
		for _, f := range s.seen {
			if slices.ContainsFunc(s.ignored, func(one domain.IgnoredFile) bool { return one.Name == f.Name }) {
				f.Rule = domain.ConnIgnored
			}
			seen.Files = append(seen.Files, f)
		}
	})
	return seen, err
}

func (s *autopilotStage) Ignore(_ context.Context, _, _, id string, _ domain.Actor) (ignored domain.IgnoredFile, err error) {
	err = s.do("ignore", func() {
		at := slices.IndexFunc(s.seen, func(f domain.SeenFile) bool { return f.ID() == id })
		ignored = domain.IgnoredFile{ID: s.seen[at].Name, SourceID: s.seen[at].SourceID, Name: s.seen[at].Name, At: s.now}
		s.ignored = append(s.ignored, ignored)
	})
	return ignored, err
}

func (s *autopilotStage) TakeBack(_ context.Context, _, _, id string, _ domain.Actor) error {
	return s.do("take back", func() {
		s.ignored = slices.DeleteFunc(s.ignored, func(f domain.IgnoredFile) bool { return f.ID == id })
	})
}

func (s *autopilotStage) RemoveKept(_ context.Context, _, _, id string) error {
	return s.do("forget", func() {
		s.kept = slices.DeleteFunc(s.kept, func(f domain.KeptFile) bool { return f.ID == id })
	})
}
