package papers

func wrapperPaper() Paper {
	return Paper{
		Method: "wrapper", Name: "the visual wrapper",
		Title: "Wang et al., Can We Learn a Template-Independent Wrapper for News Article Extraction from a Single Training Site?, KDD 2009",
	}
}
