package view

import "milaan/domain"

// SecurityEvent is an event of the security log.
type SecurityEvent[T Instant | Second] struct {
	At     T                   `json:"at"`
	Kind   domain.SecurityKind `json:"kind"`
	Detail string              `json:"detail"`
	By     domain.Way          `json:"via"`
}

// NewSecurityEvent returns an event as it is shown, exported or printed.
func NewSecurityEvent[T Instant | Second](e *domain.SecurityEvent) SecurityEvent[T] {
	return SecurityEvent[T]{T(e.At), e.Kind, e.Detail, e.By}
}

// OrderSum is a number of orders and what is due for them.
type OrderSum struct {
	Orders int    `json:"orders"`
	Amount Rupees `json:"amount"`
}

// NewOrderSum returns a sum as it is shown, exported or printed.
func NewOrderSum(s domain.OrderSum) OrderSum { return OrderSum{s.Orders, Rupees(s.Amount)} }
