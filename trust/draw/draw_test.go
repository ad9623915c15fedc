package main

import (
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/lanes-go/lanes/dispatch"
)

// TestFresh: the pictures and the examples of the pages are what the code makes them.
func TestFresh(t *testing.T) {
	files, err := render(docs)
	require.NoError(t, err)
	for _, name := range slices.Sorted(maps.Keys(files)) {
		is, err := os.ReadFile(name)
		require.NoError(t, err)
		assert.Equal(t, string(files[name]), string(is), "%s is stale: go run -C trust/draw .", name)
	}
}

var (
	link    = regexp.MustCompile(`\]\(([^)#\s]*)(?:#([^)]*))?\)`)
	fenced  = regexp.MustCompile("(?s)```.*?```") // code, where f[T](x) is a call
	heading = regexp.MustCompile(`(?m)^#+ (.*)$`)
	unsaid  = regexp.MustCompile(`[^a-z0-9 _-]`) // in an anchor
)

// TestLinks: what the documents link to in the repository is there, the
// headings too, and every picture is on a page.
func TestLinks(t *testing.T) {
	var pages []string
	for _, dir := range []string{"", "*/", "*/*/"} {
		found, err := filepath.Glob(filepath.Join(root, dir, "*.md"))
		require.NoError(t, err)
		require.NotEmpty(t, found)
		pages = append(pages, found...)
	}
	linked := map[string]bool{}
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range link.FindAllStringSubmatch(fenced.ReplaceAllString(string(text), ""), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			target := page
			if m[1] != "" {
				target = filepath.Join(filepath.Dir(page), m[1])
			}
			_, err := os.Stat(target)
			assert.NoError(t, err, page)
			linked[target] = true
			if m[2] != "" {
				assert.Contains(t, anchors(t, target), m[2], "%s: a heading of %s", page, target)
			}
		}
	}
	for _, p := range pictures {
		assert.True(t, linked[p.file(docs)], "no page shows %s", p.name)
	}
	drawn, err := filepath.Glob(docs + "/*.svg")
	require.NoError(t, err)
	assert.Len(t, drawn, len(pictures), "a picture that nothing draws")
}

var named = regexp.MustCompile(`\[(\w+)\]\(([^)]+\.go)\)`)

// TestNames: a link with the name of a function leads to it, and the page of
// dispatch has every threshold and every rule.
func TestNames(t *testing.T) {
	pages, err := filepath.Glob(docs + "/*.md")
	require.NoError(t, err)
	for _, page := range pages {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			code, err := os.ReadFile(filepath.Join(filepath.Dir(page), m[2]))
			require.NoError(t, err, page)
			declared := regexp.MustCompile(`(?m)^(func (\([^)]*\) )?` + m[1] + `[\[(]|type ` + m[1] + `\b|const ` + m[1] + `\b|var ` + m[1] + `\b|\t` + m[1] + ` += )`)
			assert.Regexp(t, declared, string(code), "%s: %s is not in %s", page, m[1], m[2])
		}
	}

	text, err := os.ReadFile(docs + "/dispatch.md")
	require.NoError(t, err)
	names := []string{"ScatterPacks", "GatherCompacts", "ScatterOwns"}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[dispatch.Thresholds]()) {
		names = append(names, f.Name)
	}
	for _, l := range dispatch.Levels() {
		names = append(names, l.String())
	}
	for _, name := range names {
		assert.Contains(t, string(text), "`"+name+"`")
	}
}

// anchors returns what a page's headings are linked by.
func anchors(t *testing.T, page string) []string {
	text, err := os.ReadFile(page)
	require.NoError(t, err)
	var names []string
	for _, m := range heading.FindAllStringSubmatch(string(text), -1) {
		names = append(names, strings.ReplaceAll(unsaid.ReplaceAllString(strings.ToLower(m[1]), ""), " ", "-"))
	}
	return names
}

// TestPagesNeedExamples: Go code that is not an example is found, and one that there is none of.
func TestPagesNeedExamples(t *testing.T) {
	examples := map[string]string{"ExampleGather": "x := 1\n"}
	text, err := fillPage([]byte("a\n<!-- ExampleGather -->\n```go\nold\n```\nb\n"), examples)
	assert.NoError(t, err)
	assert.Equal(t, "a\n<!-- ExampleGather -->\n```go\nx := 1\n```\nb\n", string(text))
	_, err = fillPage([]byte("```go\nx := 1\n```\n"), examples)
	assert.ErrorContains(t, err, "no test runs")
	_, err = fillPage([]byte("<!-- ExampleGone -->\n```go\n```\n"), examples)
	assert.ErrorContains(t, err, "no ExampleGone")
}

// TestTrace: a picture shows what its call does, and what its indices govern.
func TestTrace(t *testing.T) {
	for _, p := range pictures {
		cells, err := p.trace(p.indices)
		require.NoError(t, err, p.name)
		require.Len(t, cells, size(p.dst), p.name)
		for _, cell := range p.show {
			assert.Positive(t, slices.Max(cells[cell]), "%s: an arrow to a cell that nothing comes to", p.name)
		}
	}
	p := pictures[0] // GatherElements along axis 1: the index of a cell is its own
	cells, err := p.trace(p.indices)
	require.NoError(t, err)
	for i := range cells {
		assert.Equal(t, []int{i}, p.governing(cells, i))
	}
	assert.Equal(t, []int{0, 0, 1, 0, 0, 0}, cells[0]) // data[0, 2]
}
