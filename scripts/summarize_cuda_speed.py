#!/usr/bin/env python3
"""Prints the tables of docs/cuda-speed.md from files that twiddle_bench_cuda --csv wrote.

    summarize_cuda_speed.py BATCHES.csv [SINGLE.csv] [--before BATCHES.csv]

Times of peers over ours: geometric means by family, errors, and the batches that are below 0.97 of the better peer. With
--before also how much each family's and each batch's own time changed since another file of the same batches.
"""
import argparse
import csv
import math
import re

BELOW = 0.97
PROBLEM = re.compile(r"(?P<kind>c2c|r2c):(?P<precision>f32|f64):(?:(?P<batch>\d+)\*)?(?P<lengths>\d+(?:x\d+)*)(?::|$)")
TYPES = {("c2c", "f32"): "C2C", ("r2c", "f32"): "R2C", ("c2c", "f64"): "Z2Z", ("r2c", "f64"): "D2Z"}
FAMILIES = [
    "2^k to 8192", "2^k above", "powers of 3 to 31", "mixed", "primes above 31 (and multiples)", "2D", "3D",
]


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values)) if values else math.nan


def prime_factors(number):
    factors = set()
    divisor = 2
    while divisor * divisor <= number:
        while number % divisor == 0:
            factors.add(divisor)
            number //= divisor
        divisor += 1
    return factors | ({number} if number > 1 else set())


def family_of(lengths):
    if len(lengths) > 1:
        return f"{len(lengths)}D"
    factors = prime_factors(lengths[0])
    if factors == {2}:
        return "2^k to 8192" if lengths[0] <= 8192 else "2^k above"
    if max(factors) > 31:
        return "primes above 31 (and multiples)"
    return "powers of 3 to 31" if len(factors) == 1 else "mixed"


class Case:
    """One line of a file."""

    def __init__(self, names, values):
        fields = dict(zip(names, values))
        match = PROBLEM.match(fields["problem"])
        if match is None:
            raise SystemExit(f"'{fields['problem']}' is no complex or real transform of floats or doubles")
        self.problem = fields["problem"]
        self.type = TYPES[match["kind"], match["precision"]]
        self.size = match["lengths"]
        self.family = family_of([int(length) for length in self.size.split("x")])
        self.milliseconds = float(fields["ms"])
        self.error = float(fields["error"])
        self.copy = float(fields["fraction_of_copy"])
        self.over = {}
        self.errors = {}
        for name, value in fields.items():
            if name.startswith("over_") and value:
                peer = name.removeprefix("over_")
                self.over[peer] = float(value)
                self.errors[peer] = float(fields[f"{peer}_error"])

    @property
    def better(self):
        return min(self.over.values(), default=math.nan)


def read(path):
    with open(path, encoding="utf-8") as file:
        lines = list(csv.reader(line for line in file if not line.startswith("#")))
    return [Case(lines[0], line) for line in lines[1:]]


def means(label, cases, peers, copy=True):
    cells = [label, str(len(cases))]
    cells += [f"{geometric_mean(case.over[peer] for case in cases if peer in case.over):.2f}" for peer in peers]
    cells.append(f"{geometric_mean(case.better for case in cases if case.over):.2f}")
    cells.append(f"{geometric_mean(case.copy for case in cases):.2f}" if copy else "")
    print("| " + " | ".join(cells) + " |")


def print_means(batches, singles, peers):
    print("| family | cases | " + " | ".join(f"over {peer}" for peer in peers) + " | over the better | GB/s of copy |")
    print("| --- |" + " --- |" * (len(peers) + 3))
    types = [name for name in TYPES.values() if any(case.type == name for case in batches)]
    for name in types:
        of_type = [case for case in batches if case.type == name]
        for family in FAMILIES:
            cases = [case for case in of_type if case.family == family]
            if cases:
                means(f"{name} {family}", cases, peers)
        means(f"**{name}, all**", of_type, peers)
    means("**all**", batches, peers)
    if singles:
        bound = 0.0045  # milliseconds, about two launches
        means("batch 1, below 4.5 us", [case for case in singles if case.milliseconds < bound], peers, copy=False)
        means("batch 1, above", [case for case in singles if case.milliseconds >= bound], peers, copy=False)
        means("**batch 1**", singles, peers, copy=False)


def print_errors(batches, peers):
    print("\n| type | twiddle | |" + "".join(f" {peer} | |" for peer in peers))
    print("| --- | --- | --- |" + " --- | --- |" * len(peers))
    for name in TYPES.values():
        cases = [case for case in batches if case.type == name]
        if not cases:
            continue
        columns = [[case.error for case in cases]]
        columns += [[case.errors[peer] for case in cases if peer in case.errors] for peer in peers]
        cells = [f"{geometric_mean(column):.2g} | {max(column):.2g}" for column in columns]
        print(f"| {name} | " + " | ".join(cells) + " |")


def print_worst(label, cases, peers, below):
    worst = sorted((case for case in cases if case.better < below), key=lambda case: case.better)
    print(f"\n{label}: {len(worst)} of {len(cases)} below {below} of the better peer, "
          f"{sum(case.better < 0.9 for case in worst)} below 0.9")
    for peer in peers:
        print(f"beside {peer} alone: {sum(case.over.get(peer, math.inf) < below for case in cases)}")
    print("\n| case | " + " | ".join(f"over {peer}" for peer in peers) + " |\n| --- |" + " --- |" * len(peers))
    for case in worst:
        cells = [f"{case.over[peer]:.2f}" if peer in case.over else "" for peer in peers]
        print(f"| {case.type} {case.size} | " + " | ".join(cells) + " |")


def print_aims(batches):
    def chosen(name, *sizes):
        return [case for case in batches if case.type == name and case.size in map(str, sizes)]

    short = [case for case in batches if case.family == "2^k to 8192"]
    fast = [case for case in short if case.copy >= 0.95]
    print(f"\n2^k to 8192 at 0.95 of the copy rate: {len(fast)} of {len(short)}, "
          f"C2C {sum(case.type == 'C2C' for case in fast)} of {sum(case.type == 'C2C' for case in short)}")
    rates = [f"2^{power} {case.copy:.2f}" for power in (14, 15, 16, 17, 18, 20) for case in chosen("C2C", 2**power)]
    print("C2C of the copy rate: " + ", ".join(rates))
    mixed = [case for case in batches if case.type == "R2C" and case.family == "mixed" and 500 <= int(case.size) <= 12000]
    print(f"R2C of mixed lengths from 500 to 12000: {geometric_mean(case.over['cufft'] for case in mixed):.2f} beside "
          f"cuFFT; {min(case.copy for case in mixed):.2f} to {max(case.copy for case in mixed):.2f} of the copy rate")
    primes = [case for case in batches if case.family.startswith("primes")]
    print(f"primes above 31 and multiples: {geometric_mean(case.better for case in primes):.2f} beside the better, "
          f"{geometric_mean(case.over['cufft'] for case in primes):.2f} beside cuFFT")
    for low, high in ((14, 18), (19, 22)):
        cases = chosen("R2C", *(2**power for power in range(low, high + 1)))
        print(f"R2C 2^{low} to 2^{high} beside the better: {geometric_mean(case.better for case in cases):.2f}")


def print_changes(batches, before):
    times = {case.problem: case.milliseconds for case in before}
    ratios = {case: case.milliseconds / times[case.problem] for case in batches if case.problem in times}
    print(f"\nOwn time over that before, {len(ratios)} batches: {geometric_mean(ratios.values()):.4f}")
    for case, ratio in sorted(ratios.items(), key=lambda item: item[1]):
        if abs(ratio - 1) > 0.02:
            print(f"{case.type} {case.size}: {ratio:.3f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("batches")
    parser.add_argument("single", nargs="?")
    parser.add_argument("--before", help="batches of another time")
    arguments = parser.parse_args()
    batches = read(arguments.batches)
    singles = read(arguments.single) if arguments.single else []
    peers = [peer for peer in ("cufft", "vkfft") if any(peer in case.over for case in batches)]
    print_means(batches, singles, peers)
    print_errors(batches, peers)
    print_worst("batches", batches, peers, BELOW)
    if singles:
        print_worst("single transforms", singles, peers, 0.95)
    if "cufft" in peers:
        print_aims(batches)
    if arguments.before:
        print_changes(batches, read(arguments.before))


if __name__ == "__main__":
    main()
