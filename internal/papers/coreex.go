package papers

func coreexPaper() Paper {
	return Paper{
		Method: "coreex", Name: "CoreEx",
		Title: "Prasad and Paepcke, CoreEx: Content Extraction from Online News Articles, CIKM 2008",
	}
}
