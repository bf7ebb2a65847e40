# The two commands of the README need no make. These targets are for convenience, for a
# release (make check) and for a night (make long).

.PHONY: build test check long bench fuzz hostile eval eval-gate model rules left-out papers rivals chart kills follow stories stories-scale slices batch-memory batch-scaling python-bench cluster-bench wheels golden clean

CORPORA ?= ../shared/corpora

build: ## build bin/lede and bin/lede-lab
	go build -o bin/ ./cmd/...

test: ## the tests of every day
	scripts/test.sh

check: ## what a release needs: also all wheels, the Spark cluster, renderers, OpenAPI, axe, the Containerfile, and the default without each corpus
	scripts/test.sh --check
	$(MAKE) left-out

long: kills follow stories stories-scale slices batch-memory hostile eval-gate bench ## what a night has time for
	LEDE_LONG=1 go test -count 1 -timeout 170m ./...

bench: ## run all benchmarks, on $(CORPORA) if it exists
	go test -run '^$$' -bench . ./...

FUZZTIME ?= 5m
fuzz: ## run every fuzz target for FUZZTIME
	scripts/fuzz.sh $(FUZZTIME)

HOSTILE ?= 10m
SEED ?= 1
TAGS ?= 0
hostile: ## search for the pages that cost the most for each byte, and for those whose costs grow faster than they do, HOSTILE each; write the former to bin/hostile; TAGS=40 finds other reasons than many tags
	go test . -run 'TestHostileSearch$$' -count 1 -v -timeout 170m -args -hostile.time $(HOSTILE) -hostile.seed $(SEED) -hostile.tags $(TAGS)
	go test ./internal/lab/hostile -run 'TestGrowthSearch$$' -count 1 -v -timeout 170m -args -hostile.time $(HOSTILE) -hostile.seed $(SEED)

eval: build ## evaluate every method on every corpus; write bin/report.html and bin/figures.json
	bin/lede-lab eval $(CORPORA)/*/ --measure all --report bin/report.html --json bin/figures.json

eval-gate: ## fail if a method falls below bench/floors.json
	scripts/eval-gate.sh

SUITES ?= ../shared/suites
TRAINING = $(addprefix $(CORPORA)/,wcxb fundus-publishers daniel dragnet readability cleanportaleval chinese) $(addprefix $(SUITES)/,defuddle omnivore)
model: build ## train the default again, compare its cross-validation with bench/floors.json, and its bytes with the shipped model
	mkdir -p bin/model
	bin/lede-lab train story $(TRAINING) --newsroom 24 --cross bin/model/cross --out bin/model/model.bin
	for c in $(TRAINING); do bin/lede-lab eval $$c --methods blend --pred cross=bin/model/cross/$$(basename $$c).jsonl --floors bench/floors.json || exit 1; done
	cmp bin/model/model.bin internal/methods/blend/model.bin

rules: build ## measure what each rule of the default gains, by the models of make model
	bin/lede-lab experiment rules $(TRAINING) --cross bin/model/cross

LEFT_OUT ?= wcxb fundus-publishers daniel dragnet
left-out: build ## train the default without each corpus of LEFT_OUT, and measure it on that corpus
	mkdir -p bin/left-out
	for c in $(LEFT_OUT); do \
	  bin/lede-lab train story $$(for t in $(TRAINING); do [ $$(basename $$t) = $$c ] || echo $$t; done) --trees 100 --out bin/left-out/$$c.bin && \
	  bin/lede batch $(CORPORA)/$$c --charset utf-8 --model bin/left-out/$$c.bin --quiet --overwrite --out bin/left-out/$$c.jsonl; \
	  bin/lede-lab eval $(CORPORA)/$$c --methods blend --pred left-out=bin/left-out/$$c.jsonl || exit 1; \
	done

papers: build ## repeat the experiments of the papers; print the published figures beside ours
	bin/lede-lab experiment nce $(addprefix $(CORPORA)/,l3s-gn1 cleanportaleval daniel dragnet fundus-publishers)
	bin/lede-lab experiment coreex $(addprefix $(CORPORA)/,l3s-gn1 daniel fundus-publishers wcxb)
	bin/lede-lab experiment twcem $(addprefix $(CORPORA)/,cleaneval chinese daniel fundus-publishers l3s-gn1)
	bin/lede-lab experiment stadynot $(addprefix $(CORPORA)/,daniel cleanportaleval)
	bin/lede-lab experiment wrapper

rivals: ## compare lede and rival libraries, on one core; write bin/rivals.json; PAGES=100 takes the first 100 of each corpus
	mkdir -p bin
	bench/peers/run.sh $(if $(PAGES),--limit $(PAGES)) --json bin/rivals.json $(CORPORA)/*/

chart: ## draw docs/speed.svg, quality against speed, from the figures of make rivals
	cd bench/peers && go run . chart ../../bin/rivals.json ../../docs/speed.svg

KILLS ?= 100
kills: ## kill batches, lede follow, and writers of the site store, of the index of stories and of archives at random moments, KILLS times
	LEDE_KILLS=$(KILLS) go test ./site/store ./stories/store ./internal/output/... ./cmd/lede -run Kill -count 1 -v -timeout 60m

SITES ?= 100
DAYS ?= 14
follow: ## follow SITES synthetic sites for DAYS days of fake time; what is found, fetched and asked for
	go test ./follow -run TestPress -count 1 -v -timeout 170m -press.sites $(SITES) -press.days $(DAYS)

WIRE ?= 20000
SEEDS ?= 3
stories: ## judge copies and stories by WIRE synthetic wire stories of each of SEEDS seeds, by kind and language
	go test ./stories/store -run TestWire -count 1 -v -timeout 170m -args -wire.articles $(WIRE) -wire.seeds $(SEEDS)

ARTICLES ?= 10000 100000 1000000
stories-scale: ## add ARTICLES synthetic articles to an index of stories; measure time, memory and the size of the file
	LEDE_STORIES_SCALE="$(ARTICLES)" go test ./stories/store -run 'TestScale$$' -count 1 -v -timeout 170m

SLICES ?= 20000
slices: ## find stories in slices of time; compare processor time and pairs with those of one run
	LEDE_SLICES=$(SLICES) go test ./cmd/lede -run StoriesJoin -count 1 -v -timeout 60m

MEMORY_PAGES ?= 1000 10000 100000
batch-memory: ## measure the peak memory of batches of MEMORY_PAGES pages
	LEDE_BATCH_PAGES="$(MEMORY_PAGES)" go test ./cmd/lede -run TestMemory -count 1 -v -timeout 24h

ROUNDS ?= 20
FLOOR ?= 0.9
batch-scaling: ## compare a batch on one core and on all, ROUNDS times; fail below FLOOR of linear speed-up
	LEDE_SCALING=$(FLOOR) go test ./cmd/lede -run '^$$' -bench '^BenchmarkBatch$$' -benchtime $(ROUNDS)x

BENCHED ?= 4000
python-bench: build ## compare extract_many of the package for Python with lede batch on BENCHED pages; fail below .85
	LEDE_COMMAND=bin/lede PYTHONPATH=python python3 bench/python/throughput.py --pages $(BENCHED) --corpora $(CORPORA) --floor .85

CLUSTER ?=
cluster-bench: ## compare lede on Spark with lede stories, and with lede batch if CLUSTER names archives
	scripts/cluster.sh --bench $(CLUSTER)

WHEELS = linux-amd64 linux-arm64 darwin-amd64 darwin-arm64 windows-amd64 windows-arm64
wheels: ## build the source distribution and the wheels of all platforms in dist/
	python3 -m venv bin/python-wheels
	bin/python-wheels/bin/pip install -q 'build==1.6.1'
	rm -rf dist
	bin/python-wheels/bin/python -m build --sdist --outdir dist
	for p in $(WHEELS); do LEDE_PLATFORM=$$p bin/python-wheels/bin/python -m build --wheel --outdir dist || exit 1; done

golden: ## record the golden files; read the diff before you commit it
	go test . -run 'TestPages|TestAPI' -update
	go test ./format -update

clean:
	rm -rf bin dist python/lede_news/bin
