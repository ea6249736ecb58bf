#!/usr/bin/env bash
# Runs a program under oclgrind and fails if the program does, or if oclgrind reports an error or a data race.
#   run_under_oclgrind.sh PROGRAM [arguments]
# Exit status 77 (skipped) where there is no oclgrind.
set -uo pipefail

if ! command -v oclgrind >/dev/null; then
  echo "oclgrind is not installed: kernels are not checked for races and accesses out of bounds"
  exit 77
fi
log=$(mktemp)
trap 'rm -f "$log"' EXIT
output=$(oclgrind --data-races --max-errors 20 --log "$log" "$@")
status=$?
echo "$output"
if ! grep -q '\[       OK \]' <<<"$output"; then
  echo "no test ran under oclgrind" >&2
  exit 1
fi
if [ -s "$log" ]; then
  echo "oclgrind reports:" >&2
  head -n 100 "$log" >&2
  exit 1
fi
exit "$status"
