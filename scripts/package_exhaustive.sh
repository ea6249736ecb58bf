#!/usr/bin/env bash
# Packs the exhaustive tests, with the libraries that they need, into one file for another machine of this kind, which
# needs Python and the C and C++ runtime libraries, but none of our packages.
#   package_exhaustive.sh BUILD_FOLDER OUTPUT_FOLDER
# There: tar -xJf OUTPUT_FOLDER/exhaustive.tar.xz && exhaustive/run_parts.py --help
set -euo pipefail

if [ $# -ne 2 ]; then
  echo "usage: ${0##*/} BUILD_FOLDER OUTPUT_FOLDER" >&2
  exit 2
fi
output=$2
sources=$(cd "$(dirname "$0")/../tests/verify" && pwd)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
package=$folder/exhaustive
mkdir "$package"
for name in exhaustive_test random_device_test; do
  program=$1/tests/verify/$name
  [ -x "$program" ] || { echo "no $program: build the target $name first" >&2; exit 1; }
  strip -o "$package/$name" "$program"
  # All but the runtime libraries, which belong to the other machine's drivers as well.
  ldd "$program" | awk '$3 ~ /^\// { print $3 }' |
    grep -vE '/(ld-linux[^/]*|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so' |
    xargs -r cp -L -t "$package"
done
# The ICD loader, for machines that have a driver but no loader.
loader=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk '/libOpenCL\.so\.1 / && !found++ { print $NF }')
[ -n "$loader" ] && cp -L "$loader" "$package/libOpenCL.so.1"
cp "$sources/run_parts.py" "$sources/summarize_results.py" "$package/"
chmod +x "$package/run_parts.py"
mkdir -p "$output"
tar -C "$folder" -cJf "$output/exhaustive.tar.xz" exhaustive
echo "wrote $output/exhaustive.tar.xz ($(du -h "$output/exhaustive.tar.xz" | cut -f1))"
