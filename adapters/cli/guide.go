package cli

import (
	"github.com/spf13/cobra"

	"milaan/adapters/guide"
)

// guideTopics makes a help topic of each chapter of the guide, so that milaan help lists them, and
// milaan help TOPIC prints one.
func guideTopics() (topics []*cobra.Command) {
	for _, c := range guide.Chapters() {
		topics = append(topics, &cobra.Command{Use: c.Topic, Short: c.Title, Long: c.Markdown})
	}
	return topics
}
