// Package guide has the chapters of the guide as Markdown. The pages show them, and the command
// line prints them.
package guide

import (
	"bufio"
	"embed"
	"strings"
)

// A chapter is a file, named by its topic. Its first line is its title. The table of the chapter
// settings is made of config's list.
//
//go:generate go test -run TestTheChapterOfSettings . -update
//go:embed chapters/*.md
var chapters embed.FS

// topics are those of all chapters, in the order in which they are read.
var topics = []string{
	"verdict", "files", "month", "books", "assistant", "dashboard", "accounts", "limits", "autopilot", "webhooks", "batches", "retries",
	"sandbox",
	"install", "settings", "postgres", "tls", "containers", "secret", "backup", "upgrades", "metrics", "costs", "stopping", "commands",
}

// Chapter is a chapter of the guide.
type Chapter struct {
	Topic string // names it in an address and on the command line
	Title string
}

// Markdown is the chapter's text, with the title. It is read when it is asked for, because most
// commands and pages need none.
func (c Chapter) Markdown() string {
	text, err := chapters.ReadFile(fileOf(c.Topic))
	if err != nil {
		panic(err) // Find has found it
	}
	return string(text)
}

func fileOf(topic string) string { return "chapters/" + topic + ".md" }

// Chapters returns all chapters, in the order in which they are read.
func Chapters() []Chapter {
	all := make([]Chapter, len(topics))
	for i, topic := range topics {
		all[i], _ = Find(topic)
	}
	return all
}

// Find returns the chapter of a topic, if there is one.
func Find(topic string) (c Chapter, found bool) {
	file, err := chapters.Open(fileOf(topic))
	if err != nil {
		return Chapter{}, false
	}
	title, _, _ := bufio.NewReaderSize(file, 128).ReadLine()
	return Chapter{Topic: topic, Title: strings.TrimPrefix(string(title), "# ")}, true
}

// Section is a part of a chapter under a heading of its own, or the beginning of one.
type Section struct {
	Chapter
	Heading  string // blank: the beginning
	Markdown string // without its heading
}

// Search returns the sections that have all words of a query, letter case aside, in the order
// of the guide. A query without a word finds none.
func Search(query string) (found []Section) {
	words := strings.Fields(strings.ToLower(query))
	if len(words) == 0 {
		return nil
	}
	for _, c := range Chapters() {
		for _, s := range c.sections() {
			text := strings.ToLower(c.Title + "\n" + s.Heading + "\n" + s.Markdown)
			has := true
			for _, word := range words {
				has = has && strings.Contains(text, word)
			}
			if has {
				found = append(found, s)
			}
		}
	}
	return found
}

// sections parts the chapter at its headings of the second level.
func (c Chapter) sections() []Section {
	_, rest, _ := strings.Cut(c.Markdown(), "\n")
	all := []Section{{Chapter: c}}
	code := false
	for line := range strings.Lines(rest) {
		if strings.HasPrefix(strings.TrimSpace(line), "```") {
			code = !code
		}
		if heading, is := strings.CutPrefix(line, "## "); is && !code {
			all = append(all, Section{Chapter: c, Heading: strings.TrimSpace(heading)})
			continue
		}
		all[len(all)-1].Markdown += line
	}
	return all
}
