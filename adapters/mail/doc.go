// Package mail sends mails by SMTP, through the operator's server.
package mail
