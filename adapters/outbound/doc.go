// Package outbound connects to hosts that accounts name, such as the endpoints of webhooks
// and the servers of the autopilot. No other part of the service dials them.
package outbound
