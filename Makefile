# The two commands of the README need no make; these are for convenience.

.PHONY: build test bench fuzz golden clean

build: ## the tool, as bin/lede
	go build -o bin/lede ./cmd/lede

test: ## everything that CI runs
	scripts/test.sh

bench: ## the figures of the benchmarks, on ../shared/corpora where that is there
	go test -run '^$$' -bench . ./...

FUZZTIME ?= 5m
fuzz: ## every fuzz target for FUZZTIME
	scripts/fuzz.sh $(FUZZTIME)

golden: ## record the golden files anew; read the difference before you commit it
	go test . -run TestPages -update
	go test ./format -update

clean:
	rm -rf bin
