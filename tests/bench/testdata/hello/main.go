// Command hello is the least that a program in Go which can serve does at its start: it prints
// a word or, given an address, serves it.
package main

import (
	"fmt"
	"net/http"
	"os"
)

func hello(w http.ResponseWriter, _ *http.Request) { _, _ = fmt.Fprintln(w, "hello") }

func main() {
	if len(os.Args) == 1 {
		fmt.Println("hello")
		return
	}
	fmt.Println(http.ListenAndServe(os.Args[1], http.HandlerFunc(hello)))
}
