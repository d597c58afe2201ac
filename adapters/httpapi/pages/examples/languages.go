package examples

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// curl writes a call for a shell.
func curl(c Call) string {
	var b strings.Builder
	say := func(form string, values ...any) { fmt.Fprintf(&b, form, values...) }
	inShell := func(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }
	method := ""
	if c.Method != "GET" {
		method = "-X " + c.Method + " "
	}
	failing := "--fail-with-body"
	if c.SavedAs != "" {
		failing = "--fail" // or the error would be saved as the file
	}
	say(`curl -sS %s %s"%s"`, failing, method, c.address(func(name string) string { return "$" + name }, asWritten, ""))
	if c.Token != "" {
		say(" \\\n  -H \"Authorization: Bearer $%s\"", c.tokenVariable())
	}
	for _, h := range c.Headers {
		say(" \\\n  -H %s", inShell(h.Name+": "+h.Value))
	}
	for _, p := range c.Form {
		if p.File != "" {
			say(" \\\n  -F %s=@%s", p.Name, p.File)
		} else {
			say(" \\\n  --form-string %s", inShell(p.Name+"="+p.Value))
		}
	}
	if c.SavedAs != "" {
		say(" \\\n  -o %s", c.SavedAs)
	}
	if c.JSON != "" {
		say(" \\\n  -H 'Content-Type: application/json' --data-binary @- <<'JSON'\n%s\nJSON", c.JSON)
	}
	say("\n")
	return b.String()
}

// golang writes a call as a program of Go's standard library.
func golang(c Call) string {
	imports := []string{"io", "log", "net/http", "os"}
	body, media, form := "nil", "", ""
	switch {
	case c.JSON != "":
		imports = append(imports, "strings")
		body, media = "strings.NewReader("+rawQuoted(c.JSON)+")", `"application/json"`
	case len(c.Form) > 0:
		imports = append(imports, "bytes", "mime/multipart")
		body, media, form = "&body", "form.FormDataContentType()", goForm(c.Form)
	}
	show := "\tfmt.Println(string(text))"
	if c.SavedAs != "" {
		show = fmt.Sprintf("\tif err := os.WriteFile(%q, text, 0o600); err != nil {\n\t\tlog.Fatal(err)\n\t}", c.SavedAs)
	} else {
		imports = append(imports, "fmt")
	}
	slices.Sort(imports)
	header := ""
	set := func(name, value string) { header += fmt.Sprintf("\trequest.Header.Set(%q, %s)\n", name, value) }
	if c.Token != "" {
		set("Authorization", fmt.Sprintf(`"Bearer "+os.Getenv(%q)`, c.tokenVariable()))
	}
	for _, h := range c.Headers {
		set(h.Name, quoted(h.Value))
	}
	if media != "" {
		set("Content-Type", media)
	}
	address := c.address(func(name string) string { return fmt.Sprintf("os.Getenv(%q)", name) }, quoted, "+")
	return lines(
		"package main\n",
		"import (\n\t\""+strings.Join(imports, "\"\n\t\"")+"\"\n)\n",
		"func main() {",
		strings.TrimSuffix(form, "\n"),
		fmt.Sprintf("\trequest, err := http.NewRequest(%q, %s, %s)", c.Method, address, body),
		"\tif err != nil {\n\t\tlog.Fatal(err)\n\t}",
		strings.TrimSuffix(header, "\n"),
		"\tanswer, err := http.DefaultClient.Do(request)",
		"\tif err != nil {\n\t\tlog.Fatal(err)\n\t}",
		"\tdefer answer.Body.Close()",
		"\ttext, err := io.ReadAll(answer.Body)",
		"\tif err != nil {\n\t\tlog.Fatal(err)\n\t}",
		"\tif answer.StatusCode >= 300 {\n\t\tlog.Fatal(answer.Status, \" \", string(text))\n\t}",
		show,
		"}")
}

func goForm(parts []Part) string {
	text := "\tvar body bytes.Buffer\n\tform := multipart.NewWriter(&body)\n"
	var files string
	for _, p := range parts {
		if p.File != "" {
			files += fmt.Sprintf(", {%q, %q}", p.Name, p.File)
		} else {
			text += fmt.Sprintf("\tform.WriteField(%q, %s)\n", p.Name, quoted(p.Value))
		}
	}
	if files != "" {
		text += "\tfor _, file := range [][2]string{" + strings.TrimPrefix(files, ", ") + `} {
		content, err := os.ReadFile(file[1])
		if err != nil {
			log.Fatal(err)
		}
		part, err := form.CreateFormFile(file[0], file[1])
		if err != nil {
			log.Fatal(err)
		}
		part.Write(content)
	}
`
	}
	return text + "\tform.Close()"
}

// rawQuoted is a text as Go reads it, on several lines if that is possible.
func rawQuoted(text string) string {
	if strings.Contains(text, "`") {
		return quoted(text)
	}
	return "`" + text + "`"
}

// typescript writes a call for Node, which strips the types.
func typescript(c Call) string {
	var imports, before, body string
	var headers []string
	if c.Token != "" {
		headers = append(headers, "Authorization: `Bearer ${process.env."+c.tokenVariable()+"}`")
	}
	for _, h := range c.Headers {
		headers = append(headers, quoted(h.Name)+": "+quoted(h.Value))
	}
	var node []string
	switch {
	case c.JSON != "":
		headers = append(headers, `"Content-Type": "application/json"`)
		body = "  body: JSON.stringify(" + deeper(c.JSON, "  ") + "),"
	case len(c.Form) > 0:
		body, before = "  body: form,", "const form = new FormData();\n"
		for _, p := range c.Form {
			if p.File != "" {
				before += fmt.Sprintf("form.append(%q, new Blob([await readFile(%q)]), %q);\n", p.Name, p.File, p.File)
				node = []string{"readFile"}
			} else {
				before += fmt.Sprintf("form.append(%q, %s);\n", p.Name, quoted(p.Value))
			}
		}
	}
	show := "console.log(await answer.text());"
	if c.SavedAs != "" {
		show = fmt.Sprintf("await writeFile(%q, new Uint8Array(await answer.arrayBuffer()));", c.SavedAs)
		node = append(node, "writeFile")
	}
	if len(node) > 0 {
		imports = "import { " + strings.Join(node, ", ") + " } from \"node:fs/promises\";\n"
	}
	header := ""
	if len(headers) > 0 {
		header = "  headers: { " + strings.Join(headers, ", ") + " },"
	}
	options := lines(fmt.Sprintf("  method: %q,", c.Method), header, body)
	address := c.address(func(name string) string { return "${process.env." + name + "}" }, asWritten, "")
	return lines(imports, strings.TrimSuffix(before, "\n"),
		"const answer = await fetch(`"+address+"`, {\n"+options+"});",
		"if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);",
		show)
}

// python writes a call as a program of Python's standard library.
func python(c Call) string {
	imports := []string{"os", "urllib.error", "urllib.request"}
	var form, data string
	var headers []string
	if c.Token != "" {
		headers = append(headers, fmt.Sprintf(`"Authorization": "Bearer " + os.environ[%q]`, c.tokenVariable()))
	}
	for _, h := range c.Headers {
		headers = append(headers, quoted(h.Name)+": "+quoted(h.Value))
	}
	switch {
	case c.JSON != "":
		imports = append(imports, "json")
		headers = append(headers, `"Content-Type": "application/json"`)
		data = "    data=json.dumps(" + deeper(pythonLiteral(c.JSON), "    ") + ").encode(),"
	case len(c.Form) > 0:
		imports = append(imports, "uuid")
		headers = append(headers, `"Content-Type": "multipart/form-data; boundary=" + boundary`)
		form, data = pythonForm(c.Form), "    data=body,"
	}
	slices.Sort(imports)
	show := "        print(answer.read().decode())"
	if c.SavedAs != "" {
		show = fmt.Sprintf("        with open(%q, \"wb\") as file:\n            file.write(answer.read())", c.SavedAs)
	}
	header := ""
	if len(headers) > 0 {
		header = "    headers={\n        " + strings.Join(headers, ",\n        ") + ",\n    },"
	}
	address := c.address(func(name string) string { return fmt.Sprintf("os.environ[%q]", name) }, quoted, " + ")
	return lines("import "+strings.Join(imports, "\nimport ")+"\n", form,
		"request = urllib.request.Request(",
		"    "+address+",",
		fmt.Sprintf("    method=%q,", c.Method),
		header, data,
		")",
		"try:",
		"    with urllib.request.urlopen(request) as answer:",
		show,
		"except urllib.error.HTTPError as refusal:",
		`    raise SystemExit(f"{refusal.code} {refusal.read().decode()}")`)
}

// pythonForm writes a form by hand, because Python has nothing that does.
func pythonForm(parts []Part) string {
	var fields, files []string
	for _, p := range parts {
		if p.File != "" {
			files = append(files, fmt.Sprintf("(%q, %q)", p.Name, p.File))
		} else {
			fields = append(fields, fmt.Sprintf("(%q, %s)", p.Name, quoted(p.Value)))
		}
	}
	text := "boundary = uuid.uuid4().hex\nbody = b\"\"\n"
	if len(fields) > 0 {
		text += "for name, value in [" + strings.Join(fields, ", ") + "]:\n" +
			`    body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'.encode()` + "\n"
	}
	if len(files) > 0 {
		text += "for name, path in [" + strings.Join(files, ", ") + "]:\n" +
			`    body += f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"; filename="{path}"\r\n\r\n'.encode()` + "\n" +
			"    with open(path, \"rb\") as file:\n        body += file.read() + b\"\\r\\n\"\n"
	}
	return text + `body += f"--{boundary}--\r\n".encode()`
}

// wordsOrTexts finds the texts of a JSON document, which stay, and its words beside them.
var wordsOrTexts = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|true|false|null`)

func pythonLiteral(document string) string {
	return wordsOrTexts.ReplaceAllStringFunc(document, func(found string) string {
		switch found {
		case "true":
			return "True"
		case "false":
			return "False"
		case "null":
			return "None"
		}
		var text string
		_ = json.Unmarshal([]byte(found), &text) // it is a text of a JSON document
		return quoted(text)                      // without \/ and \ud83d\ude00, which Python reads otherwise
	})
}
