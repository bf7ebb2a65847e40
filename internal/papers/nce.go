package papers

func ncePaper() Paper {
	return Paper{
		Method: "nce", Name: "NCE",
		Title: "Laber et al., A Fast and Simple Method for Extracting Relevant Content from News Webpages, CIKM 2009",
	}
}
