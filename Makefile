# Two commands matter: `make run` and `make test`. `make help` lists the rest.
SHELL := /bin/bash
.DEFAULT_GOAL := help

# What is run and tested is built quickly (`profile.dev`); what is shipped and measured, `cargo build --release` makes.
ANNON := target/debug/annon
SHIPPED := target/release/annon
WEB_SOURCES := $(shell find web -type f \
	-not -path 'web/node_modules/*' -not -path 'web/dist/*' -not -path 'web/e2e/*' 2>/dev/null)
SERVER_SOURCES := $(shell find src actors/src contract/src store/src -name '*.rs') build.rs $(wildcard build/*.rs) Cargo.toml Cargo.lock

.PHONY: help run cluster dev build release web test test-changed test-rust test-web test-browser test-engines lint fmt wire bench bench-peers bench-logs measure torture torture-folder torture-cluster judge-can-fail test-databases calls fuzz sanitizers mutants deb test-deb static test-static image test-image repro sbom deps demo shots screens clean

help: ## Show this list
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: build ## Build everything and serve it on http://127.0.0.1:8080
	$(ANNON)

cluster: build ## Three servers on PostgreSQL with a standby, behind HAProxy, all on this machine
	@bash scripts/cluster.sh

dev: web/node_modules/.package-lock.json ## The web app with hot reload on :5173, against a server it starts
	@bash scripts/dev.sh

build: web/dist/index.html ## Build the one binary, web app included
	cargo build --workspace --bin annon

release: web/dist/index.html ## Build it as it is shipped: faster and smaller, in three times the time
	cargo build --release

# `make test` has built the binary before it needs this.
$(ANNON): web/dist/index.html $(SERVER_SOURCES)
	cargo build --workspace --bin annon
	@touch $@

web: web/dist/index.html ## Build the web app

web/node_modules/.package-lock.json: web/package-lock.json
	cd web && npm ci --no-audit --no-fund

web/dist/index.html: web/node_modules/.package-lock.json $(WEB_SOURCES)
	cd web && npm run build
	@touch $@

test: deps test-web ## Install what the tests need, and run every test
	cargo test --workspace --no-run
	@ANNON_BIN=$(abspath $(ANNON)) bash scripts/test_all.sh

test-changed: deps ## The tests that your change reaches (SINCE=main for a branch)
	@bash scripts/test_changed.sh

test-web: web/dist/index.html ## The web app's unit tests and budgets
	cd web && npm test && npm run test:budget

# This builds the binaries, too. Building them first would build most crates twice, because the
# tests need more features of the shared ones.
test-rust: web/dist/index.html ## The server's tests
	cargo test --workspace

test-browser: deps $(ANNON) ## Whole journeys in a real browser
	cd web && ANNON_BIN=$(abspath $(ANNON)) npm run e2e

test-engines: deps $(ANNON) ## A short walk in Firefox and in WebKit
	cd web && ANNON_BIN=$(abspath $(ANNON)) npm run engines

lint: web/dist/index.html ## Clippy, the web linter, and the crates' licences and sources; a warning is a failure
	cargo fmt --all --check
	cargo clippy --workspace --all-targets -- -D warnings
	cd web && npm run lint && npm run typecheck
	@bash scripts/deny.sh

fmt: web/node_modules/.package-lock.json ## Format everything
	cargo fmt --all
	cd web && npm run fmt

# The contract comes first, because the built server holds a web app that was made with it.
wire: ## Generate what the web app shares with the server: its contract and its types
	ANNON_WRITE_CONTRACT=1 cargo test -p annon-contract
	$(MAKE) build
	$(ANNON) openapi > web/src/shared/wire/openapi.json
	cd web && npm run wire

bench: release ## Measure this machine: chat, notes, sign-ins, pages, pictures, start
	cargo build --release -p annon-bench
	@bash scripts/bench.sh

bench-peers: release ## The same chat against servers that store nothing
	cargo build --release -p annon-bench
	@bash scripts/bench_peers.sh

bench-logs: ## The same appends to the commit log and to two libraries' stores
	cd bench/peers/rust && cargo run --release --locked --bin logs

bench-keys: release ## How long tables of keys are locked while they are written anew, with ten million keys (KEYS=N)
	@bash scripts/bench_keys.sh

measure: deps release ## Measure a group on a phone's screen: opening, scrolling, typing, keeping its place; and what pages weigh
	cd web && ANNON_BIN=$(abspath $(SHIPPED)) npm run measure

torture: torture-folder torture-cluster judge-can-fail calls test-deb test-static test-image repro ## The long form of every proof, one after the other (as root; more than a day)
	RUNS=10000000 $(MAKE) fuzz
	$(MAKE) sanitizers
	$(MAKE) mutants

torture-folder: ## Damage every byte and sector of a data folder, kill the server, cut the power (half an hour; mounts disks as root)
	ANNON_TORTURE=1 cargo test -p annon-store --lib -- commit_log
	ANNON_TORTURE=1 cargo test -p annon-store --test store -- crash:: damage:: --nocapture

# What these look at is a data folder's files, or a setting that databases change.
FOLDERS_ONLY := full_disk memory:: doctor:: forged damaged_picture fresh_server paths_that folder_that \
	a_write_that_fails writes_as_much operator_tries a_check_fails a_second_server restored_if feedback_is_read stats_tell \
	its_owners_alone no_file_holds no_log_line with_a_certificate taken_back_is_gone bare_or_as take_so_much nothing_of_it_stays

test-databases: web/dist/index.html ## The tests of calls and groups again, with PostgreSQL in the place of the data folder
	ANNON_TESTS_ON=databases cargo test --workspace --test server -- api:: rooms:: $(FOLDERS_ONLY:%=--skip %)

# A run of servers and databases that fail, and what is written down of it for the judge.
HISTORY := target/history
JUDGED = target/debug/annon-bench cluster --seed $${ANNON_SEED:-1} --history $(HISTORY)

torture-cluster: build ## Random runs of three servers on one store; an append cut at every byte; real servers that fail 168 times; a standby that takes over 200 times; and Patroni
	cd actors && ANNON_HOUSE_SEEDS=20000 cargo test --workspace --lib -- houses::whichever
	ANNON_TORTURE=1 ANNON_CALLS=10000 cargo test --workspace --test store -- postgres::cuts:: postgres::race:: postgres::crowd::
	ANNON_TORTURE=1 cargo test --workspace --test server -- nodes::at_the_doors
	$(MAKE) test-databases
	cargo build -p annon-bench
	$(JUDGED) --kills 50 --pauses 20 --partitions 30 --restarts 10 --keys-restarts 10 --promotions 5 --both 3 --upgrades 3 \
		&& target/debug/annon-bench judge $(HISTORY)
	$(JUDGED) --nats --nats-kills 20 --deafnesses 20 --kills 0 --pauses 0 --partitions 0 --restarts 0 --keys-restarts 0 \
		--promotions 0 --upgrades 0 && target/debug/annon-bench judge $(HISTORY)
	$(JUDGED) --promotions $${ANNON_PROMOTIONS:-200} --rooms 6 --rate 60 --kills 0 --pauses 0 --partitions 0 --restarts 0 \
		--keys-restarts 0 --upgrades 0 && target/debug/annon-bench judge $(HISTORY)
	$(JUDGED) --patroni --promotions 10 --switchovers 10 --old-primaries 10 --restarts 10 --kills 10 --pauses 0 \
		--partitions 10 --keys-restarts 0 --upgrades 0 && target/debug/annon-bench judge $(HISTORY)
	$(JUDGED) --nodes 1 --rooms 4 --rate 40 --kills 5 --pauses 0 --partitions 3 --restarts 3 --keys-restarts 0 --promotions 2 \
		--upgrades 2 && target/debug/annon-bench judge $(HISTORY)
	target/debug/annon-bench history $(HISTORY) --as porcupine >$(HISTORY).porcupine
	cd bench/porcupine && cargo run --locked --quiet <../../$(HISTORY).porcupine

judge-can-fail: deps web/dist/index.html ## Leave out one condition after the other, and see that the judge of a run finds what follows (RUNS=N tries of each)
	@bash scripts/judge_can_fail.sh

fuzz: ## Fuzz frames, bodies, pictures, tokens, records, the commit log and backups, 20 seconds each (RUNS=10000000: hours)
	@bash scripts/fuzz.sh

# Tests end while tasks of theirs go on, so what they still hold is no leak. Fuzzing looks for leaks.
sanitizers: web/dist/index.html ## The libraries' own tests with AddressSanitizer, and a short fuzzing with it
	RUSTC_BOOTSTRAP=1 RUSTFLAGS=-Zsanitizer=address ASAN_OPTIONS=detect_leaks=0 cargo test --workspace --lib \
		--target $$(rustc -vV | sed -n 's/^host: //p') --target-dir target/sanitized
	SANITIZER=address bash scripts/fuzz.sh

mutants: ## Change the room's machine, frames, seals, the commit log and a part of the engine in one place at a time; what no test notices is missing one
	@bash scripts/mutants.sh

calls: deps ## Hours of calls that schemathesis makes of the API's description (ANNON_CALLS=N of each operation)
	ANNON_CALLS=$${ANNON_CALLS:-2000} ANNON_CALLS_SEED=$${ANNON_CALLS_SEED:-any} cargo test --workspace --test server -- schemathesis:: --nocapture

deb: release ## Make a package for Debian, in target/deb (DEB_ARCH=arm64 after make static for that)
	@DEB_ARCH=$(DEB_ARCH) bash scripts/deb.sh

test-deb: release ## Install, start, upgrade and purge the package in a clean root of Debian's (as root)
	@bash scripts/test_deb.sh

static: web/dist/index.html ## Build one file for any Linux, for x86-64 and arm64, in target/static
	@bash scripts/static.sh

test-static: static ## Run each of them alone in its root, the other machine's in qemu (as root)
	@bash scripts/test_static.sh

# An image has the binary for the machine that makes it.
image: web/dist/index.html ## Make the image `annon`, with the static binary
	@TARGETS=$$(uname -m)-unknown-linux-musl bash scripts/static.sh
	@bash scripts/image.sh

test-image: web/dist/index.html ## Build the image on Debian's packages, run and walk through it (as root; WHOLE=1 builds all within)
	@[ -n "$$WHOLE" ] || TARGETS=$$(uname -m)-unknown-linux-musl bash scripts/static.sh
	@bash scripts/test_image.sh

repro: ## Build the web app and the static binary in two folders, and compare their bytes
	@bash scripts/repro.sh

sbom: release ## Write what `annon sbom` says is in the binary, into target/sbom.cdx.json
	$(SHIPPED) sbom > target/sbom.cdx.json

demo: $(ANNON) ## A server of its own, full of people who write and talk, and links to open; Ctrl-C ends it
	@cd web && ANNON_BIN=$(abspath $(ANNON)) npm run --silent demo

shots: deps $(ANNON) ## Make the pictures of README from the app, into docs/pictures
	cd web && ANNON_BIN=$(abspath $(ANNON)) npm run shots

screens: deps $(ANNON) ## Pictures of every screen, into web/e2e/shots
	cd web && ANNON_BIN=$(abspath $(ANNON)) npm run screens

deps: ## Install what the tests need beyond Rust and Node
	@bash scripts/deps.sh

clean: ## Remove what was built; data stays
	cargo clean
	rm -rf web/dist web/node_modules
