package wrapper

// Kind is what a feature looks at: the place of a subtree or what is in it.
type Kind string

const (
	Spatial Kind = "spatial"
	Content Kind = "content"
)

// Feature is a number that describes a subtree, by the name that the paper has
// for it.
type Feature struct {
	Name string
	Kind Kind
	// Own tells that the paper does not have it.
	Own bool
}

// BodyFeatures are those of section 3.1, in the order of [Scene.Body].
func BodyFeatures() []Feature {
	return []Feature{
		{Name: "FormattingElementsNum", Kind: Content}, {Name: "FormattedContentLen", Kind: Content},
		{Name: "RectLeft", Kind: Spatial}, {Name: "RectTop", Kind: Spatial},
		{Name: "RectWidth", Kind: Spatial}, {Name: "RectHeight", Kind: Spatial},
		{Name: "ProseLen", Kind: Content, Own: true}, {Name: "ProseShare", Kind: Content, Own: true},
	}
}

// TitleFeatures are those of section 4.1, in the order of [Scene.Title].
func TitleFeatures() []Feature {
	return []Feature{
		{Name: "RectLeft", Kind: Spatial}, {Name: "RectTop", Kind: Spatial},
		{Name: "RectWidth", Kind: Spatial}, {Name: "RectHeight", Kind: Spatial},
		{Name: "Overlap", Kind: Spatial}, {Name: "Distance", Kind: Spatial}, {Name: "Flat", Kind: Spatial},
		{Name: "FontSize", Kind: Content}, {Name: "EndWithFullStop", Kind: Content}, {Name: "WordNum", Kind: Content},
		{Name: "PageTitle", Kind: Content, Own: true},
	}
}
