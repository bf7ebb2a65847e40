package serve

import (
	"net/http"

	"github.com/lede-news/lede"
	"github.com/lede-news/lede/internal/api/request"
)

// methodInfo describes a method.
type methodInfo struct {
	Name     string          `json:"name"`
	About    string          `json:"about"`
	Default  bool            `json:"default,omitempty"`
	Settings []methodSetting `json:"settings"`
}

type methodSetting struct {
	Name  string `json:"name"`
	Value string `json:"value"` // the default
	About string `json:"about"`
}

// methods answers with the methods and their settings.
func (s *server) methods(w http.ResponseWriter, r *http.Request) {
	if err := request.CheckNames(r.URL.Query(), nil); err != nil {
		s.fail(w, r, err)
		return
	}
	var list []methodInfo
	for _, m := range lede.Methods() {
		info := methodInfo{Name: m.Name, About: m.About, Default: m.Name == lede.DefaultMethod, Settings: []methodSetting{}}
		for _, p := range m.Params() {
			info.Settings = append(info.Settings, methodSetting{p.Name, p.Value, p.About})
		}
		list = append(list, info)
	}
	writeJSON(w, map[string][]methodInfo{"methods": list})
}
