#!/usr/bin/env bash
# Unpacks what the library and its tests need of Debian 12 for aarch64 into a folder, for cross-compiling. Installs nothing
# and needs no root: packages of another architecture beside this one's would replace some of them.
#   fetch_aarch64_packages.sh FOLDER
set -euo pipefail
folder=$(realpath -m "${1:?usage: fetch_aarch64_packages.sh FOLDER}")
packages=(libfmt-dev libfmt9 libhwy-dev libhwy1 libtbb-dev libtbb12 libtbbmalloc2 libtbbbind-2-5 libxxhash-dev libxxhash0 libfp16-dev
  nlohmann-json3-dev opencl-headers opencl-c-headers opencl-clhpp-headers libgtest-dev libgmock-dev
  libfftw3-dev libfftw3-single3 libfftw3-double3 libfftw3-long3 libfftw3-bin)
[ -f "$folder/complete" ] && exit 0

mkdir -p "$folder"/apt/{lists/partial,cache,parts} "$folder/packages"
cp /usr/share/keyrings/debian-archive-keyring.gpg "$folder/apt/"
printf 'Types: deb\nURIs: %s\nSuites: bookworm\nComponents: main\nSigned-By: %s\n' \
  http://deb.debian.org/debian "$folder/apt/debian-archive-keyring.gpg" >"$folder/apt/parts/debian.sources"
options=(-q -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o Dir::Etc::sourcelist=/dev/null
  -o Dir::Etc::sourceparts="$folder/apt/parts" -o Dir::State::lists="$folder/apt/lists"
  -o Dir::State::status=/dev/null -o Dir::Cache="$folder/apt/cache" -o APT::Sandbox::User=)
apt-get "${options[@]}" update >"$folder/log"
(cd "$folder/packages" && apt-get "${options[@]}" download "${packages[@]}" >>"$folder/log")
for package in "$folder"/packages/*.deb; do dpkg-deb -x "$package" "$folder"; done
rm -rf "$folder/apt" "$folder/packages"
touch "$folder/complete"
