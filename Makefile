# queuelab. `make` alone lists what can be made.

STUDY   = article
PROFILE = quick

# Go's usual home, for those whose PATH does not have it yet.
export PATH := $(PATH):/usr/local/go/bin

COMMIT      = $(shell git describe --always --dirty 2>/dev/null || echo not available)
LOCAL       = reports/local/$(STUDY)
FLOORS      = $(wildcard cmd sim measure drivers analysis notebooks reports)
STATICCHECK = v0.8.2
VEGETA      = v12.13.0
BOMBARDIER  = v1.2.6
HDR_JS      = 3.0.1
# Packages in which goroutines share state.
CONCURRENT  = ./measure ./measure/lab/known ./drivers

.PHONY: help build test check report publish demo peers peer-tools bench error-rates interop clean

help: ## list what can be made
	@echo "make TARGET [PROFILE=tiny|quick|paper] [STUDY=NAME]"
	@sed -n 's/^\([a-z-]*\):.*## /\1 /p' Makefile | while read -r target text; do printf '  %-11s %s\n' "$$target" "$$text"; done

build: ## build bin/queuelab
	@command -v go >/dev/null || { echo "Go is not installed: see https://go.dev/doc/install" >&2; exit 1; }
	go build -buildvcs=false -ldflags "-X 'main.commit=$(COMMIT)'" -o bin/queuelab ./cmd/queuelab

report: build $(if $(filter peers,$(STUDY)),peer-tools) ## install nginx and PostgreSQL if missing, measure a study into reports/local/
	.ci/install nginx postgresql
	@$(renew)

publish: report ## measure a study and renew its committed report
	find reports/$(STUDY) -mindepth 1 -maxdepth 1 ! -name study.yaml -exec rm -r {} +
	cp -R $(LOCAL)/. reports/$(STUDY)/

demo: STUDY = demo
demo: build ## M/D/1 against M/M/1, predicted and observed; needs nothing installed
	@$(renew)

peers: STUDY = peers
peers: build peer-tools ## compare with other load generators, installed if missing, into reports/local/
	.ci/install nginx postgresql
	@$(renew)

# The load generators of the study peers; pgbench comes with PostgreSQL. One that
# cannot be installed is named as missing by the report.
peer-tools:
	-.ci/install wrk hey ab
	-$(call pinned,vegeta,github.com/tsenart/vegeta/v12,$(VEGETA))
	-$(call pinned,bombardier,github.com/codesenberg/bombardier,$(BOMBARDIER))

# pinned installs a program by its module and version into bin/.
pinned = [ -e bin/$(1)-$(3) ] || { GOBIN=$(CURDIR)/bin go install $(2)@$(3) && ln -f bin/$(1) bin/$(1)-$(3); }

# renew makes $(LOCAL) again. The one that was there comes back when the new one
# fails or is interrupted.
define renew
old=reports/local/.$(STUDY).old; \
if [ -e $(LOCAL) ]; then rm -rf $$old; mv $(LOCAL) $$old; fi; \
trap 'if [ -e $$old ] && [ ! -e $(LOCAL) ]; then mv $$old $(LOCAL); fi; rm -rf $$old' EXIT; \
trap 'exit 130' HUP INT TERM; \
bin/queuelab report -profile $(PROFILE) -out $(LOCAL) $(STUDY)
endef

test: check ## install what the tests need, check the code, run all tests
	.ci/install nginx postgresql cc ps
	go test -p 2 ./...
	go test -p 2 -race -short $(CONCURRENT)

check: bin/staticcheck-$(STATICCHECK) ## gofmt, go.mod, vet and staticcheck alone
	@unformatted=$$(gofmt -l $(FLOORS)); if [ -n "$$unformatted" ]; then echo "not formatted by gofmt:" $$unformatted >&2; exit 1; fi
	go mod tidy -diff
	go vet ./...
	bin/staticcheck-$(STATICCHECK) ./...

bin/staticcheck-$(STATICCHECK):
	GOBIN=$(CURDIR)/bin go install honnef.co/go/tools/cmd/staticcheck@$(STATICCHECK)
	mv bin/staticcheck $@

bench: ## run the Go benchmarks
	go test -p 1 -run '^$$' -bench . -benchmem ./...

error-rates: ## how often does compare err? 40 comparisons with the same, 40 with 5 % more
	QUEUELAB_ERROR_RATES=1 go test ./cmd/queuelab -count 1 -run '^TestErrorRates$$' -v -timeout 30m

interop: ## does another HdrHistogram read latency.hlog? installs hdr-histogram-js
	npm install --no-audit --no-fund --prefix bin/hdr hdr-histogram-js@$(HDR_JS)
	QUEUELAB_HDR_HISTOGRAM_JS=$(CURDIR)/bin/hdr go test ./measure/record -count 1 -run '^TestHistogramLogInAnotherImplementation$$' -v

clean: ## remove what was built and the local reports
	rm -rf bin reports/local
