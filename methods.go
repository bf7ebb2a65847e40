package lede

import (
	"fmt"
	"strings"

	"github.com/lede-news/lede/method"
	"github.com/lede-news/lede/method/blend"
)

// DefaultMethod is the name of the method that is used unless another is asked for.
const DefaultMethod = "blend"

// MethodInfo is a method that can be chosen by name.
type MethodInfo struct {
	Name, About string
	make        func() method.Method
}

// Methods lists the methods, the default first.
func Methods() []MethodInfo {
	return []MethodInfo{
		{"blend", "weighs blocks of text and takes the heaviest part of the page", func() method.Method { return blend.New(blend.Config{}) }},
	}
}

// NewMethod makes a method by its name.
func NewMethod(name string) (method.Method, error) {
	var names []string
	for _, m := range Methods() {
		if m.Name == name {
			return m.make(), nil
		}
		names = append(names, m.Name)
	}
	return nil, fmt.Errorf("%w %q; there is %s", ErrUnknownMethod, name, strings.Join(names, ", "))
}
