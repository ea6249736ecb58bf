#!/usr/bin/env python3
"""Runs the parts of `make test-exhaustive` in many processes, for at most so long, and sums up what they found.

Each part is a process with one thread. Parts are taken so that at any time about the same share of all kinds is done,
unless --first says otherwise; what a time limit leaves out is named in the report. Parts whose results are there already,
and right, are not run again: results of several calls, on other machines as well, go into one folder.
"""
import argparse
import collections
import concurrent.futures
import os
import pathlib
import subprocess
import sys
import time

here = pathlib.Path(__file__).resolve().parent


def environment(device: str, results: pathlib.Path) -> dict:
    libraries = [str(here), os.environ.get("LD_LIBRARY_PATH", "")]
    return os.environ | {
        "TWIDDLE_TEST_DEVICE": device,
        "TWIDDLE_RESULTS": str(results),
        "TWIDDLE_THREADS": "1",
        "TWIDDLE_CACHE_DIR": "off",  # thousands of kernels that nobody needs again
        "POCL_CACHE_DIR": str(results / "pocl"),
        "POCL_MAX_PTHREAD_COUNT": "1",
        "LD_LIBRARY_PATH": ":".join(filter(None, libraries)),
    }


def list_parts(program: pathlib.Path, device: str, results: pathlib.Path) -> list:
    """(share of its group that is before it, device, program, name, group) for each part."""
    text = subprocess.run([program, "--gtest_list_tests", "--gtest_filter=*Exhaustive*"], check=True, text=True,
                          stdout=subprocess.PIPE, env=environment(device, results)).stdout
    names = []
    suite = ""
    for line in text.splitlines():
        test = line.split("#")[0].rstrip()
        if not test.startswith(" ") and test.endswith("."):
            suite = test
        elif test.startswith(" "):
            names.append(suite + test.strip())
    groups = {}
    for name in names:  # All/Exhaustive.Part/c2c_every_3_of_16, or Share/RandomProblems.ExhaustiveAreRight/3
        words = name.split("/")[-1].split("_of_")[0].rstrip("_0123456789")
        groups.setdefault(f"{device}:{words or 'random'}", []).append(name)
    return [((i + 0.5) / len(members), device, program, name, group)
            for group, members in groups.items() for i, name in enumerate(members)]


def is_finished(part, results: pathlib.Path) -> bool:
    """Whether a file of results has the part's last line, which says how long it took."""
    _, device, _, name, _ = part
    last = name.split("/")[-1]
    stem = f"random_{int(last) + 1}_of_*" if last.isdigit() else last
    lines = [line for path in results.glob(f"{device}-{stem}.csv") for line in path.read_text().splitlines()]
    return bool(lines) and lines[-1].startswith("seconds,")


def run_part(part, results: pathlib.Path, deadline: float):
    """The part's state (right, failed, stopped or left out), and what it printed where it failed."""
    _, device, program, name, _ = part
    left = deadline - time.monotonic()
    if left < 2:
        return part, "left out", ""
    try:
        done = subprocess.run([program, "--gtest_filter=" + name, "--gtest_brief=1"], text=True, timeout=left,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=environment(device, results))
    except subprocess.TimeoutExpired as stopped:
        return part, "stopped", (stopped.stdout or b"").decode(errors="replace")
    return part, "right" if done.returncode == 0 else "failed", done.stdout


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=os.cpu_count(), help="at once (default: one for each core)")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so long")
    parser.add_argument("--devices", default="host,opencl", help="default: host,opencl")
    parser.add_argument("--only", default="", help="only parts whose name holds this, such as c2r_every")
    parser.add_argument("--unfinished", action="store_true", help="leave out parts that ended before, if with failures")
    parser.add_argument("--first", default="",
                        help="groups of parts to be run before others, in this order, by how their names begin, such as "
                        "host,opencl:c2c_every,opencl:r2c_every")
    parser.add_argument("--results", type=pathlib.Path, default=here / "results", help="folder for the parts' results")
    options = parser.parse_args()

    start = time.monotonic()
    options.results.mkdir(parents=True, exist_ok=True)
    parts = []
    for device in options.devices.split(","):
        for program in (here / "exhaustive_test", here / "random_device_test"):
            parts += list_parts(program, device, options.results)
    first = options.first.split(",") if options.first else []
    rank = lambda group: next((i for i, beginning in enumerate(first) if group.startswith(beginning)), len(first))
    parts = sorted((part for part in parts if options.only in part[3]), key=lambda part: (rank(part[4]), part[0]))
    if options.unfinished:
        parts = [part for part in parts if not is_finished(part, options.results)]
    states = {}
    print(f"{len(parts)} parts in {options.processes} processes", flush=True)
    with concurrent.futures.ThreadPoolExecutor(options.processes) as pool:
        futures = [pool.submit(run_part, part, options.results, start + options.seconds) for part in parts]
        for future in concurrent.futures.as_completed(futures):
            (_, device, _, name, group), state, output = future.result()
            states.setdefault(state, collections.Counter())[group] += 1
            wanted = [line for line in output.splitlines()
                      if line.startswith(("Expected", "kind,", "  again:", "C++ exception")) or "the error is" in line]
            if state == "failed" or wanted:
                print("\n".join([f"{state}: {device} {name}"] + (wanted or output.splitlines()[-8:])), flush=True)
    sys.stdout.flush()
    subprocess.run([sys.executable, here / "summarize_results.py", options.results])
    sizes = collections.Counter(group for *_, group in parts)
    print(f"{time.monotonic() - start:.0f} s; parts: "
          + ", ".join(f"{groups.total()} {state}" for state, groups in sorted(states.items())))
    for state in ("failed", "stopped", "left out"):
        if state in states:
            print(f"{state}:", ", ".join(f"{group} {count} of {sizes[group]}"
                                         for group, count in sorted(states[state].items())))
    return 1 if "failed" in states else 0


if __name__ == "__main__":
    sys.exit(main())
