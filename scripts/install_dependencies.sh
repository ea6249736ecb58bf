#!/usr/bin/env bash
# Installs what building twiddle needs and this machine lacks (Debian 12 packages).
#   install_dependencies.sh [demo|test|bench|aarch64]     demo: library and command (the default); test: the tests and checks as well;
#                       bench: what `make bench` compares with and draws by; aarch64: a cross compiler and an emulator
# Silent and quick where nothing is missing. The lists follow the find_package and pkg_check_modules calls of CMake.
set -euo pipefail

level=${1:-demo}
packages=(
  cmake ninja-build g++ pkg-config
  libfmt-dev libhwy-dev libtbb-dev libxxhash-dev libfp16-dev opencl-headers opencl-clhpp-headers
  libcli11-dev nlohmann-json3-dev libgraphicsmagick++1-dev libtiff-dev libsndfile1-dev
)
case $level in
  demo) ;;
  test) packages+=(clang lld libgtest-dev libxtensor-dev libfftw3-dev ocl-icd-libopencl1 pocl-opencl-icd oclgrind
                  python3-numpy python3-scipy) ;;
  bench) packages+=(libfftw3-dev python3-pythran python3-pip gnuplot-nox libvkfft-dev ocl-icd-libopencl1
                   pocl-opencl-icd make gcc libgomp1) ;;
  aarch64) packages+=(g++-aarch64-linux-gnu qemu-user) ;;
  *) echo "usage: ${0##*/} [demo|test|bench|aarch64]" >&2; exit 2 ;;
esac

if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
  echo "This is not Debian: please make sure that you have the equivalents of: ${packages[*]}" >&2
  exit 0  # CMake names whatever is missing
fi

# An OpenCL loader of the GPU's vendor serves as well, and must not be replaced.
has_opencl_loader() { PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null | grep -q 'libOpenCL\.so\.1'; }

missing=()
for package in "${packages[@]}"; do
  status=$(dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$status" = installed ] && continue
  [ "$package" = ocl-icd-libopencl1 ] && has_opencl_loader && continue
  missing+=("$package")
done
[ ${#missing[@]} -eq 0 ] && exit 0

if [ "$(id -u)" -eq 0 ]; then
  as_root=()
elif command -v sudo >/dev/null; then
  as_root=(sudo)
  [ -t 0 ] || as_root=(sudo -n)  # nobody is there to type a password
else
  echo "Missing packages, and neither root nor sudo to install them. As root, run:" >&2
  echo "  apt-get install --no-install-recommends ${missing[*]}" >&2
  exit 1
fi

echo "Installing ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt=("${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -q -o DPkg::Lock::Timeout=300)
if ! { "${apt[@]}" update && "${apt[@]}" install -y --no-install-recommends "${missing[@]}"; } </dev/null >"$log" 2>&1; then
  tail -n 20 "$log" >&2
  echo "apt-get could not install: ${missing[*]}" >&2
  echo "Check the network and the package sources (Debian 12 has all of them), or install them by hand." >&2
  exit 1
fi
