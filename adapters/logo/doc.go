// Package logo decodes the images that accounts give as their logos. What is kept of one is
// the picture alone, as a PNG of our own.
package logo
