# The two commands of the README need no make; these are for convenience.

.PHONY: build test bench fuzz eval eval-gate rivals kills batch-memory batch-scaling golden clean

build: ## the tool, as bin/lede
	go build -o bin/lede ./cmd/lede

test: ## everything that CI runs
	scripts/test.sh

bench: ## the figures of the benchmarks, on ../shared/corpora where that is there
	go test -run '^$$' -bench . ./...

FUZZTIME ?= 5m
fuzz: ## every fuzz target for FUZZTIME
	scripts/fuzz.sh $(FUZZTIME)

CORPORA ?= ../shared/corpora
eval: build ## every method on every corpus, with report.html and figures.json in bin/
	bin/lede eval $(CORPORA)/*/ --measure all --report bin/report.html --json bin/figures.json

eval-gate: ## fail when a method does worse than bench/floors.json says
	scripts/eval-gate.sh

rivals: ## methods and rival libraries side by side, on one core
	cd bench/peers && go run . ../../$(CORPORA)/*/

KILLS ?= 100
kills: ## kill writers of the site store, and batches, at random moments, KILLS times
	LEDE_KILLS=$(KILLS) go test ./site/store ./cmd/lede -run Kill -count 1 -v -timeout 60m

PAGES ?= 1000 10000 100000
batch-memory: ## the most memory that batches of so many PAGES take, and the slope
	LEDE_BATCH_PAGES="$(PAGES)" go test ./cmd/lede -run TestMemory -count 1 -v -timeout 24h

ROUNDS ?= 20
FLOOR ?= 0.9
batch-scaling: ## pages a second of a batch on one core and on all, in turn, ROUNDS times; fails under FLOOR of what the cores could do
	LEDE_SCALING=$(FLOOR) go test ./cmd/lede -run '^$$' -bench '^BenchmarkBatch$$' -benchtime $(ROUNDS)x

golden: ## record the golden files anew; read the difference before you commit it
	go test . -run TestPages -update
	go test ./format -update

clean:
	rm -rf bin
