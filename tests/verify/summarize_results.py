#!/usr/bin/env python3
"""Prints what the exhaustive tests found: the ratio of twiddle's error to FFTW's by device, kind and precision.

usage: summarize_results.py FOLDER    (the CSV files that exhaustive_test leaves)
"""
import collections
import pathlib
import statistics
import sys


def main() -> int:
    if len(sys.argv) != 2:
        print(__doc__, file=sys.stderr)
        return 2
    ratios = collections.defaultdict(list)
    seconds = collections.Counter()
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.csv")):
        device = path.name.split("-")[0]
        for line in path.read_text().splitlines():
            fields = line.split(",")
            if fields[0] == "seconds":
                seconds[device] += float(fields[1])
            else:
                kind, precision, length, *_, ratio = fields
                ratios[device, kind, precision].append((float(ratio), int(length)))
    if not ratios:
        print("no results in", sys.argv[1], file=sys.stderr)
        return 1
    print(f"{'device':8}{'kind':6}{'precision':>10}{'cases':>8}{'median ratio':>14}{'worst ratio':>13}  at length")
    for (device, kind, precision), cases in sorted(ratios.items()):
        worst, length = max(cases)
        median = statistics.median(ratio for ratio, _ in cases)
        print(f"{device:8}{kind:6}{precision:>10}{len(cases):8}{median:14.2f}{worst:13.2f}  {length}")
    for device, sum_of_seconds in sorted(seconds.items()):
        cases = sum(len(cases) for (name, *_), cases in ratios.items() if name == device)
        print(f"{device}: {cases} cases in {sum_of_seconds:.0f} s of all parts together")
    return 0


if __name__ == "__main__":
    sys.exit(main())
