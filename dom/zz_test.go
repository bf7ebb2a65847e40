package dom
import ("testing";"bytes";"context";"runtime";"syscall";"time";"golang.org/x/net/html")
func cpu(who int) time.Duration { var r syscall.Rusage; syscall.Getrusage(who, &r); return time.Duration(r.Utime.Nano()+r.Stime.Nano()) }
func TestZZ(t *testing.T) {
	runtime.LockOSThread()
	pages := corpusPages(t, "wcxb", "fundus-publishers")
	for _, opts := range []Options{{}, {Charset: "utf-8"}} {
	for _, who := range []int{1, 0} {
	var a, w, sc, dc time.Duration
	for k := 0; k < 2; k++ {
	for i, p := range pages {
		one := func() { s := cpu(who); html.Parse(bytes.NewReader(p)); a += cpu(who)-s }
		if (i+k)%2 == 0 { one() }
		s := cpu(who); Parse(context.Background(), p, opts); w += cpu(who)-s
		if (i+k)%2 == 1 { one() }
		s = cpu(who); scan(p, DefaultNodes); sc += cpu(who)-s
		s = cpu(who); Decode(p, opts); dc += cpu(who)-s
	}}
	t.Logf("who %d opts %q: alone %v whole %v ratio %.3f scan %v decode %v", who, opts.Charset, a, w, float64(w)/float64(a), sc, dc)
	}}
}
