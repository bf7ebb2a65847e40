package dom

import "fmt"

// CheckCharset tells whether a charset is known before a page is read in it.
// Empty is fine: it asks for none.
func CheckCharset(name string) error {
	if name == "" {
		return nil
	}
	if e, _ := lookup(name); e == nil {
		return fmt.Errorf("%w %q; try utf-8, windows-1252, gb18030, big5, shift_jis, euc-kr or koi8-r", ErrCharset, name)
	}
	return nil
}
