package books_test

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"milaan/adapters/documents/books"
	"milaan/domain"
	"milaan/ports"
	"milaan/tests/only"
)

// element is an element of a document: its children in their order, or its text.
type element struct {
	XMLName  xml.Name
	Attrs    []xml.Attr `xml:",any,attr"`
	Children []element  `xml:",any"`
	Text     string     `xml:",chardata"`
}

func (e *element) attr(name string) string {
	for _, a := range e.Attrs {
		if a.Name.Local == name {
			return a.Value
		}
	}
	return ""
}

func (e *element) all(name string) (found []*element) {
	for i := range e.Children {
		if e.Children[i].XMLName.Local == name {
			found = append(found, &e.Children[i])
		}
	}
	return found
}

func (e *element) text(name string) string {
	if all := e.all(name); len(all) == 1 {
		return all[0].Text
	}
	return ""
}

// part describes an element of an import of vouchers: what text it has, or its children.
type part struct {
	text     string   // a pattern; blank: it has children
	attrs    []string // name=pattern of attributes that it may have
	must     []string // children that it must have, once
	may      []string // children that it may have, once
	repeated []string // children that it may have several times
	least    int      // how many of the repeated ones it must have
}

const (
	yesOrNo  = `Yes|No|YES|NO`
	name     = `(?s).*\S.*`
	kinds    = `Receipt|Payment|Contra|Journal`
	rupees   = `-?\d+(\.\d{1,2})?`
	day      = `\d{8}`
	anything = `(?s).*`
)

// form describes what Tally's developer reference says of imports of vouchers (Understanding Integration: Transactions, and Case
// Study I: XML Request and Response Formats), in both of its envelopes, as far as entries of ledgers need it.
var form = map[string]part{
	"ENVELOPE": {must: []string{"HEADER", "BODY"}},
	"HEADER":   {must: []string{"TALLYREQUEST"}, may: []string{"VERSION", "TYPE", "ID"}},
	"VERSION":  {text: `1`}, "TALLYREQUEST": {text: `Import|Import Data`}, "TYPE": {text: `Data`}, "ID": {text: `Vouchers`},
	"BODY":       {may: []string{"IMPORTDATA", "DESC", "DATA"}},
	"IMPORTDATA": {must: []string{"REQUESTDESC", "REQUESTDATA"}}, "REQUESTDESC": {must: []string{"REPORTNAME"}, may: []string{"STATICVARIABLES"}},
	"REPORTNAME": {text: `Vouchers|All Masters`}, "DESC": {may: []string{"STATICVARIABLES"}},
	"STATICVARIABLES": {may: []string{"SVCURRENTCOMPANY", "IMPORTDUPS"}}, "SVCURRENTCOMPANY": {text: name}, "IMPORTDUPS": {text: `@@DUP\w+`},
	"REQUESTDATA": {repeated: []string{"TALLYMESSAGE"}}, "DATA": {repeated: []string{"TALLYMESSAGE"}},
	"TALLYMESSAGE": {repeated: []string{"VOUCHER"}, attrs: []string{`UDF=TallyUDF`}, least: 1},
	"VOUCHER": {
		attrs: []string{`REMOTEID=\S+`, `VCHTYPE=` + kinds, `VCHKEY=\S+`, `ACTION=Create`, `OBJVIEW=Accounting Voucher View`},
		must:  []string{"DATE", "VOUCHERTYPENAME"},
		may: []string{"EFFECTIVEDATE", "GUID", "VOUCHERNUMBER", "REFERENCE", "NARRATION", "PARTYLEDGERNAME", "PERSISTEDVIEW", "ISINVOICE",
			"ISOPTIONAL"},
		repeated: []string{"ALLLEDGERENTRIES.LIST"}, least: 2,
	},
	"DATE": {text: day}, "EFFECTIVEDATE": {text: day}, "GUID": {text: `\S+`}, "VOUCHERTYPENAME": {text: kinds}, "VOUCHERNUMBER": {text: anything},
	"REFERENCE": {text: name}, "NARRATION": {text: anything}, "PARTYLEDGERNAME": {text: name}, "PERSISTEDVIEW": {text: `Accounting Voucher View`},
	"ISINVOICE": {text: `No`}, "ISOPTIONAL": {text: `No`},
	"ALLLEDGERENTRIES.LIST": {
		must: []string{"LEDGERNAME", "ISDEEMEDPOSITIVE", "AMOUNT"},
		may:  []string{"REMOVEZEROENTRIES", "LEDGERFROMITEM", "ISPARTYLEDGER"}, repeated: []string{"BILLALLOCATIONS.LIST"},
	},
	"LEDGERNAME": {text: name}, "ISDEEMEDPOSITIVE": {text: yesOrNo}, "AMOUNT": {text: rupees}, "REMOVEZEROENTRIES": {text: yesOrNo},
	"LEDGERFROMITEM": {text: yesOrNo}, "ISPARTYLEDGER": {text: yesOrNo},
	"BILLALLOCATIONS.LIST": {must: []string{"NAME", "BILLTYPE", "AMOUNT"}},
	"NAME":                 {text: name}, "BILLTYPE": {text: `New Ref|Agst Ref|Advance|On Account`},
}

// check compares an element with the form.
func check(e *element) error {
	of, known := form[e.XMLName.Local]
	if !known {
		return fmt.Errorf("%s is not known", e.XMLName.Local)
	}
	matches := func(pattern, text string) bool { return regexp.MustCompile(`^(?:` + pattern + `)$`).MatchString(text) }
	for _, a := range e.Attrs {
		if !slices.ContainsFunc(of.attrs, func(attr string) bool {
			name, pattern, _ := strings.Cut(attr, "=")
			return name == a.Name.Local && matches(pattern, a.Value)
		}) {
			return fmt.Errorf("%s has %s=%q", e.XMLName.Local, a.Name.Local, a.Value)
		}
	}
	if of.text != "" {
		if len(e.Children) > 0 || !matches(of.text, e.Text) {
			return fmt.Errorf("%s is %q", e.XMLName.Local, e.Text)
		}
		return nil
	}
	if strings.TrimSpace(e.Text) != "" {
		return fmt.Errorf("%s has the text %q", e.XMLName.Local, e.Text)
	}
	count, repeated := map[string]int{}, 0
	for i := range e.Children {
		child := e.Children[i].XMLName.Local
		count[child]++
		switch {
		case slices.Contains(of.repeated, child):
			repeated++
		case !slices.Contains(slices.Concat(of.must, of.may), child):
			return fmt.Errorf("%s has %s", e.XMLName.Local, child)
		case count[child] > 1:
			return fmt.Errorf("%s has %s twice", e.XMLName.Local, child)
		}
		if err := check(&e.Children[i]); err != nil {
			return err
		}
	}
	for _, child := range of.must {
		if count[child] == 0 {
			return fmt.Errorf("%s has no %s", e.XMLName.Local, child)
		}
	}
	if repeated < of.least {
		return fmt.Errorf("%s has only %d parts", e.XMLName.Local, repeated)
	}
	return nil
}

// paiseOf reads an amount that check has accepted.
func paiseOf(text string) domain.Paise {
	p, reading := domain.ReadPaise([]byte(text))
	if reading != domain.Given {
		panic(text)
	}
	return p
}

// checkVoucher checks what holds between the parts of a voucher.
func checkVoucher(v *element) error {
	if v.text("VOUCHERTYPENAME") != v.attr("VCHTYPE") {
		return errors.New("the type is another one")
	}
	if _, err := time.Parse("20060102", v.text("DATE")); err != nil {
		return err
	}
	if id := v.text("GUID"); id != "" && v.attr("REMOTEID") != id {
		return errors.New("the ids differ")
	}
	var sum domain.Paise
	for _, l := range v.all("ALLLEDGERENTRIES.LIST") {
		amount := paiseOf(l.text("AMOUNT"))
		if sum += amount; strings.EqualFold(l.text("ISDEEMEDPOSITIVE"), "Yes") != (amount < 0) {
			return fmt.Errorf("%s is on the other side", l.text("LEDGERNAME"))
		}
		var bills domain.Paise
		for _, b := range l.all("BILLALLOCATIONS.LIST") {
			bills += paiseOf(b.text("AMOUNT"))
		}
		if len(l.all("BILLALLOCATIONS.LIST")) > 0 && bills != amount {
			return fmt.Errorf("the bills of %s sum to %s", l.text("LEDGERNAME"), bills.Exact())
		}
	}
	if sum != 0 {
		return fmt.Errorf("the voucher sums to %s", sum.Exact())
	}
	return nil
}

// readTally reads a document as Tally would, and returns its vouchers.
func readTally(document string) ([]*element, error) {
	var root element
	decoder := xml.NewDecoder(strings.NewReader(document))
	if err := decoder.Decode(&root); err != nil {
		return nil, err
	}
	if root.XMLName.Local != "ENVELOPE" {
		return nil, fmt.Errorf("the document is a %s", root.XMLName.Local)
	}
	if err := check(&root); err != nil {
		return nil, err
	}
	var vouchers []*element
	var walk func(*element)
	walk = func(e *element) {
		if e.XMLName.Local == "VOUCHER" {
			vouchers = append(vouchers, e)
		}
		for i := range e.Children {
			walk(&e.Children[i])
		}
	}
	walk(&root)
	for _, v := range vouchers {
		if err := checkVoucher(v); err != nil {
			return nil, err
		}
	}
	return vouchers, nil
}

// write writes the only file of a document, which must warn of what the vouchers leave out.
func write(t require.TestingT, r ports.Reporter, run *ports.FinishedRun) string {
	var file *strings.Builder
	warnings := only.Value(r.Write(func(string) (io.Writer, error) {
		require.Nil(t, file)
		file = new(strings.Builder)
		return file, nil
	}, run, domain.Branding{}))(t)
	_, want := books.Of(run, couriers)
	require.Equal(t, want, warnings)
	return file.String()
}

func TestTallyReadsTheVouchers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := draw(t)
		run := runOf(t, d.reports, d.statement)
		run.Books.ByOrder = rapid.Bool().Draw(t, "bills")
		vouchers := vouchersOf(run)
		read := only.Value(readTally(write(t, books.Tally{Couriers: couriers}, run)))(t)
		require.Len(t, read, len(vouchers))
		for i, v := range vouchers {
			require.Equal(t, []string{v.ID, v.Kind.String(), v.On.String(), v.Narration}, []string{read[i].attr("REMOTEID"), read[i].attr("VCHTYPE"),
				read[i].text("DATE")[:4] + "-" + read[i].text("DATE")[4:6] + "-" + read[i].text("DATE")[6:], read[i].text("NARRATION")})
			for k, l := range read[i].all("ALLLEDGERENTRIES.LIST") {
				require.Equal(t, v.Lines[k].Ledger, l.text("LEDGERNAME"))
				require.Equal(t, -v.Lines[k].Amount, paiseOf(l.text("AMOUNT")))
				require.Len(t, l.all("BILLALLOCATIONS.LIST"), len(v.Lines[k].Bills))
			}
			if v.Kind == books.Contra { // Tally takes no other ledgers there
				for _, l := range v.Lines {
					require.Contains(t, []string{domain.DefaultBooks().Bank, domain.DefaultBooks().NotCredited}, l.Ledger)
				}
			}
		}
	})
}

func TestHostileTextsForTally(t *testing.T) {
	const hostile = "]]><VOUCHER>&amp;\"'\x00\x01\n\u2028\ufffe"
	run := runOf(t, map[string][]line{"delhivery": {{order: "#1" + hostile + strings.Repeat("long", 10_000), utr: "UTR1" + hostile, collected: 1, paid: 1, on: march(9)}}}, nil)
	run.Books = domain.Books{NotCredited: "A & B <" + hostile, ByOrder: true}
	document := write(t, books.Tally{Couriers: couriers}, run)
	require.Less(t, len(document), 3000)
	read := only.Value(readTally(document))(t)
	require.Len(t, read, 1)
	require.Equal(t, "UTR1]]><VOUCHER>&amp;\"'", read[0].text("REFERENCE"))
	lines := read[0].all("ALLLEDGERENTRIES.LIST")
	require.Equal(t, "A & B <]]><VOUCHER>&amp;\"' \ufffd", lines[0].text("LEDGERNAME"))
	require.Equal(t, "0.01", lines[1].text("AMOUNT"))
}

// TestTheFormIsTallys holds that the form takes imports as others write them for Tally, and refuses what Tally would.
func TestTheFormIsTallys(t *testing.T) {
	voucher := func(attrs, parts string) string {
		return `<TALLYMESSAGE xmlns:UDF="TallyUDF"><VOUCHER ` + attrs + `><DATE>20260420</DATE>` + parts + `</VOUCHER></TALLYMESSAGE>`
	}
	entry := func(ledger, side, amount, more string) string {
		return `<ALLLEDGERENTRIES.LIST><LEDGERNAME>` + ledger + `</LEDGERNAME><ISDEEMEDPOSITIVE>` + side + `</ISDEEMEDPOSITIVE>` +
			`<AMOUNT>` + amount + `</AMOUNT>` + more + `</ALLLEDGERENTRIES.LIST>`
	}
	older := func(report, variables, messages string) string {
		return `<ENVELOPE><HEADER><TALLYREQUEST>Import Data</TALLYREQUEST></HEADER><BODY><IMPORTDATA><REQUESTDESC><REPORTNAME>` + report + `</REPORTNAME>` +
			variables + `</REQUESTDESC><REQUESTDATA>` + messages + `</REQUESTDATA></IMPORTDATA></BODY></ENVELOPE>`
	}
	newer := func(messages string) string {
		return `<ENVELOPE><HEADER><VERSION>1</VERSION><TALLYREQUEST>Import</TALLYREQUEST><TYPE>Data</TYPE><ID>Vouchers</ID></HEADER><BODY><DESC><STATICVARIABLES>` +
			`<IMPORTDUPS>@@DUPCOMBINE</IMPORTDUPS></STATICVARIABLES></DESC><DATA>` + messages + `</DATA></BODY></ENVELOPE>`
	}
	receipt := voucher(`VCHTYPE="Receipt" ACTION="Create" OBJVIEW="Accounting Voucher View"`, `<VOUCHERTYPENAME>Receipt</VOUCHERTYPENAME><REFERENCE>R-7</REFERENCE>`+
		`<NARRATION>by UPI</NARRATION><PARTYLEDGERNAME>Ravi &amp; Sons</PARTYLEDGERNAME>`+
		entry("Ravi &amp; Sons", "No", "600", `<BILLALLOCATIONS.LIST><NAME>B-1</NAME><BILLTYPE>Agst Ref</BILLTYPE><AMOUNT>600</AMOUNT></BILLALLOCATIONS.LIST>`)+
		entry("Bank", "Yes", "-600", ""))
	payment := voucher(`VCHTYPE="Payment" REMOTEID="9256_2"`, `<VOUCHERTYPENAME>Payment</VOUCHERTYPENAME><VOUCHERNUMBER>9256</VOUCHERNUMBER><EFFECTIVEDATE>20260420</EFFECTIVEDATE>`+
		entry("Cash", "NO", "2025.0", "<REMOVEZEROENTRIES>NO</REMOVEZEROENTRIES>")+entry("Repairs", "YES", "-2025.0", ""))
	contra := voucher(`VCHTYPE="Contra" ACTION="Create"`, `<VOUCHERTYPENAME>Contra</VOUCHERTYPENAME><GUID></GUID>`+entry("Cash", "No", "500.00", "")+entry("Bank", "Yes", "-500.00", ""))
	journal := voucher(`REMOTEID="bb32-0" VCHKEY="bb32-0:1" VCHTYPE="Journal" ACTION="Create"`, `<VOUCHERTYPENAME>Journal</VOUCHERTYPENAME><GUID>bb32-0</GUID>`+
		entry("Rent", "Yes", "-75", "")+entry("Owner", "No", "75", ""))
	contra = strings.Replace(contra, "<GUID></GUID>", "", 1)
	for name, document := range map[string]string{
		"a receipt": older("Vouchers", "<STATICVARIABLES><SVCURRENTCOMPANY>Acme</SVCURRENTCOMPANY></STATICVARIABLES>", receipt),
		"a payment": older("All Masters", "", payment), "a contra": older("Vouchers", "", contra), "a journal": newer(journal),
		"several": newer(receipt + payment + contra + journal), "none": older("Vouchers", "", ""),
	} {
		require.NoError(t, only.Err(readTally(document)), name)
	}
	for from, to := range map[string]string{
		"-600</AMOUNT></ALL": "-601</AMOUNT></ALL", "<AMOUNT>600</AMOUNT></BILL": "<AMOUNT>599</AMOUNT></BILL", "20260420": "20260431",
		"<VOUCHERTYPENAME>Receipt": "<VOUCHERTYPENAME>Journal", "<ISDEEMEDPOSITIVE>Yes": "<ISDEEMEDPOSITIVE>No", "Agst Ref": "Against",
		"<LEDGERNAME>Bank</LEDGERNAME>": "", "&amp;": "&", "<AMOUNT>-600": "<AMOUNT>-₹600", "ALLLEDGERENTRIES": "LEDGERENTRIES",
		`ACTION="Create"`: `ACTION="Make"`,
	} {
		wrong := strings.ReplaceAll(newer(receipt), from, to)
		require.Error(t, only.Err(readTally(wrong)), "%s for %s", to, from)
	}
}
