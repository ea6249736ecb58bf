#!/usr/bin/env python3
"""Convolutions on the host beside SciPy's oaconvolve (one thread), in turns: real float32, mode full.

usage: oaconvolve.py PROGRAM [--signal N] [--rounds N]

PROGRAM is twiddle_bench_convolution. SciPy convolves all filters in one call, or, where that takes less, in one for each.
Prints medians, and how many times as long SciPy takes.
"""
import argparse
import statistics
import subprocess
import time

import numpy
import scipy
from scipy.signal import oaconvolve


def milliseconds(action):
    begin = time.perf_counter()
    action()
    return 1e3 * (time.perf_counter() - begin)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--signal", type=int, default=1 << 22)
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    draw = numpy.random.default_rng(1)
    signal = draw.uniform(-1, 1, options.signal).astype(numpy.float32)
    print(f"SciPy {scipy.__version__}, signal {options.signal}, medians of {options.rounds} rounds in turns")
    print("taps,filters,ours_ms,scipy_ms,ratio")
    for filters in (1, 16):
        for taps in (65, 257, 1025, 4097):
            bank = draw.uniform(-1, 1, (filters, taps)).astype(numpy.float32)
            ways = [lambda: [oaconvolve(signal, one) for one in bank]]
            if filters > 1:
                ways.append(lambda: oaconvolve(signal[None], bank, axes=-1))
            words = [options.program, str(options.signal), str(taps), str(filters)]
            ours, theirs = [], []
            with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
                for _ in range(options.rounds):
                    print(file=program.stdin, flush=True)
                    ours.append(float(program.stdout.readline()))
                    theirs.append(min(milliseconds(way) for way in ways))
                program.stdin.close()
            our, their = statistics.median(ours), statistics.median(theirs)
            print(f"{taps},{filters},{our:.3f},{their:.1f},{their / our:.1f}", flush=True)


if __name__ == "__main__":
    main()
