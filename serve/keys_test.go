package serve

import (
	"encoding/json"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/lede-news/lede/internal/api/keyfile"
)

func TestKeysAreNeeded(t *testing.T) {
	h, secrets := newKeyed(t, Options{}, keyfile.Key{Name: "desk"}, keyfile.Key{Name: "night"})
	for _, path := range publicPaths {
		if w := ask(h, "GET", path, ""); w.Code == 401 {
			t.Errorf("%s needs a key", path)
		}
	}
	for _, path := range keyedPaths {
		for _, method := range []string{"GET", "HEAD", "POST", "OPTIONS", "PUT"} {
			w := ask(h, method, path, "x")
			if w.Code != 401 || !strings.HasPrefix(w.Header().Get("WWW-Authenticate"), "Bearer ") || kindOf(w) != "key" {
				t.Errorf("%s %s without a key: %d %v", method, path, w.Code, w.Header())
			}
		}
	}
	for _, secret := range secrets {
		for _, header := range []string{"Bearer " + secret, "bearer  " + secret + " "} {
			if w := ask(h, "GET", "/v1/methods", "", "Authorization", header); w.Code != 200 {
				t.Errorf("%q: %d %s", header, w.Code, w.Body)
			}
		}
		for _, header := range []string{
			"Basic " + secret, secret, "Bearer" + secret, "Bearer " + secret + "x", "Bearer " + secret[1:], "Bearer " + strings.ToLower(secret), "Bearer ", "Bearer", "",
			"Bearer desk", "Bearer " + secret + "," + secret,
		} {
			w := ask(h, "GET", "/v1/methods", "", "Authorization", header)
			if w.Code != 401 || kindOf(w) != "key" || secret != "" && strings.Contains(w.Body.String(), secret) {
				t.Errorf("%q: %d %s", header, w.Code, w.Body)
			}
		}
		if w := ask(h, "GET", "/v1/methods?key="+secret+"&access_token="+secret, ""); w.Code != 401 {
			t.Errorf("a key in the address: %d", w.Code)
		}
	}
}

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		h, secrets := newKeyed(t, Options{}, keyfile.Key{Name: "desk", Rate: keyfile.Rate{Count: 3, Per: time.Minute}}, keyfile.Key{Name: "night"})
		get := func(secret string) (int, string) {
			w := ask(h, "GET", "/v1/methods", "", "Authorization", "Bearer "+secret)
			if w.Code == http.StatusTooManyRequests && kindOf(w) != "rate" {
				t.Errorf("kind %q", kindOf(w))
			}
			return w.Code, w.Header().Get("Retry-After")
		}
		for range 3 {
			if code, _ := get(secrets[0]); code != 200 {
				t.Fatalf("status %d", code)
			}
		}
		for range 5 { // requests that were refused do not count
			if code, wait := get(secrets[0]); code != 429 || wait != "20" {
				t.Errorf("status %d, Retry-After %s, want 429 and 20", code, wait)
			}
		}
		for range 10 {
			if code, _ := get(secrets[1]); code != 200 {
				t.Errorf("another key: %d", code)
			}
		}
		time.Sleep(20 * time.Second)
		if code, _ := get(secrets[0]); code != 200 {
			t.Errorf("status %d after the wait", code)
		}
		if code, _ := get(secrets[0]); code != 429 {
			t.Errorf("status %d, want 429", code)
		}
	})
}

func TestConcurrent(t *testing.T) {
	k := newKey(keyfile.Key{Name: "desk", Concurrent: 2, Rate: keyfile.Rate{Count: 3, Per: time.Hour}})
	now := time.Now()
	first, _, err := k.enter(now)
	if err != nil {
		t.Fatal(err)
	}
	second, _, err := k.enter(now)
	if err != nil {
		t.Fatal(err)
	}
	for range 3 { // costs nothing of the rate
		if _, wait, err := k.enter(now); problemOf(err).kind != "rate" || wait <= 0 {
			t.Errorf("a third one: %v, wait %v", err, wait)
		}
	}
	first()
	third, _, err := k.enter(now)
	if err != nil {
		t.Fatalf("after one has left: %v", err)
	}
	second()
	third()
	if _, _, err := k.enter(now); err == nil || k.open.Load() != 0 {
		t.Errorf("beyond the rate: %v; %d are open", err, k.open.Load())
	}
}

// A batch is as fast as the rate of its key allows, and no faster.
func TestPace(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		stopping := make(chan struct{})
		h, secrets := newKeyed(t, Options{Stopping: stopping}, keyfile.Key{Name: "desk", Rate: keyfile.Rate{Count: 2, Per: time.Second}})
		page, err := json.Marshal(map[string]string{"html": lookPage})
		if err != nil {
			t.Fatal(err)
		}
		began := time.Now()
		send := func(pages int) string {
			return ask(h, "POST", "/v1/batch", strings.Repeat(string(page)+"\n", pages), "Authorization", "Bearer "+secrets[0]).Body.String()
		}
		answers := send(10)
		if n := strings.Count(answers, `"title":"Harbour`); n != 10 {
			t.Errorf("%d articles:\n%s", n, answers)
		}
		if took := time.Since(began); took != 4*time.Second {
			t.Errorf("10 pages took %v, want 4s", took)
		}
		time.Sleep(time.Second) // until the rate allows a request
		time.AfterFunc(time.Second, func() { close(stopping) })
		if answers := send(1000); !strings.Contains(answers, `"kind":"stopping"`) {
			t.Errorf("a batch goes on while the service stops:\n%s", answers)
		}
	})
}

func TestReload(t *testing.T) {
	file, secrets := writeKeys(t, keyfile.Key{Name: "desk", Rate: keyfile.Rate{Count: 1, Per: time.Hour}}, keyfile.Key{Name: "night"})
	keys, err := LoadKeys(file)
	if err != nil {
		t.Fatal(err)
	}
	h := newService(t, Options{Keys: keys})
	get := func(secret string) int {
		return ask(h, "GET", "/v1/methods", "", "Authorization", "Bearer "+secret).Code
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.SplitAfter(string(text), "\n")
	if get(secrets[0]) != 200 || get(secrets[1]) != 200 {
		t.Fatal("the keys are not valid")
	}
	reload := func(text string) error {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return keys.Reload()
	}
	// A broken file changes nothing.
	if err := reload(lines[0] + "broken\n"); err == nil || !strings.Contains(err.Error(), file+": line 2: ") {
		t.Errorf("broken: %v", err)
	}
	if get(secrets[1]) != 200 {
		t.Error("a broken file revokes keys")
	}
	if err := reload("# on leave: " + lines[1] + lines[0]); err != nil {
		t.Fatal(err)
	}
	if code := get(secrets[1]); code != 401 {
		t.Errorf("a key that was removed: %d", code)
	}
	if code := get(secrets[0]); code != 429 {
		t.Errorf("the limit is forgotten: %d", code)
	}
	if err := reload(""); err != nil {
		t.Fatal(err)
	}
	if code := get(secrets[0]); code != 401 {
		t.Errorf("without keys: %d", code)
	}
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := keys.Reload(); err == nil {
		t.Error("a missing file is no error")
	}
}

func TestLoadKeysErrors(t *testing.T) {
	file, _ := writeKeys(t)
	if _, err := LoadKeys(file); err == nil || !strings.Contains(err.Error(), "lede serve key NAME --keys") {
		t.Errorf("no keys: %v", err)
	}
	if _, err := LoadKeys(file + ".missing"); err == nil {
		t.Error("a missing file is no error")
	}
}
