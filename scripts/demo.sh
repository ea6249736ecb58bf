#!/usr/bin/env bash
# Filters a picture with the program built in BUILD and says what was done, where, and how long it took.
#   demo.sh BUILD [PICTURE]      without PICTURE: the project's own chart, whose interference a band-stop removes
set -euo pipefail

build=${1:?usage: demo.sh BUILD [PICTURE]}
picture=${2:-}
twiddle=$build/twiddle
mkdir -p out

if [ -z "$picture" ]; then
  picture=$(realpath --relative-to=. "$(dirname "$0")/../examples/chart.png")
  result=out/chart-filtered.png
  filter=(--band-stop 0.223 0.228)  # the interference lies at 0.2253 cycles per pixel (examples/draw_chart.cpp)
  what="a band-stop from 0.223 to 0.228 cycles per pixel takes the woven interference off the chart"
else
  name=$(basename "$picture")
  result=out/${name%.*}-edges.png
  filter=(--high-pass 0.125)
  what="a high-pass from 0.125 cycles per pixel leaves edges and fine detail, brightest where they are strongest"
fi
spectrum=${result%-*}-spectrum.png
sharp=${result%-*}-sharp.png

echo "What:   $what"
"$twiddle" filter "$picture" "$result" "${filter[@]}" --profile
"$twiddle" spectrum "$picture" "$spectrum" >/dev/null
"$twiddle" convolve "$picture" "$sharp" --kernel sharpen >/dev/null
echo
echo "Before: $(realpath "$picture")"
echo "After:  $(realpath "$result")"
echo "Its spectrum, before: $(realpath "$spectrum")"
echo "Sharpened by a 3x3 kernel: $(realpath "$sharp")"
