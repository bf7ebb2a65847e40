package browser

import (
	"context"
	"io"
	"net"
	"strings"
	"sync/atomic"
	"testing"
)

// requestPage is a page that makes requests in many ways. HOST and UDP are replaced
// by the addresses of listeners.
const requestPage = `<!doctype html><head>
<meta http-equiv=refresh content="1;url=http://HOST/refresh">
<link rel=stylesheet href="http://HOST/style.css"><link rel=preload as=image href="http://HOST/preload.png">
<link rel=prefetch href="http://HOST/prefetch"><link rel=preconnect href="http://HOST"><link rel=dns-prefetch href="//HOST">
<link rel=prerender href="http://HOST/prerender"><link rel=icon href="http://HOST/icon.png"><link rel=manifest href="http://HOST/manifest">
<script type=speculationrules>{"prefetch":[{"source":"list","urls":["http://HOST/speculation"]}]}</script>
<style>@import "http://HOST/import.css"; body { background: url(http://HOST/background.png) }
@font-face { font-family: f; src: url(http://HOST/font.woff2) } p { font-family: f } p::before { content: url(http://HOST/content.png) }</style>
<script src="http://HOST/script.js"></script></head><body background="http://HOST/body.png">
<p id=x>words</p><img src="http://HOST/img.png" srcset="http://HOST/img2.png 2x"><picture><source srcset="http://HOST/source.png"><img></picture>
<iframe src="http://HOST/frame"></iframe><iframe srcdoc="<img src=http://HOST/srcdoc.png>"></iframe>
<iframe sandbox srcdoc="<img src=http://HOST/sandbox.png>"></iframe><iframe src="data:text/html,<img src=http://HOST/data.png>"></iframe>
<object data="http://HOST/object"></object><embed src="http://HOST/embed"><video src="http://HOST/video" poster="http://HOST/poster.png" autoplay></video>
<audio src="http://HOST/audio" autoplay></audio><input type=image src="http://HOST/input.png"><svg><image href="http://HOST/svg.png"/></svg>
<table background="http://HOST/table.png"><tr><td>x</table>
<script>
fetch("http://HOST/fetch").catch(() => {});
new WebSocket("ws://HOST/socket"); new EventSource("http://HOST/events"); navigator.sendBeacon("http://HOST/beacon", "x");
new Worker(URL.createObjectURL(new Blob(["fetch('http://HOST/worker')"])));
open("http://HOST/popup");
let rtc = new RTCPeerConnection({iceServers: [{urls: "stun:UDP"}]});
rtc.createDataChannel("x"); rtc.createOffer().then(o => rtc.setLocalDescription(o));
setTimeout(() => location.href = "http://HOST/location", 100);
document.getElementById("x").textContent = "words of a script";
</script>`

// TestOffline lays out requestPage and counts connections and datagrams.
func TestOffline(t *testing.T) {
	t.Parallel()
	tcp, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer tcp.Close()
	var calls, datagrams atomic.Int32
	go func() {
		for {
			c, err := tcp.Accept()
			if err != nil {
				return
			}
			calls.Add(1)
			c.Close()
		}
	}()
	udp, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer udp.Close()
	flushed := make(chan struct{})
	go func() {
		for data := make([]byte, 1500); ; {
			n, _, err := udp.ReadFrom(data)
			if err != nil {
				return
			}
			if string(data[:n]) == "flush" {
				flushed <- struct{}{}
				continue
			}
			datagrams.Add(1)
		}
	}()
	// flush waits until all earlier connections and datagrams are counted.
	flush := func(t *testing.T) {
		t.Helper()
		c, err := net.Dial("tcp", tcp.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		_, _ = io.Copy(io.Discard, c) // ends when the listener has accepted and closed it
		calls.Add(-1)
		u, err := net.Dial("udp", udp.LocalAddr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer u.Close()
		if _, err := u.Write([]byte("flush")); err != nil {
			t.Fatal(err)
		}
		<-flushed
	}
	page := strings.NewReplacer("HOST", tcp.Addr().String(), "UDP", udp.LocalAddr().String()).Replace(requestPage)
	for name, opts := range map[string]Options{
		"scripts off": {}, "scripts on": {PageTime: patience},
		"network on": {Network: true, PageTime: restless, Dial: func(ctx context.Context, network, address string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		}},
	} {
		if opts.Network && testing.Short() {
			continue
		}
		t.Run(name, func(t *testing.T) {
			calls.Store(0)
			datagrams.Store(0)
			b := open(t, opts)
			scripts := name != "scripts off"
			var p *Page
			if scripts {
				p, err = layOutScripts(t, b, page, "http://"+tcp.Addr().String()+"/page")
			} else {
				p, err = b.Layout(t.Context(), parse(t, page), "http://"+tcp.Addr().String()+"/page")
			}
			if err != nil {
				t.Fatal(err)
			}
			if got := p.Doc.Text(find(t, p.Doc, "x")) == "words of a script"; got != scripts {
				t.Errorf("scripts ran: %v", got)
			}
			layOut(t, b, `<p>words`) // the tab is used again
			if err := b.Close(); err != nil {
				t.Error(err)
			}
			flush(t)
			if n := datagrams.Load(); n > 0 {
				t.Errorf("%d datagrams", n)
			}
			switch n := calls.Load(); {
			case !opts.Network && n > 0:
				t.Errorf("%d connections", n)
			case opts.Network && n < 10:
				t.Errorf("only %d connections with network", n)
			}
		})
	}
}
