package razorpay

import (
	"github.com/prometheus/client_golang/prometheus"

	"milaan/ports"
)

func newCounter() *prometheus.CounterVec {
	notices := prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "milaan", Name: "billing_notices_total",
		Help: "Notices of Razorpay, by what became of them: taken, repeated, ignored (not about a subscription) or refused (not " +
			"signed). Of those taken, and of subscriptions that were looked at, unknown_account and unknown_plan were of an account or a " +
			"plan that is not known here, and charged_twice of an account that has several subscriptions side by side."}, []string{"outcome"})
	for _, outcome := range ports.NoticeOutcomes {
		notices.WithLabelValues(string(outcome)) // an alert can only see that it rises if it was there before
	}
	return notices
}

func (c *Client) CountNotice(outcome ports.NoticeOutcome) {
	c.notices.WithLabelValues(string(outcome)).Inc()
}

// Collector returns the count of notices of this instance, for Prometheus.
func (c *Client) Collector() prometheus.Collector { return c.notices }
