package service

import (
	"testing"

	"milaan/config"
	"milaan/domain"
	"milaan/tests/fakes/shopify"
)

// ConnectingHere lets shops and report sources be on this machine, where the fakes are.
func ConnectingHere(c *config.Config) { c.Autopilot.ConnectionLoopback = true }

// NewShop is a shop of a fake that takes the service's time.
func (s *Service) NewShop(t testing.TB, name string, orders ...shopify.Order) *shopify.Shop {
	t.Helper()
	fake := shopify.New(t)
	fake.SetClock(s.Clock.Now)
	return fake.Add(name, orders)
}

// Connecting is the body that sets up a connection.
func Connecting(brand string, shop domain.Settings, sources ...Body) Body {
	return Body{"brand": brand, "shop": Body{"connector": "shopify", "settings": shop}, "sources": sources}
}

// Source is a report source of such a body.
func Source(connector string, settings map[string]string) Body {
	return Body{"connector": connector, "settings": settings}
}

// FromUploads is one whose reports are given to the dashboard.
func FromUploads() Body { return Body{"connector": "upload"} }
