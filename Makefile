# The two commands of the README need no make; these targets are for convenience
# and for the slow tests.

.PHONY: build test bench fuzz hostile long eval eval-gate papers rivals chart kills follow follow-kills follow-memory stories stories-bad stories-scale serve-load damaged batch-memory batch-scaling python python-long python-bench cluster-test cluster-bench wheels golden clean

build: ## build bin/lede and bin/lede-lab
	go build -o bin/ ./cmd/...

test: ## run everything that CI runs
	scripts/test.sh

bench: ## run all benchmarks, on ../shared/corpora if it exists
	go test -run '^$$' -bench . ./...

FUZZTIME ?= 5m
fuzz: ## run every fuzz target for FUZZTIME
	scripts/fuzz.sh $(FUZZTIME)

HOSTILE ?= 10m
SEED ?= 1
TAGS ?= 0
hostile: ## search for the pages that cost the most for each byte, for HOSTILE; write them to bin/hostile; TAGS=40 finds other reasons than many tags
	go test . -run 'TestHostileSearch$$' -count 1 -v -timeout 170m -args -hostile.time $(HOSTILE) -hostile.seed $(SEED) -hostile.tags $(TAGS)

long: ## the tests that go through pages of the corpora, on all of them
	LEDE_LONG=1 go test -count 1 -timeout 60m ./...

CORPORA ?= ../shared/corpora
eval: build ## evaluate every method on every corpus; write bin/report.html and bin/figures.json
	bin/lede-lab eval $(CORPORA)/*/ --measure all --report bin/report.html --json bin/figures.json

eval-gate: ## fail if a method falls below bench/floors.json
	scripts/eval-gate.sh

papers: build ## repeat the experiments of the papers; print the published figures beside ours
	bin/lede-lab experiment nce $(addprefix $(CORPORA)/,l3s-gn1 cleanportaleval daniel dragnet fundus-publishers)
	bin/lede-lab experiment coreex $(addprefix $(CORPORA)/,l3s-gn1 daniel fundus-publishers wcxb)
	bin/lede-lab experiment twcem $(addprefix $(CORPORA)/,cleaneval chinese daniel fundus-publishers l3s-gn1)
	bin/lede-lab experiment stadynot $(addprefix $(CORPORA)/,daniel cleanportaleval)
	bin/lede-lab experiment wrapper $(addprefix $(CORPORA)/,daniel cleanportaleval fundus-publishers)

rivals: ## compare lede and rival libraries, on one core; write bin/rivals.json; PAGES=100 takes the first 100 of each corpus
	mkdir -p bin
	cd bench/peers && go run . $(if $(PAGES),--limit $(PAGES)) --json ../../bin/rivals.json ../../$(CORPORA)/*/

chart: ## draw docs/speed.svg, quality against speed, from the figures of make rivals
	cd bench/peers && go run . chart ../../bin/rivals.json --out ../../docs/speed.svg

KILLS ?= 100
kills: ## kill writers of the site store, of the index of stories, of outputs and of archives, and batches and lede follow, at random moments, KILLS times
	LEDE_KILLS=$(KILLS) go test ./site/store ./stories/store ./internal/output/sink ./internal/output/archive ./cmd/lede -run Kill -count 1 -v -timeout 60m

SITES ?= 100
DAYS ?= 14
follow: ## follow SITES made-up sites for DAYS days of fake time, by all ways and by each alone; what is found, fetched and asked for
	go test ./follow -run TestPress -count 1 -v -timeout 170m -press.sites $(SITES) -press.days $(DAYS)

follow-kills: ## kill lede follow at random moments, KILLS times; part of kills and long
	LEDE_KILLS=$(KILLS) go test ./cmd/lede -run TestFollowKill -count 1 -v -timeout 60m

FOLLOWED ?= 1000:48 20:168
follow-memory: ## measure the memory of a process that follows SITES:HOURS of fake time; FOLLOWED lists the sizes
	LEDE_FOLLOW_MEMORY="$(FOLLOWED)" go test ./follow -run 'TestMemory$$' -count 1 -v -timeout 170m

ARTICLES ?= 10000 100000 1000000
stories-scale: ## add ARTICLES made-up articles to an index of stories; measure time, memory and the size of the file
	LEDE_STORIES_SCALE="$(ARTICLES)" go test ./stories/store -run 'TestScale$$' -count 1 -v -timeout 170m

DAMAGED ?= 1000
damaged: ## damage files of each kind that lede reads again, DAMAGED times; each must be usable within a second
	LEDE_DAMAGED=$(DAMAGED) go test ./site/store ./stories/store ./batch ./internal/output/sink ./internal/twopass ./follow -run Damaged -count 1 -v -timeout 60m | grep -v -e '=== RUN' -e '^ *--- PASS'

WIRE ?= 20000
SEEDS ?= 3
stories: ## judge copies and stories by WIRE made-up wire stories of each of SEEDS seeds, by kind and language, and in any order
	go test ./stories/store -run TestWire -count 1 -v -timeout 170m -args -wire.articles $(WIRE) -wire.seeds $(SEEDS)

COPIES ?= 1000000
stories-bad: ## add COPIES copies of one article, near copies and other bad input to an index of stories
	LEDE_LONG=1 go test ./stories/store -run 'Bad|Long|Copies|Boilerplate|Attack' -count 1 -v -timeout 170m -args -bad.copies $(COPIES)

LOAD ?= 500 1m
serve-load: ## compare the throughput of lede serve with that of the library; send it requests from LOAD clients, half of them slow; end it under load
	LEDE_THROUGHPUT=0.85 go test ./serve -run '^$$' -bench Throughput -benchtime 20x
	LEDE_LOAD="$(LOAD)" LEDE_KILLS=20 go test ./cmd/lede -run 'TestServeLoad|TestServeTerminate' -count 1 -v -timeout 60m

PAGES ?= 1000 10000 100000
batch-memory: ## measure the peak memory of batches of PAGES pages
	LEDE_BATCH_PAGES="$(PAGES)" go test ./cmd/lede -run TestMemory -count 1 -v -timeout 24h

ROUNDS ?= 20
FLOOR ?= 0.9
batch-scaling: ## compare a batch on one core and on all, ROUNDS times; fail below FLOOR of linear speed-up
	LEDE_SCALING=$(FLOOR) go test ./cmd/lede -run '^$$' -bench '^BenchmarkBatch$$' -benchtime $(ROUNDS)x

BENCHED ?= 4000
python-bench: build ## compare extract_many of the package for Python with lede batch on BENCHED pages; fail below .85
	LEDE_COMMAND=bin/lede PYTHONPATH=python python3 bench/python/throughput.py --pages $(BENCHED) --corpora $(CORPORA) --floor .85

python: ## build, install and test the wheel of the Python package for this machine
	scripts/python.sh

python-long: python-bench ## the same with the wheels of all platforms and the long forms of the tests, and throughput
	LEDE_LONG=1 scripts/python.sh

cluster-test: ## test lede on a Spark standalone cluster of this machine, one worker of which is killed
	scripts/cluster.sh

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
