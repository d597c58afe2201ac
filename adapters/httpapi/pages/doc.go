// Package pages has what people and their tools read about the service: the OpenAPI
// description, which is written by hand in openapi.json, the same description as a page,
// and the home page with the sample. It serves documents. It knows neither the routes nor
// the errors of the API, which are httpapi's.
package pages
