#!/usr/bin/env bash
# Installs a build to a folder of its own, then builds and runs the consumer against it, outside the tree.
# run.sh BUILD_FOLDER CXX_COMPILER
set -euo pipefail
build=$1
compiler=$2
source=$(cd "$(dirname "$0")" && pwd)
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

cmake --install "$build" --prefix "$scratch/prefix" >/dev/null
cp "$source/CMakeLists.txt" "$source/main.cpp" "$scratch"
cmake -S "$scratch" -B "$scratch/build" -DCMAKE_PREFIX_PATH="$scratch/prefix" -DCMAKE_CXX_COMPILER="$compiler" \
  -DCMAKE_BUILD_TYPE=Release
cmake --build "$scratch/build"
"$scratch/build/consumer"
# The installed command must find the installed library, wherever the prefix is.
"$scratch/prefix/bin/twiddle" plan 1000
