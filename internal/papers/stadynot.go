package papers

func stadynotPaper() Paper {
	return Paper{
		Method: "stadynot", Name: "StaDyNoT",
		Title: "Barua, Patel and Agrawal, Removing Noise Content from Online News Articles, COMAD 2014",
	}
}
