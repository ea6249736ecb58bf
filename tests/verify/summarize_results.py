#!/usr/bin/env python3
"""Prints what the exhaustive tests found: cases, median and worst ratio by device, kind and precision, and failures.

usage: summarize_results.py FOLDER    (the CSV files that the tests leave)

The ratio is that of twiddle's error to FFTW's, or to the floor of the bound where that is larger; for random problems, to
the bound of `twiddle verify`.
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
    unfinished = []
    failures = []
    for path in sorted(pathlib.Path(sys.argv[1]).glob("*.csv")):
        device = path.name.split("-")[0]
        lines = path.read_text().splitlines()
        if not lines or not lines[-1].startswith("seconds,"):
            unfinished.append(path.stem)
        for line in lines:
            fields = line.split(",")
            if fields[0] == "seconds":
                seconds[device] += float(fields[1])
            elif len(fields) == 7:  # the last line of an interrupted part may be cut off
                kind, precision, length, error, fftw_error, bound, ratio = fields
                ratios[device, kind, precision].append((float(ratio), int(length)))
                if not float(error) <= float(bound):
                    failures.append(f"{device} {kind}:{precision}:{length}: error {error}, FFTW {fftw_error or '-'}, bound {bound}")
    if not ratios:
        print("no results in", sys.argv[1], file=sys.stderr)
        return 1
    print(f"{'device':8}{'kind':8}{'precision':>10}{'cases':>8}{'median ratio':>14}{'worst ratio':>13}  at length (random: seed)")
    for (device, kind, precision), cases in sorted(ratios.items()):
        worst, length = max(cases)
        median = statistics.median(ratio for ratio, _ in cases)
        print(f"{device:8}{kind:8}{precision:>10}{len(cases):8}{median:14.2f}{worst:13.2f}  {length}")
    for device in sorted({device for device, *_ in ratios}):
        cases = sum(len(cases) for (name, *_), cases in ratios.items() if name == device)
        print(f"{device}: {cases} cases; {seconds[device]:.0f} s of all finished parts together")
    if unfinished:
        print(f"unfinished parts: {' '.join(unfinished)}")
    for failure in failures:
        print("beyond its bound:", failure)
    return 0


if __name__ == "__main__":
    sys.exit(main())
