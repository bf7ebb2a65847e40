package papers

func twcemPaper() Paper {
	return Paper{
		Method: "twcem", Name: "TWCEM",
		Title: "Tan, He, Fang, Ge and Xiao, Title-Based Extraction of News Contents for Text Mining, IEEE Access 2018",
	}
}
