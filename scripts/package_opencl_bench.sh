#!/usr/bin/env bash
# Puts the OpenCL benchmark into a folder that runs on another machine of this kind, which needs a driver and the C and
# C++ runtime libraries, but none of our packages.
#   package_opencl_bench.sh BUILD_FOLDER OUTPUT_FOLDER
# There: OUTPUT_FOLDER/run.sh [options of twiddle_bench_opencl]
set -euo pipefail

if [ $# -ne 2 ]; then
  echo "usage: ${0##*/} BUILD_FOLDER OUTPUT_FOLDER" >&2
  exit 2
fi
program=$1/twiddle_bench_opencl
output=$2
[ -x "$program" ] || { echo "no $program: build the target twiddle_bench_opencl first" >&2; exit 1; }

mkdir -p "$output/vendors"
cp "$program" "$output/"
# All but the runtime libraries, which belong to the other machine's drivers as well.
ldd "$program" | awk '$3 ~ /^\// { print $3 }' |
  grep -vE '/(ld-linux[^/]*|libc|libm|libdl|librt|libpthread|libgcc_s|libstdc\+\+)\.so' |
  xargs -r cp -L -t "$output"
# The ICD loader, for machines that have a driver but no loader.
loader=$(PATH=$PATH:/sbin:/usr/sbin ldconfig -p | awk '/libOpenCL\.so\.1 / { print $NF; exit }')
[ -n "$loader" ] && cp -L "$loader" "$output/libOpenCL.so.1"

cat >"$output/run.sh" <<'EOF'
#!/usr/bin/env bash
# Runs the benchmark with the libraries beside it, and with NVIDIA's driver where no vendor is registered.
here=$(cd "$(dirname "$0")" && pwd)
if ! ls /etc/OpenCL/vendors/*.icd >/dev/null 2>&1 && [ -z "${OCL_ICD_VENDORS:-}" ]; then
  echo libnvidia-opencl.so.1 >"$here/vendors/nvidia.icd"
  export OCL_ICD_VENDORS=$here/vendors
fi
export TWIDDLE_CACHE_DIR=${TWIDDLE_CACHE_DIR-$here/cache}
exec "$here/twiddle_bench_opencl" "$@"
EOF
chmod +x "$output/run.sh"
echo "wrote $output ($(du -sh "$output" | cut -f1)); run $output/run.sh there"
