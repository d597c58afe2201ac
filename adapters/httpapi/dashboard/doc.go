// Package dashboard has the JSON resources of the pages under /app, and decides who may ask
// for them: a person with a session, or a visitor, who is a browser on the machine of a
// service that only this machine can reach.
//
// A resource adds its routes to Routes, each by what it demands: Anyone, AccountOrVisitor
// or Account. In front of each handler stand the checks that hold for every request of a
// page (guard.go): no answer is stored by a browser, no key or session token is accepted,
// and no page of another origin can do anything.
//
// A handler returns its error, which the server answers by its one table of statuses with
// the body of ErrorBody, in the language of the page.
package dashboard
