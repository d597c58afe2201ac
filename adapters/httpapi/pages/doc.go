// Package pages owns what people and their tools read about the service: the
// OpenAPI description, which openapi.json holds as written by hand, the same as
// a page, and the first page with the sample. It serves documents and knows
// neither the routes nor the errors of the API: whoever mounts it does.
package pages
