#!/usr/bin/env bash
# What docs/problems.md shows is true: its C++ stands in examples/problems.cpp, which is compiled and run, and its commands
# run, one after the other.
#   check_docs.sh ROOT TWIDDLE
set -uo pipefail
root=${1:?usage: check_docs.sh ROOT TWIDDLE}
twiddle=$(realpath "${2:?usage: check_docs.sh ROOT TWIDDLE}")
page=$root/docs/problems.md
failures=0

lines=0
while IFS= read -r line; do
  lines=$((lines + 1))
  if ! grep -qF -- "$line" "$root/examples/problems.cpp"; then
    echo "not in examples/problems.cpp: $line" >&2
    failures=1
  fi
done < <(awk '/^```cpp/ { inside = 1; next } /^```/ { inside = 0 } inside { sub(/^ +/, ""); print }' "$page")

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder" || exit 1

# write_zeros NAME TYPE SHAPE BYTES: a .npy file; the header takes 128 bytes.
write_zeros() {
  printf '\x93NUMPY\x01\x00\x76\x00%-117s\n' "{'descr': '$2', 'fortran_order': False, 'shape': ($3,)}" >"$1"
  head -c "$4" /dev/zero >>"$1"
}
write_zeros signal.npy '<c8' 1000 8000
write_zeros real.npy '<f4' 1001 4004
write_zeros picture.npy '|u1' '30, 40' 1200

commands=0
while IFS= read -r command; do
  commands=$((commands + 1))
  read -ra words <<<"${command%%  #*}"
  if ! "$twiddle" "${words[@]:1}" >/dev/null 2>errors; then
    echo "fails: $command" >&2
    cat errors >&2
    failures=1
  fi
done < <(sed -n 's/^    \(twiddle .*\)/\1/p' "$page")

if [ "$lines" -lt 20 ] || [ "$commands" -lt 15 ]; then
  echo "only $lines lines of C++ and $commands commands were found in $page" >&2
  failures=1
fi
exit $failures
