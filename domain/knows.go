package domain

// Bears says that some order has an AWB, as AWBKey gives it.
func (o *Orders) Bears(awb []byte) bool {
	for i := range o.noted {
		if sameKey(o.noted[i].key, awb) {
			return true
		}
	}
	return false
}

// Knows says that some order has the name, as OrderKey gives it.
func (o *Orders) Knows(orderID []byte) bool { return o.names.find(orderID) >= 0 }
