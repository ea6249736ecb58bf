#!/usr/bin/env bash
# Instructions of one execution, ours beside other libraries', by Valgrind's callgrind: a Markdown table.
#   count_instructions.sh BUILD_FOLDER [PROBLEM...]
# Valgrind has no AVX-512: it hides these instructions, so that every library takes AVX2 or less.
set -euo pipefail
build=${1:?usage: count_instructions.sh BUILD_FOLDER [PROBLEM...]}
shift
problems=("$@")
[ $# -gt 0 ] || problems=(c2c:f32:16 c2c:f32:64 c2c:f32:256 c2c:f32:1000 c2c:f32:1024)
libraries=(twiddle fftw fftw-avx2)
executions=20
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT

# instructions PROBLEM LIBRARY: of one execution, or "-"
instructions() {
  if ! valgrind --tool=callgrind --callgrind-out-file="$out/counts" --toggle-collect=counted_executions \
    "$build/twiddle_bench_instructions" "$1" "$2" "$executions" "$build/peers" >"$out/log" 2>&1; then
    echo "count_instructions: $1 by $2: $(tail -n 1 "$out/log")" >&2
    echo -
    return
  fi
  awk -v executions="$executions" '/^summary:/ { printf "%.0f", $2 / executions }' "$out/counts"
}

printf '| problem |'
printf ' %s |' "${libraries[@]}"
printf '\n| --- |'
printf ' --- |%.0s' "${libraries[@]}"
echo
for problem in "${problems[@]}"; do
  printf '| `%s` |' "$problem"
  for library in "${libraries[@]}"; do printf ' %s |' "$(instructions "$problem" "$library")"; done
  echo
done
