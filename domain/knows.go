package domain

// Bears says that some order has an AWB, as AWBKey gives it.
func (o *Orders) Bears(awb []byte) bool {
	o.indexAWBs()
	return o.awbs.find(awb) >= 0
}

// Knows says that some order has the name, as OrderKey gives it, that a courier
// has for an order; that of a clone stands for the order itself.
func (o *Orders) Knows(orderID []byte) bool { return o.named(orderID) >= 0 }
