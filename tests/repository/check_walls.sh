#!/usr/bin/env bash
# Keeps the walls of the house: the pure rooms know no device, files stay short, no path of one machine is in the tree.
# check_walls.sh ROOT
set -uo pipefail
cd "${1:?usage: check_walls.sh ROOT}" || exit 1
failures=0

# report MESSAGE LINES: fails with the message where there are any lines.
report() {
  [ -z "$2" ] && return
  printf '%s\n%s\n' "$1" "$2" | sed '2,$s/^/  /' >&2
  failures=1
}

rooms=$(find src include tools tests bench examples scripts -type f \
  \( -name '*.cpp' -o -name '*.hpp' -o -name '*.h' -o -name '*.cl' -o -name '*.py' -o -name '*.sh' \) 2>/dev/null |
  grep -v '/golden/')  # what a generator writes
[ -n "$rooms" ] || report "no source files found under" "$PWD"

report "src/plan and src/kernel must not include a backend, src/run or a vendor's header:" \
  "$(grep -rnE '#[[:space:]]*include[[:space:]]*["<]((\.\./)*(backend|run|tune|apps)/|CL/|cuda|nvrtc|hwy/|tbb/|oneapi/|twiddle/(buffer|plan|filter|twiddle)\.hpp)' \
    src/plan src/kernel | grep -v '^src/kernel/generate_butterflies.cpp:.*hwy/highway.h')"  # in a text that it writes
report "src/plan must not include src/kernel (values flow the other way):" \
  "$(grep -rnE '#[[:space:]]*include[[:space:]]*["<](\.\./)*kernel/' src/plan)"
report "public headers must not include the library's own rooms:" \
  "$(grep -rnE '#[[:space:]]*include[[:space:]]*["<](\.\./)*(plan|kernel|backend|run|tune|apps)/' include)"
report "files over 400 lines (split where a second purpose begins):" \
  "$(printf '%s\n' "$rooms" | xargs wc -l | awk '$2 != "total" && $1 > 400 { print $1, $2 }')"
report "pages over 400 lines:" "$(wc -l README.md docs/*.md | awk '$2 != "total" && $1 > 400 { print $1, $2 }')"
report "absolute paths of one machine:" \
  "$(printf '%s\n' "$rooms" CMakeLists.txt | xargs grep -nE -e '["'"'"' =](/root|/Users|/mnt)/' -e "$PWD/")"
report "files that do not say in their first line what they are for:" \
  "$(printf '%s\n' "$rooms" | grep -E '\.(cpp|hpp|h|cl)$' | while read -r file; do
    head -n 1 "$file" | grep -qE '^(//|/\*)' || echo "$file"
  done)"

exit $failures
