package compose

import "github.com/lede-news/lede/article"

// withoutPictures takes pictures and clips out of blocks, in place, and what
// is empty without them.
func withoutPictures(blocks []article.Block) []article.Block {
	out := blocks[:0]
	for _, b := range blocks {
		switch b.Kind {
		case article.Picture, article.Video:
			continue
		case article.Quote:
			b.Blocks = withoutPictures(b.Blocks)
		case article.List:
			items := b.Items[:0]
			for _, it := range b.Items {
				if it = withoutPictures(it); len(it) > 0 {
					items = append(items, it)
				}
			}
			b.Items = items
		case article.Table:
			rows := b.Rows[:0]
			for _, row := range b.Rows {
				some := false
				for i := range row {
					row[i].Blocks = withoutPictures(row[i].Blocks)
					some = some || len(row[i].Blocks) > 0
				}
				if some {
					rows = append(rows, row)
				}
			}
			b.Rows = rows
		}
		if !isEmpty(&b) {
			out = append(out, b)
		}
	}
	if out = dropRules(out); len(out) == 0 {
		return nil
	}
	return out
}
