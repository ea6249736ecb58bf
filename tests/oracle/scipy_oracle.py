#!/usr/bin/env python3
"""Compares `twiddle fft` with scipy.fft and numpy.fft on random problems.

usage: scipy_oracle.py TWIDDLE [--count N] [--seed S] [--device D]

SciPy computes in long double, so that only twiddle's error shows; every other problem that numpy.fft knows is compared
with it as well. Ends with 1 and the command lines of what fails.
"""
import argparse
import concurrent.futures
import math
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy
import scipy.fft

COSINES = {f"dct{i}": (scipy.fft.dctn, scipy.fft.idctn, i) for i in (1, 2, 3, 4)}
SINES = {f"dst{i}": (scipy.fft.dstn, scipy.fft.idstn, i) for i in (1, 2, 3, 4)}
REAL_KINDS = {**COSINES, **SINES}
EPSILON = {"f32": 2.0**-24, "f64": 2.0**-53, "f80": 2.0**-64}
REAL_TYPES = {"f32": numpy.float32, "f64": numpy.float64, "f80": numpy.longdouble}
COMPLEX_TYPES = {"f32": numpy.complex64, "f64": numpy.complex128, "f80": numpy.clongdouble}


def random_length(draw):
    return draw.choice([1, 2, 3, 4, 5, 7, 8, 12, 15, 16, 17, 31, 37, 45, 60, 64, 97, 100, 101, 128, draw.randint(1, 300)])


class Problem:
    """One random problem: an input array, the options of `twiddle fft`, and what SciPy makes of it."""

    def __init__(self, seed, host):
        draw = random.Random(seed)
        values = numpy.random.default_rng(seed)
        self.kind = draw.choice(["c2c", "c2c", "r2c", "r2c", "c2r", "c2r", "dht", *REAL_KINDS])
        self.precision = draw.choice(["f32", "f32", "f64", "f64", "f80"] if host else ["f32", "f32", "f64"])
        self.norm = draw.choice(["backward", "ortho", "forward"])
        self.inverse = self.kind not in ("c2r", "dht") and draw.random() < 0.4
        if self.kind == "r2c" and self.inverse:
            self.kind, self.inverse = "c2r", False
        rank = draw.choice([1, 1, 1, 2, 2, 3, 4])
        shape = [random_length(draw) for _ in range(rank)]
        while math.prod(shape) > 30000:
            shape[draw.randrange(rank)] = draw.randint(1, 6)
        self.axes = None
        if draw.random() < 0.5:
            self.axes = draw.sample(range(rank), draw.randint(1, rank))
            self.axes = [axis - rank if draw.random() < 0.5 else axis for axis in self.axes]
        named = [axis % rank for axis in self.axes] if self.axes else list(range(rank))
        self.lengths = None
        if self.kind == "dct1":
            for axis in named:
                shape[axis] = max(2, shape[axis])
        if self.kind == "c2r":
            self.length = draw.choice([2 * shape[named[-1]] - 1, max(1, 2 * shape[named[-1]] - 2)])
        elif draw.random() < 0.3:
            self.lengths = [shape[axis] + draw.choice([0, 0, 1, 3, shape[axis]]) for axis in named]
        self.named = named
        complex_input = self.kind in ("c2c", "c2r")
        self.input = values.uniform(-1, 1, shape)
        if complex_input:
            self.input = self.input + 1j * values.uniform(-1, 1, shape)
        self.input = self.input.astype((COMPLEX_TYPES if complex_input else REAL_TYPES)[self.precision])
        if draw.random() < 0.2:
            self.input = numpy.asfortranarray(self.input)

    def options(self):
        options = ["--kind", self.kind, "--norm", self.norm]
        if self.inverse:
            options.append("--inverse")
        if self.axes is not None:
            options.append("--axes=" + ",".join(map(str, self.axes)))
        if self.lengths is not None:
            options.append("--zero-pad=" + ",".join(map(str, self.lengths)))
        if self.kind == "c2r":
            options.append(f"--length={self.length}")
        return options

    def expected(self, library, array):
        """What `library` (scipy.fft or numpy.fft) gives for the input as `array`."""
        axes = self.named
        if self.kind == "c2c":
            return (library.ifftn if self.inverse else library.fftn)(array, s=self.lengths, axes=axes, norm=self.norm)
        if self.kind == "r2c":
            return library.rfftn(array, s=self.lengths, axes=axes, norm=self.norm)
        if self.kind == "c2r":
            shape = [array.shape[axis] for axis in axes[:-1]] + [self.length]
            return library.irfftn(array, s=shape, axes=axes, norm=self.norm)
        if self.kind == "dht":
            for i, axis in enumerate(axes):
                length = None if self.lengths is None else self.lengths[i]
                spectrum = library.fft(array, n=length, axis=axis, norm=self.norm)
                array = spectrum.real - spectrum.imag
            return array
        forward, inverse, number = REAL_KINDS[self.kind]
        execute = inverse if self.inverse else forward
        if self.norm == "ortho" and self.kind in ("dst2", "dst3"):
            return self.expected_orthogonal_sines(execute, number, array)
        return execute(array, type=number, s=self.lengths, axes=axes, norm=self.norm)

    def expected_orthogonal_sines(self, execute, number, array):
        """SciPy weights the first elements of dst2 and dst3, which does not make them orthogonal; the last ones do."""
        if self.lengths is not None:
            padding = [(0, 0)] * array.ndim
            for axis, length in zip(self.named, self.lengths):
                padding[axis] = (0, length - array.shape[axis])
            array = numpy.pad(array, padding)
        weights_input = (self.kind == "dst3") != self.inverse
        root2 = numpy.sqrt(numpy.longdouble(2))

        def weighted(values, factor):
            values = values.copy()
            for axis in self.named:
                numpy.moveaxis(values, axis, 0)[-1] *= factor
            return values

        if weights_input:
            array = weighted(array, root2)
        result = execute(array, type=number, axes=self.named, norm="ortho", orthogonalize=False)
        return result if weights_input else weighted(result, 1 / root2)

    def bound(self):
        """Twice the roundings of a transform of so many points, twice that for long primes; see docs/verification.md."""
        shape = list(self.input.shape)
        for i, axis in enumerate(self.named):
            shape[axis] = self.lengths[i] if self.lengths else shape[axis]
        points = math.prod(8 * shape[axis] for axis in self.named)
        return 4 * EPSILON[self.precision] * math.sqrt(math.log2(points) + 1)


def error_of(actual, expected):
    if actual.shape != expected.shape:
        return math.inf
    norm = numpy.linalg.norm(expected.ravel())
    difference = numpy.linalg.norm((actual - expected).ravel())
    return float(difference / norm if norm > 0 else difference)


def check(twiddle, device, folder, seed):
    """The complaint about the problem of this seed, or nothing; and how much of its bound the error takes."""
    problem = Problem(seed, device == "host")
    source, result = folder / f"{seed}-in.npy", folder / f"{seed}-out.npy"
    numpy.save(source, problem.input)
    command = [twiddle, "fft", str(source), str(result), "--device", device, *problem.options()]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    text = f"seed {seed}: {problem.input.dtype} {problem.input.shape} {' '.join(problem.options())}"
    if run.returncode != 0:
        return f"{text}: {run.stderr.strip()}", 0
    actual = numpy.load(result)
    complex_input = numpy.iscomplexobj(problem.input)
    wide = problem.input.astype(numpy.clongdouble if complex_input else numpy.longdouble)
    error = error_of(actual, problem.expected(scipy.fft, wide))
    bound = problem.bound()
    source.unlink()
    result.unlink()
    if not error <= bound:
        return f"{text}: error {error:.3g}, bound {bound:.3g}, against SciPy", math.inf
    if seed % 2 == 0 and problem.kind not in REAL_KINDS:
        numpy_error = error_of(actual, problem.expected(numpy.fft, problem.input))
        if not numpy_error <= bound + 4 * EPSILON["f64"] * 10:
            return f"{text}: error {numpy_error:.3g} against NumPy", math.inf
    return None, error / bound


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("twiddle")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="host")
    options = parser.parse_args()
    complaints, worst = [], 0
    with tempfile.TemporaryDirectory() as name, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        folder = pathlib.Path(name)
        seeds = range(options.seed, options.seed + options.count)
        for complaint, part in pool.map(lambda seed: check(options.twiddle, options.device, folder, seed), seeds):
            worst = max(worst, part)
            if complaint:
                complaints.append(complaint)
    for complaint in complaints:
        print(complaint)
    print(f"{options.count} problems, {len(complaints)} failed, worst error {worst:.2f} of its bound")
    return 1 if complaints or options.count < 1 else 0


if __name__ == "__main__":
    sys.exit(main())
