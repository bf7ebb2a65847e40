package serve

import (
	"bytes"
	"encoding/json"
	"mime"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/lede-news/lede/internal/api/request"
)

// contract is openapi.json, to check responses against.
type contract struct {
	doc     map[string]any
	lock    sync.Mutex // of compiler
	schemas *jsonschema.Compiler
}

// loadContract reads openapi.json once. Objects have no other fields than those that are
// described, so that a field that is forgotten there is found.
var loadContract = sync.OnceValues(func() (*contract, error) {
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(openAPI))
	if err != nil {
		return nil, err
	}
	closeObjects(doc)
	c := &contract{doc: doc.(map[string]any), schemas: jsonschema.NewCompiler()}
	return c, c.schemas.AddResource("openapi.json", doc)
})

func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"]; ok && v["type"] == "object" && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		for _, x := range v {
			closeObjects(x)
		}
	case []any:
		for _, x := range v {
			closeObjects(x)
		}
	}
}

// newContract returns openapi.json for a test.
func newContract(t testing.TB) *contract {
	t.Helper()
	c, err := loadContract()
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// at returns the value at a path of keys, and the JSON pointer to it, after references.
func (c *contract) at(keys ...string) (v any, pointer string) {
	v = c.doc
	for i, key := range keys {
		m, ok := v.(map[string]any)
		if !ok {
			return nil, ""
		}
		if v, ok = m[key]; !ok {
			return nil, ""
		}
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(key)
		if m, ok := v.(map[string]any); ok {
			if ref, ok := m["$ref"].(string); ok {
				v, pointer = c.at(append(strings.Split(strings.TrimPrefix(ref, "#/"), "/"), keys[i+1:]...)...)
				return v, pointer
			}
		}
	}
	return v, pointer
}

// validate checks a JSON value against the schema at a pointer.
func (c *contract) validate(pointer string, data []byte) error {
	c.lock.Lock()
	schema, err := c.schemas.Compile("openapi.json#" + pointer)
	c.lock.Unlock()
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// isPage reports whether a path belongs to the page at /, which openapi.json does not
// describe.
func isPage(path string) bool {
	return path == "/" || strings.HasPrefix(path, "/ui/") || strings.HasPrefix(path, "/web/")
}

// check checks a response.
func (c *contract) check(t testing.TB, r *http.Request, status int, header http.Header, body []byte) {
	t.Helper()
	media, _, _ := mime.ParseMediaType(header.Get("Content-Type"))
	path, method := r.URL.Path, strings.ToLower(r.Method)
	if method == "head" {
		method = "get"
	}
	name := r.Method + " " + path
	var response, schema string
	operation, _ := c.at("paths", path, method)
	switch {
	case status == statusGone, method == "options":
		return
	case isPage(path):
		if media == "application/problem+json" {
			_, schema = c.at("components", "schemas", "Problem")
		}
	case operation == nil: // not allowed, or not found
		want := http.StatusNotFound
		if p, _ := c.at("paths", path); p != nil {
			want = http.StatusMethodNotAllowed
		}
		if status != want && status != http.StatusForbidden && status != http.StatusUnauthorized || media != "application/problem+json" {
			t.Errorf("%s: status %d, %s; want a problem with %d", name, status, media, want)
		}
		if status == http.StatusMethodNotAllowed && header.Get("Allow") == "" {
			t.Errorf("%s: 405 without Allow", name)
		}
		_, schema = c.at("components", "schemas", "Problem")
	default:
		keys := []string{"paths", path, method, "responses", http.StatusText(status)}
		keys[4] = jsonNumber(status)
		if _, response = c.at(keys...); response == "" {
			t.Errorf("%s: status %d is not in openapi.json: %.300s", name, status, body)
			return
		}
		if _, schema = c.at(append(keys, "content", media, "schema")...); schema == "" {
			t.Errorf("%s: status %d: the type %q is not in openapi.json", name, status, media)
			return
		}
	}
	if schema == "" || r.Method == http.MethodHead {
		return
	}
	switch media {
	case "application/json", "application/problem+json":
		if err := c.validate(schema, body); err != nil {
			t.Errorf("%s: status %d: %v\n%.2000s", name, status, err, body)
		}
	}
	if media == "application/problem+json" {
		checkProblem(t, name, status, body)
	}
}

// checkProblem checks that a problem document agrees with the table of problems.
func checkProblem(t testing.TB, name string, status int, body []byte) {
	var p problem
	if err := json.Unmarshal(body, &p); err != nil {
		t.Errorf("%s: %v: %s", name, err, body)
	}
	i := slices.IndexFunc(problems, func(k problem) bool { return k.Kind == p.Kind })
	if i < 0 || p.Title != problems[i].Title || p.Type != problemDocs+"#"+p.Kind || p.Status != status || p.Detail == "" {
		t.Errorf("%s: status %d: unexpected problem %s", name, status, body)
	}
}

func jsonNumber(n int) string {
	b, _ := json.Marshal(n)
	return string(b)
}

// checked returns a handler whose responses are checked against openapi.json. All tests
// of the package use it, by newServer.
func checked(t testing.TB, next http.Handler) http.Handler {
	c := newContract(t)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		in := *r // which StripPrefix and others may change
		rec := &recorder{ResponseWriter: w}
		next.ServeHTTP(rec, r)
		if rec.status == 0 {
			rec.WriteHeader(http.StatusOK)
		}
		c.check(t, &in, rec.status, rec.header, rec.body)
	})
}

// recorder keeps what a handler writes, up to a limit.
type recorder struct {
	http.ResponseWriter
	status int
	header http.Header
	body   []byte
}

func (r *recorder) WriteHeader(status int) {
	if r.status == 0 && status >= http.StatusOK {
		r.status, r.header = status, r.Header().Clone()
	}
	r.ResponseWriter.WriteHeader(status)
}

func (r *recorder) Write(b []byte) (int, error) {
	if r.status == 0 {
		r.WriteHeader(http.StatusOK)
	}
	const most = 8 << 20
	if len(r.body)+len(b) <= most {
		r.body = append(r.body, b...)
	}
	return r.ResponseWriter.Write(b)
}

func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }

// TestOptionsAreDescribed compares the options of requests with openapi.json.
func TestOptionsAreDescribed(t *testing.T) {
	c := newContract(t)
	for _, v := range []struct {
		method, path, schema string
		options              []string
	}{
		{"get", "/v1/extract", "", request.ExtractOptions}, {"post", "/v1/extract", "ExtractRequest", request.ExtractOptions}, {"post", "/v1/links", "LinksRequest", request.LinksOptions},
		{"post", "/v1/compare", "CompareRequest", request.CompareOptions},
	} {
		list, _ := c.at("paths", v.path, v.method, "parameters")
		var names []string
		for _, p := range list.([]any) {
			if ref, ok := p.(map[string]any)["$ref"].(string); ok {
				p, _ = c.at(strings.Split(strings.TrimPrefix(ref, "#/"), "/")...)
			}
			names = append(names, p.(map[string]any)["name"].(string))
		}
		if !slices.Equal(names, v.options) {
			t.Errorf("%s %s has the parameters %v, want %v", v.method, v.path, names, v.options)
		}
		if v.schema == "" {
			continue
		}
		fields, _ := c.at("components", "schemas", v.schema, "properties")
		if n := len(fields.(map[string]any)); n != len(v.options)+1 {
			t.Errorf("%s has %d fields, want html and %d options", v.schema, n, len(v.options))
		}
		for _, o := range v.options {
			if _, ok := fields.(map[string]any)[o]; !ok {
				t.Errorf("%s lacks %s", v.schema, o)
			}
		}
	}
	paths, _ := c.at("paths")
	for _, p := range apiPaths {
		if _, ok := paths.(map[string]any)[p]; !ok {
			t.Errorf("openapi.json lacks %s", p)
		}
	}
	if len(paths.(map[string]any)) != len(apiPaths) {
		t.Errorf("openapi.json has %d paths, want %v", len(paths.(map[string]any)), apiPaths)
	}
}
