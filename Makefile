# The front door. `make help` lists what it can do; CMakePresets.json holds the builds behind it.
.DEFAULT_GOAL := help
.PHONY: help demo test check test-long test-exhaustive sanitize aarch64 bench install format clean

IMAGE ?=
JOBS ?= $(shell nproc)
PREFIX ?= /usr/local
QUICK ?=
PEERS ?= fftw,fftw-avx2,fftw-avx512,mkl,pocketfft
RESULTS ?= host-speed$(if $(QUICK),-quick)
WARNINGS_AS_ERRORS ?= OFF
CONFIGURE = cmake -DTWIDDLE_WARNINGS_AS_ERRORS=$(WARNINGS_AS_ERRORS) --preset
BUILD = cmake --build --parallel $(JOBS) --preset
CTEST = ctest --output-on-failure --no-tests=error -j $(JOBS) --preset

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):.*## (.*)/  make \1\t\2/' | expand -t 20

demo:  ## install what is missing, build, filter a picture (IMAGE=photo.jpg for one of yours)
	@scripts/install_dependencies.sh demo
	@[ -x build/twiddle ] || echo "Building twiddle (a few minutes the first time)"
	@log=$$(mktemp); { cmake --preset release && $(BUILD) release; } >$$log 2>&1 || { cat $$log; rm $$log; exit 1; }; rm $$log
	@scripts/demo.sh build "$(IMAGE)"

test:  ## install what is missing, build, run every check and test (some twenty minutes on two cores)
	scripts/install_dependencies.sh test
	$(CONFIGURE) test
	$(BUILD) test
	$(CTEST) test

check:  ## build and run the tests only, for everyday work
	$(CONFIGURE) test
	$(BUILD) test
	$(CTEST) test

test-long:  ## the tests that take hours
	scripts/install_dependencies.sh test
	$(CONFIGURE) test
	$(BUILD) test
	$(CTEST) long

test-exhaustive:  ## every length of every kind beside FFTW, and random problems; goes on where it was interrupted
	scripts/install_dependencies.sh test
	$(CONFIGURE) test
	$(BUILD) test
	$(CTEST) exhaustive; status=$$?; python3 tests/verify/summarize_results.py build/exhaustive && exit $$status

sanitize:  ## build by clang with sanitizers, as a shared library; run a selection of tests and a program against it (ten minutes)
	scripts/install_dependencies.sh test
	$(CONFIGURE) test
	$(BUILD) test --target generate_butterflies
	$(CONFIGURE) sanitize -DTWIDDLE_NATIVE_GENERATOR=$(CURDIR)/build/generate_butterflies
	$(BUILD) sanitize
	$(CTEST) sanitize

aarch64:  ## cross-compile for 64-bit ARM, run tests of the NEON code under qemu-user (some minutes)
	scripts/install_dependencies.sh aarch64
	scripts/fetch_aarch64_packages.sh build-aarch64/packages
	$(CONFIGURE) aarch64
	$(BUILD) aarch64
	$(CTEST) aarch64

bench:  ## compare the speed with other libraries' (QUICK=1: minutes instead of hours); goes on where it was interrupted
	scripts/install_dependencies.sh bench
	$(CONFIGURE) bench
	$(BUILD) bench
	-scripts/build_bench_peers.sh build/peers
	build/twiddle bench --suite throughput,latency --peer $(PEERS) $(if $(QUICK),--quick) \
	  --csv build/$(RESULTS).csv --plot build/$(RESULTS).png

install:  ## install the library and the command under PREFIX (/usr/local)
	scripts/install_dependencies.sh demo
	cmake --preset release
	$(BUILD) release
	cmake --install build --prefix "$(PREFIX)"

format:  ## format the sources
	git ls-files '*.cpp' '*.hpp' | xargs clang-format -i

clean:  ## remove everything that was built
	rm -rf build build-* out
