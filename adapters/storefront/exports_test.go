package storefront_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"milaan/adapters/storefront"
	"milaan/adapters/table"
	"milaan/ports"
)

// TestOtherExportsAreTold holds by which headers exports are told from reports, and that one in
// doubt is none.
func TestOtherExportsAreTold(t *testing.T) {
	r := storefront.New(table.New())
	for header, want := range map[string]ports.Exported{
		"Name,Email,Financial Status,Paid at,Fulfillment Status,Fulfilled at,Accepts Marketing,Currency,Subtotal,Total,Lineitem name":                              ports.ExportedOrders,
		"Order Number,Order Status,Customer Note,First Name (Billing),Payment Method Title,Cart Discount Amount,Order Subtotal Amount,Shipping Method Title":       ports.ExportedOrders,
		"Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address City,Phone,Total Spent,Total Orders,Note,Tags,Odd": ports.ExportedCustomers,
		"Name,E-Mail,Phone":                ports.ExportedCustomers,
		"Customer Name,Mobile,City,,State": ports.ExportedCustomers,
		"Handle,Title,Body (HTML),Vendor,Type,Tags,Published,Variant SKU,Variant Price": ports.ExportedProducts,

		// Reports of couriers, whose own columns nobody knows.
		"Docket,Order ID,Customer Name,Phone,Address,City,State,Pincode,Amt,Paid On": ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,Docket":                      ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,COD Expected":                ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,Net Rs.":                     ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,₹":                           ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,राशि,तिथि,संख्या":            ports.ExportedNothing,
		"Name,Mobile,City,पार्सल संख्या,राशि,भुगतान तिथि":                            ports.ExportedNothing,
		"Customer Name,Phone,Address,City,State,Pincode,Zip Code,Source":             ports.ExportedCustomers,

		"Email,Foo,Bar":                ports.ExportedNothing,
		"Email,Name,Foo":               ports.ExportedNothing,
		"Name,City,State":              ports.ExportedNothing,
		"Email,Phone":                  ports.ExportedNothing,
		"Name,Total,Created at":        ports.ExportedNothing,
		"AWB,COD Amount,Remitted Date": ports.ExportedNothing,
		"":                             ports.ExportedNothing,
	} {
		require.Equal(t, want, r.Exported(strings.Split(header, ",")), header)
	}
}
