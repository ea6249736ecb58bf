#!/usr/bin/env bash
# Fetches and builds what `twiddle bench` compares with and Debian has not ready made:
#   FFTW    from Debian's source package, as libfftw3[f]_avx2.so and libfftw3[f]_avx512.so. Debian's own build has SSE2
#           and AVX only. Configured with FFTW's own compiler flags, threads included; the AVX-512 library holds the
#           others' codelets as well, so that its planner may choose.
#   MKL     from its Python packages (Intel Simplified Software License), without installing them.
#   build_bench_peers.sh FOLDER
# Whatever is there already stays; a peer that cannot be had is named, and the others are made. Needs no root.
set -uo pipefail

folder=$(realpath -m "${1:?usage: build_bench_peers.sh FOLDER}")
jobs=${JOBS:-$(nproc)}
mkdir -p "$folder"
cd "$folder" || exit 1
failures=0

# fail PEER LOG
fail() {
  echo "bench peers: no $1; the end of $2:" >&2
  tail -n 5 "$2" >&2
  failures=1
}

# Debian's source package, by a package list of our own: the system's sources need not name source packages.
fetch_fftw() {
  ls "$folder"/sources/fftw-3*/configure >/dev/null 2>&1 && return
  mkdir -p sources/apt/lists/partial sources/apt/cache sources/apt/parts
  printf 'Types: deb-src\nURIs: %s\nSuites: bookworm\nComponents: main\nSigned-By: %s\n' \
    http://deb.debian.org/debian /usr/share/keyrings/debian-archive-keyring.gpg >sources/apt/parts/debian.sources
  local options=(-q -o Dir::Etc::sourcelist=/dev/null -o Dir::Etc::sourceparts="$folder/sources/apt/parts"
    -o Dir::State::lists="$folder/sources/apt/lists" -o Dir::Cache="$folder/sources/apt/cache" -o APT::Sandbox::User=)
  (cd sources && apt-get "${options[@]}" update && apt-get "${options[@]}" source --download-only fftw3 &&
    tar xf fftw3_*.orig.tar.gz)
}

# build_fftw NAME PRECISION_SUFFIX CONFIGURE_OPTION...
build_fftw() {
  local target=libfftw3$2_$1.so build=build-$1$2 log=build-$1$2.log
  shift
  local suffix=$1
  shift
  [ -f "$target" ] && return
  rm -rf "$build" && mkdir "$build"
  # Linked from the static library, since two shared libraries of one name would be taken for the same when loaded.
  { (cd "$build" && "$folder"/sources/fftw-3*/configure "$@" --enable-threads --with-combined-threads --with-pic \
    --enable-static --disable-shared --disable-fortran --disable-doc && make -j "$jobs") &&
    gcc -shared -o "$target.new" -Wl,--whole-archive "$build/.libs/libfftw3$suffix.a" -Wl,--no-whole-archive \
      -lm -lpthread && mv "$target.new" "$target"; } >"$log" 2>&1 || { fail "$target" "$log"; return; }
  rm -rf "$build"
}

fetch_mkl() {
  [ -e mkl/libmkl_rt.so ] && return
  mkdir -p mkl
  python3 -m pip download --quiet --no-deps --dest mkl mkl &&
    python3 - mkl <<'PYTHON'
import pathlib, re, sys, zipfile
folder = pathlib.Path(sys.argv[1])
wanted = re.compile(r'libmkl_(rt|core|intel_lp64|gnu_thread|sequential|def|mc3|avx2|avx512)\.so\.\d+$')
for wheel in folder.glob('*.whl'):
    with zipfile.ZipFile(wheel) as archive:
        for name in archive.namelist():
            if wanted.search(name):
                (folder / pathlib.Path(name).name).write_bytes(archive.read(name))
    wheel.unlink()
library = next(folder.glob('libmkl_rt.so.*'))
(folder / 'libmkl_rt.so').symlink_to(library.name)
PYTHON
}

if fetch_fftw >fetch-fftw.log 2>&1; then
  options=(--enable-sse2 --enable-avx --enable-avx2 --enable-fma)
  build_fftw avx512 f "${options[@]}" --enable-avx512 --enable-single
  build_fftw avx512 "" "${options[@]}" --enable-avx512
  build_fftw avx2 f "${options[@]}" --enable-single
  build_fftw avx2 "" "${options[@]}"
else
  fail "FFTW" fetch-fftw.log
fi
fetch_mkl >fetch-mkl.log 2>&1 || fail "MKL" fetch-mkl.log
exit $failures
