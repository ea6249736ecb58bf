#!/usr/bin/env python3
"""Prints the tables of docs/cuda-speed.md from files that twiddle_bench_cuda --csv wrote.

    summarize_cuda_speed.py BATCHES.csv [SINGLE.csv] [--before BATCHES.csv] [--cases] [--write docs/cuda-speed.md]

Times of peers over ours: geometric means by family, what is aimed at, errors, and the batches that are below 0.97 of the
better peer. With --cases also every case, with --before also how much each batch's own time changed since another file of
the same batches. With --write they take the places between the page's marks, such as <!-- means: begin -->.
"""
import argparse
import contextlib
import csv
import io
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


def print_run(paths):
    """What the files say of how they came about."""
    for label, path in paths.items():
        with open(path, encoding="utf-8") as file:
            notes = [line[1:].strip() for line in file if line.startswith("#")]
        print(f"- {label}: {'; '.join(notes)}")


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
    print("| type | twiddle | |" + "".join(f" {peer} | |" for peer in peers))
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
    beside = ", ".join(f"{sum(case.over.get(peer, math.inf) < below for case in cases)} beside {peer} alone" for peer in peers)
    print(f"{len(worst)} of {len(cases)} {label} below {below} of the better peer, "
          f"{sum(case.better < 0.9 for case in worst)} below 0.9; {beside}.")
    if not worst:
        return
    print("\n| case | GB/s of copy | " + " | ".join(f"over {peer}" for peer in peers) + " |\n| --- | --- |" + " --- |" * len(peers))
    for case in worst:
        cells = [f"{case.over[peer]:.2f}" if peer in case.over else "" for peer in peers]
        print(f"| {case.type} {case.size} | {case.copy:.2f} | " + " | ".join(cells) + " |")


def print_cases(label, cases, peers):
    """A row for each size, the types beside each other."""
    types = [name for name in TYPES.values() if any(case.type == name for case in cases)]
    print(f"\n| {label} | " + " | ".join(" | ".join([f"{name} ms", "of copy"] + peers) for name in types) + " |")
    print("| --- |" + " --- |" * (len(types) * (2 + len(peers))))
    for size in dict.fromkeys(case.size for case in cases):
        cells = []
        for name in types:
            case = next((case for case in cases if (case.type, case.size) == (name, size)), None)
            cells += [f"{case.milliseconds:.4f}", f"{case.copy:.2f}"] if case else ["", ""]
            cells += [f"{case.over[peer]:.2f}" if case and peer in case.over else "" for peer in peers]
        print(f"| {size} | " + " | ".join(cells) + " |")


def print_aims(batches, singles):
    def chosen(name, *sizes):
        return [case for case in batches if case.type == name and case.size in map(str, sizes)]

    def row(aim, reached):
        print(f"| {aim} | {reached} |")

    print("| aim | reached |\n| --- | --- |")
    row("all batches 1.25 beside the better peer, 1.5 beside cuFFT",
        f"{geometric_mean(case.better for case in batches):.2f}, "
        f"{geometric_mean(case.over['cufft'] for case in batches if 'cufft' in case.over):.2f}")
    row("no batch below 0.97 of the better", f"{sum(case.better < BELOW for case in batches)} of {len(batches)} are")
    short = [case for case in batches if case.family == "2^k to 8192"]
    fast = [case for case in short if case.copy >= 0.95]
    row("2^k to 8192 at 0.95 of the copy rate",
        f"{len(fast)} of {len(short)}; C2C {sum(case.type == 'C2C' for case in fast)} of "
        f"{sum(case.type == 'C2C' for case in short)}")
    row("C2C 2^14 at 0.90, 2^15 at 0.70, 2^16 at 0.62, 2^17 and 2^18 at 0.57, 2^20 at 0.46",
        ", ".join(f"{case.copy:.2f}" for power in (14, 15, 16, 17, 18, 20) for case in chosen("C2C", 2**power)))
    mixed = [case for case in batches if case.type == "R2C" and case.family == "mixed" and 500 <= int(case.size) <= 12000]
    row("R2C of mixed lengths from 500 to 12000: 2.0 beside cuFFT, 0.85 of the copy rate",
        f"{geometric_mean(case.over['cufft'] for case in mixed):.2f}; {min(case.copy for case in mixed):.2f} to "
        f"{max(case.copy for case in mixed):.2f}")
    primes = [case for case in batches if case.family.startswith("primes")]
    row("primes above 31 and 1048575: 1.3 beside the better",
        f"{geometric_mean(case.better for case in primes):.2f}; beside cuFFT "
        f"{geometric_mean(case.over['cufft'] for case in primes):.2f}")
    long = [chosen("R2C", *(2**power for power in powers)) for powers in (range(14, 19), range(19, 23))]
    row("R2C 2^14 to 2^18 1.25, 2^19 to 2^22 1.15 beside the better",
        ", ".join(f"{geometric_mean(case.better for case in cases):.2f}" for cases in long))
    if singles:
        row("no single transform below 0.95 of the better",
            f"{sum(case.better < 0.95 for case in singles)} of {len(singles)} are; "
            f"{min(case.better for case in singles):.2f} at least")


def print_changes(batches, before):
    times = {case.problem: case.milliseconds for case in before}
    ratios = {case: case.milliseconds / times[case.problem] for case in batches if case.problem in times}
    print(f"\nOwn time over that before, {len(ratios)} batches: {geometric_mean(ratios.values()):.4f}")
    for case, ratio in sorted(ratios.items(), key=lambda item: item[1]):
        if abs(ratio - 1) > 0.02:
            print(f"{case.type} {case.size}: {ratio:.3f}")


def write_blocks(page, blocks):
    """Puts what each function prints between its marks."""
    with open(page, encoding="utf-8") as file:
        text = file.read()
    for name, print_block in blocks.items():
        begin, end = f"<!-- {name}: begin -->\n", f"<!-- {name}: end -->"
        if begin not in text or end not in text:
            raise SystemExit(f"{page} has no place for '{name}'")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            print_block()
        text = text[: text.index(begin) + len(begin)] + output.getvalue() + text[text.index(end):]
    with open(page, "w", encoding="utf-8") as file:
        file.write(text)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("batches")
    parser.add_argument("single", nargs="?")
    parser.add_argument("--before", help="batches of another time")
    parser.add_argument("--cases", action="store_true", help="also every case")
    parser.add_argument("--write", help="the page that has the tables")
    arguments = parser.parse_args()
    batches = read(arguments.batches)
    singles = read(arguments.single) if arguments.single else []
    peers = [peer for peer in ("cufft", "vkfft") if any(peer in case.over for case in batches)]
    paths = {"batches": arguments.batches} | ({"single transforms": arguments.single} if singles else {})
    blocks = {
        "run": lambda: print_run(paths),
        "means": lambda: print_means(batches, singles, peers),
        "aims": lambda: print_aims(batches, singles),
        "worst": lambda: print_worst("batches", batches, peers, BELOW),
        "errors": lambda: print_errors(batches, peers),
    }
    if arguments.write:
        return write_blocks(arguments.write, blocks)
    for print_block in blocks.values():
        print_block()
        print()
    if singles:
        print_worst("single transforms", singles, peers, 0.95)
    if arguments.cases:
        print_cases("batch", batches, peers)
        if singles:
            print_cases("single", singles, peers)
    if arguments.before:
        print_changes(batches, read(arguments.before))


if __name__ == "__main__":
    main()
