package sources

import (
	"cmp"
	"context"
	"errors"
	"net"
	"slices"
	"strings"
	"time"

	"github.com/sethvargo/go-retry"
	"go.uber.org/fx"

	"milaan/domain"
	"milaan/ports"
	"milaan/ports/peers"
)

// connectors returns every kind of report source, those included that the operator does not
// allow.
func connectors(p Params) []connector {
	return []connector{
		sftpConnector(), mailboxConnector(), bucketConnector(), folderConnector(p.Settings.Folder), ithinkConnector(p.Clock),
		keptConnector(p.Kept),
	}
}

type connector struct {
	ports.ConnectorInfo                               // in a Registry, with the settings that exist there
	off                 bool                          // the operator does not allow it
	checks              map[string]ports.SettingCheck // of settings, by name; without one, any text will do
	// checkTogether returns what is wrong with several settings together; nil: nothing can be.
	// Only settings that are right one by one are checked.
	checkTogether func(domain.Settings) domain.Faults
	// former returns of settings that an earlier version has saved, and that this one does not
	// take any more, those that are still checked, and the name of the first that must be
	// entered anew; blank: they are of this version. nil: they all are.
	former func(domain.Settings) (checked domain.Settings, setting string)
	// host returns the name of the host that the connector dials, and its port; nil: none.
	host func(domain.Settings) (host, port string)
	// hostSetting is the name of the setting with the host.
	hostSetting string
	// limits changes the limits of all connectors for this one; nil: they stay.
	limits func(Limits) Limits
	// open connects and signs in. What it opened before an error, it has closed.
	open func(ctx context.Context, network *network, access ports.SourceAccess) (place, error)
}

// place is an opened report source, as a connector makes it. The context of its methods ends
// with the time that they may take. Errors may be of any type: failure explains them.
type place interface {
	// list returns all files that q asks for, in any order.
	list(ctx context.Context, q query) ([]ports.SourceFile, error)
	// read reads a file that has at most limit bytes by its list. It reads one byte more at
	// most.
	read(ctx context.Context, file ports.SourceFile, limit int64) ([]byte, error)
	close() error
}

// Settings are the service's settings of report sources.
type Settings struct {
	// Folder has the folders of accounts, by their ids, for the connector "folder"; blank:
	// there is no such connector.
	Folder string
	// AllowLoopback also allows servers on this machine, for development.
	AllowLoopback bool
	Limits        Limits
}

// Params are what New needs.
type Params struct {
	fx.In

	Settings Settings
	Guards   peers.Guards
	Kept     ports.KeptFiles
	Clock    ports.Clock
}

// Registry opens report sources of every kind. It is safe for concurrent use.
type Registry struct {
	guard, machine peers.Guard
	limits         Limits
	connectors     []connector // sorted by id
}

// New makes a Registry.
func New(p Params) *Registry {
	r := &Registry{
		guard: p.Guards.For(p.Settings.AllowLoopback), machine: p.Guards.ThisMachine(),
		limits: p.Settings.Limits.withDefaults(), connectors: connectors(p),
	}
	for i := range r.connectors {
		c := &r.connectors[i]
		c.ConnectorInfo = c.Allowed(p.Settings.AllowLoopback)
	}
	slices.SortStableFunc(r.connectors, func(a, b connector) int { return strings.Compare(string(a.ID), string(b.ID)) })
	return r
}

// find returns nil if there is no such connector.
func (r *Registry) find(id domain.Connector) *connector {
	i := slices.IndexFunc(r.connectors, func(c connector) bool { return c.ID == id })
	if i < 0 {
		return nil
	}
	return &r.connectors[i]
}

func (r *Registry) Catalogue() (all []ports.ConnectorInfo) {
	for _, c := range r.connectors {
		if !c.off {
			all = append(all, c.ConnectorInfo)
		}
	}
	return all
}

func (r *Registry) Check(ctx context.Context, source domain.ReportSource) (faults domain.Faults) {
	faults.Add(!soundPattern(source.Pattern), domain.Fault{Field: domain.FieldPattern, Rule: domain.RulePattern})
	unknown := ports.CheckConnector(r.Catalogue(), source.Connector)
	faults = append(faults, unknown...)
	if len(unknown) == 0 {
		hosts := func(host string) domain.Fault { return r.guard.Check(ctx, host) }
		faults = append(faults, r.find(source.Connector).checkSettings(source.Settings, hosts)...)
	}
	return faults.Sorted()
}

func (r *Registry) Host(source domain.ReportSource) string {
	c := r.find(source.Connector)
	if c == nil || c.host == nil {
		return ""
	}
	host, port := c.host(c.Complete(source.Settings))
	return net.JoinHostPort(strings.ToLower(host), port)
}

func (r *Registry) Former(source domain.ReportSource) bool {
	c := r.find(source.Connector)
	return c != nil && c.formerSetting(source.Settings) != ""
}

// formerSetting returns the name of the first setting that must be entered anew, because an
// earlier version has saved it; blank: none.
func (c *connector) formerSetting(given domain.Settings) string {
	if c.former == nil {
		return ""
	}
	_, setting := c.former(c.Complete(given))
	return setting
}

// Open tries again if there is no connection.
func (r *Registry) Open(ctx context.Context, access ports.SourceAccess) (ports.OpenSource, error) {
	source := access.Source
	c := r.find(source.Connector)
	if c == nil || c.off {
		return nil, &domain.ConnectorError{Rule: domain.ConnNotAllowed, Connector: source.Connector}
	}
	settings, former := source.Settings, c.formerSetting(source.Settings)
	switch {
	case access.Former && former != "":
		settings, _ = c.former(c.Complete(settings))
	case access.Former:
		access.Former = false
	case former != "" && !access.Testing && len(c.Check(settings, nil, nil)) == 0:
		return nil, &domain.ConnectorError{Rule: domain.ConnFormer, Connector: c.ID, Setting: former}
	}
	// They were checked when they were saved, perhaps by a program with other rules.
	faults := c.checkSettings(settings, r.guard.CheckText)
	faults = slices.DeleteFunc(faults, func(f domain.Fault) bool { return access.Testing && f.Rule == domain.RuleTested })
	if len(faults) > 0 {
		return nil, &domain.ConnectorError{Rule: domain.ConnRefused, Connector: c.ID, Setting: faults[0].Setting}
	}
	access.Source.Settings = c.Complete(source.Settings)
	backoff := retry.WithMaxRetries(openRetries, retry.NewExponential(r.limits.Pause))
	opened, err := retry.DoValue(ctx, backoff, func(ctx context.Context) (*opened, error) {
		opened, err := r.open(ctx, c, access)
		if e, ok := errors.AsType[*domain.ConnectorError](err); ok && e.Rule == domain.ConnUnreachable {
			err = retry.RetryableError(err)
		}
		return opened, err
	})
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// openRetries is how often Open tries again.
const openRetries = 2

func (r *Registry) open(ctx context.Context, c *connector, access ports.SourceAccess) (*opened, error) {
	limits := r.limits
	if c.limits != nil {
		limits = c.limits(limits)
	}
	network := newNetwork(ctx, r.guard, r.machine, limits)
	o := &opened{connector: c, network: network, limits: limits, matches: matching(access.Source.Pattern)}
	err := o.during(ctx, work{limits.Open, limits.OpenBytes}, func(ctx context.Context) (err error) {
		o.place, err = c.open(ctx, network, access)
		return err
	})
	if err != nil {
		network.close()
		return nil, err
	}
	return o, nil
}

type opened struct {
	connector *connector
	place     place
	network   *network
	limits    Limits
	matches   func(name string) bool
	left      []domain.LeftOutMail
}

// during does one piece of work within its limits, and explains its error.
func (o *opened) during(ctx context.Context, w work, do func(context.Context) error) error {
	inner, done := o.network.begin(ctx, w)
	defer done()
	err := ctx.Err()
	if err == nil {
		err = do(inner)
	}
	if err == nil {
		// What ended with the limits of the network is no result, even if the connector thinks so.
		err = o.network.broken()
	}
	if err == nil {
		return nil
	}
	return o.failure(ctx, err)
}

func (o *opened) List(ctx context.Context, since time.Time) (files []ports.SourceFile, err error) {
	o.left = nil
	q := query{since: since, matches: o.matches, most: o.limits.Names, leave: func(mail domain.LeftOutMail) { o.left = append(o.left, mail) }}
	err = o.during(ctx, work{o.limits.List, o.limits.ListBytes}, func(ctx context.Context) error {
		files, err = o.place.list(ctx, q)
		return err
	})
	if err != nil {
		return nil, err
	}
	if len(files) > q.most {
		return nil, o.failure(ctx, q.tooMany())
	}
	for i := range files {
		f := &files[i]
		f.Most = cmp.Or(f.Most, f.Bytes)
		if isArchive(f.Name) && f.Most > 0 {
			f.Most = inflatedBytes(f.Most)
		}
	}
	slices.SortStableFunc(files, func(a, b ports.SourceFile) int { return strings.Compare(a.Name, b.Name) })
	// A server may list a name twice while a file is renamed.
	return slices.CompactFunc(files, func(a, b ports.SourceFile) bool { return a.Name == b.Name }), nil
}

func (o *opened) Folders() []string {
	if has, ok := o.place.(interface{ folders() []string }); ok {
		return has.folders()
	}
	return nil
}

func (o *opened) LeftOut() []domain.LeftOutMail {
	slices.SortStableFunc(o.left, func(a, b domain.LeftOutMail) int { return b.At.Compare(a.At) })
	return o.left[:min(len(o.left), domain.MaxLeftOut)]
}

func (o *opened) Read(ctx context.Context, file ports.SourceFile, limit int64) (content []byte, err error) {
	tooLong := &domain.ConnectorError{Rule: domain.ConnManyBytes, File: domain.Shortened(file.Name), Limit: limit}
	if file.Bytes > limit {
		return nil, o.failure(ctx, tooLong)
	}
	sent := limit + limit/2 + 1<<20 // a mail is a third longer than its attachments, and every protocol adds its own bytes
	err = o.during(ctx, work{o.limits.Read, sent}, func(ctx context.Context) error {
		content, err = o.place.read(ctx, file, limit)
		if err == nil && int64(len(content)) <= limit && isArchive(file.Name) {
			content, err = unpack(file.Name, content, limit)
		}
		if err == nil && int64(len(content)) <= limit {
			if other := otherFile(file.Name, content[:min(len(content), mostProse)], int64(len(content))); other != "" {
				return &domain.ConnectorError{Rule: other}
			}
		}
		return err
	})
	if err != nil {
		if e, ok := errors.AsType[*domain.ConnectorError](err); ok && e.File == "" {
			e.File = domain.Shortened(file.Name)
			if e.Rule == domain.ConnManyBytes {
				e.Limit = limit
			}
		}
		return nil, err
	}
	if int64(len(content)) > limit {
		return nil, o.failure(ctx, tooLong)
	}
	return content, nil
}

func (o *opened) Close() error {
	o.network.close()
	if err := o.place.close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return o.failure(context.Background(), err)
	}
	return nil
}
