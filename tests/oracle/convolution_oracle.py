#!/usr/bin/env python3
"""Compares ConvolutionPlan with SciPy on random problems, through convolution_program.

usage: convolution_oracle.py PROGRAM [--device DEVICE] [--count N] [--seed S]

scipy.signal.convolve and correlate sum in long double, so that only our error shows; with a boundary other than zero they get
a signal that NumPy has padded, and scipy.ndimage, which knows double only, must agree with them. Single precision is
compared with oaconvolve in double. Ends with 1 and the problems that fail.
"""
import argparse
import pathlib
import random
import subprocess
import sys
import tempfile

import numpy
import scipy.ndimage
import scipy.signal

PRECISIONS = {"f32": (1, numpy.float32, numpy.complex64), "f64": (2, numpy.float64, numpy.complex128)}
MODES = ["full", "same", "valid"]
BOUNDARIES = ["zero", "periodic", "reflect", "nearest"]
NUMPY_MODES = {"periodic": "wrap", "reflect": "symmetric", "nearest": "edge"}
NDIMAGE_MODES = {"periodic": "wrap", "reflect": "reflect", "nearest": "nearest"}
METHODS = {"automatic": 0, "direct": 1, "separable": 2, "whole": 3, "overlap-save": 4}


class Problem:
    """A random problem and what SciPy makes of it."""

    def __init__(self, seed, on_device):
        draw = random.Random(seed)
        values = numpy.random.default_rng(seed)
        rank = draw.choice([1, 1, 1, 2, 2, 3])
        most = {1: 2000, 2: 60, 3: 16}[rank]
        self.lengths = [draw.randint(1, most) for _ in range(rank)]
        self.kernel = [draw.randint(1, draw.choice([4, most // 2])) for _ in range(rank)]
        self.signals, self.filters = draw.randint(1, 2), draw.randint(1, 3)
        self.precision = draw.choice(list(PRECISIONS))
        self.complex = draw.random() < 0.4
        self.correlate = draw.random() < 0.4
        self.boundary = draw.choice(["zero", "zero", *BOUNDARIES])
        self.mode = draw.choice(MODES) if self.boundary == "zero" else "same"
        if self.mode == "valid" or self.boundary != "zero":
            self.kernel = [min(k, n) for k, n in zip(self.kernel, self.lengths)]
        self.method = draw.choice(["automatic", "direct", "whole"] + {1: ["overlap-save"], 2: ["separable"], 3: []}[rank])
        # Shorter than most filters of one dimension, which the host then cuts into partitions; devices hold shorter ones
        # than 9000 points on chip, and have longer ones go through memory.
        self.segment = draw.choice([0, 0, 48]) if self.method == "overlap-save" else 0
        if self.segment and on_device:
            self.segment = 9000
            self.lengths = [draw.randint(10000, 30000)]
        self.signal = self._random(values, [self.signals, *self.lengths])
        self.bank = self._random(values, [self.filters, *self.kernel])
        if self.method == "separable" or (rank == 2 and draw.random() < 0.3):
            columns = self._random(values, [self.filters, self.kernel[0], 1])
            self.bank = columns * self._random(values, [self.filters, 1, self.kernel[1]])

    def _random(self, values, shape):
        _, real, cplx = PRECISIONS[self.precision]
        result = values.uniform(-1, 1, shape)
        if self.complex:
            return (result + 1j * values.uniform(-1, 1, shape)).astype(cplx)
        return result.astype(real)

    def line(self, folder):
        names = [folder / name for name in ("signal", "filters", "output")]
        self.signal.tofile(names[0])
        self.bank.tofile(names[1])
        words = [len(self.lengths), *self.lengths, *self.kernel, self.signals, self.filters, PRECISIONS[self.precision][0],
                 int(self.complex), int(self.correlate), MODES.index(self.mode), BOUNDARIES.index(self.boundary),
                 METHODS[self.method], self.segment, *names]
        return " ".join(str(word) for word in words)

    def expected(self):
        wide = numpy.clongdouble if self.complex else numpy.longdouble
        return numpy.array([[self._scipy(x.astype(wide), h.astype(wide)) for h in self.bank] for x in self.signal])

    def _scipy(self, x, h):
        if self.boundary != "zero":
            return self._padded(x, h)
        if self.correlate:
            return scipy.signal.correlate(x, h, self.mode, method="direct")
        if len(self.lengths) == 1 and self.precision == "f32":
            return scipy.signal.oaconvolve(x.astype(complex), h.astype(complex), self.mode)
        return scipy.signal.convolve(x, h, self.mode, method="direct")

    def _padded(self, x, h):
        """By a padded signal; ndimage's centre of even kernels differs between the two operations."""
        if self.correlate:
            h = numpy.flip(h).conj()
        behind = [k // 2 if self.correlate else (k - 1) // 2 for k in h.shape]
        widths = [(before, k - 1 - before) for before, k in zip(behind, h.shape)]
        result = scipy.signal.convolve(numpy.pad(x, widths, NUMPY_MODES[self.boundary]), h, "valid", method="direct")
        difference = numpy.abs(result - self._ndimage(x, h)).max()
        if difference > 1e-11:
            raise AssertionError(f"{self}: scipy.ndimage and the padded signal differ by {difference}")
        return result

    def _ndimage(self, x, h):
        mode = NDIMAGE_MODES[self.boundary]
        # Our correlation is that with the kernel as it was given, which convolve has reversed.
        apply = (lambda a, b: scipy.ndimage.correlate(a, numpy.flip(b), mode=mode)) if self.correlate else (
            lambda a, b: scipy.ndimage.convolve(a, b, mode=mode))
        part = lambda a, b: apply(a.astype(float), b.astype(float))
        if not self.complex:
            return part(x, h)
        return (part(x.real, h.real) - part(x.imag, h.imag)) + 1j * (part(x.real, h.imag) + part(x.imag, h.real))

    def allowed(self):
        """Rounding: of transforms hardly grows; of a sum's terms, one after the other, with the root of their number."""
        unit = 2.0**-24 if self.precision == "f32" else 2.0**-53
        if self.method in ("whole", "overlap-save"):
            return 7 * unit
        return unit * max(7, 2 + numpy.sqrt(numpy.prod(self.kernel)) / 2)

    def check(self, folder):
        _, real, cplx = PRECISIONS[self.precision]
        allowed = self.allowed()
        expected = self.expected()
        result = numpy.fromfile(folder / "output", cplx if self.complex else real)
        if result.size != expected.size:
            return f"{result.size} results; expected {expected.size}"
        # Relative to what the sums are made of, since they may cancel.
        taps = numpy.prod(self.kernel) * (2 if self.complex else 1)
        size = max(numpy.sqrt(numpy.mean(numpy.abs(expected) ** 2)), numpy.sqrt(taps) / 3)
        error = numpy.sqrt(numpy.mean(numpy.abs(result - expected.ravel()) ** 2)) / size
        return None if error <= allowed else f"relative error {error:.2e}; allowed {allowed:.1e}"

    def __str__(self):
        return (f"{self.signals}*{self.lengths} with {self.filters}*{self.kernel} {self.precision} "
                f"{'complex' if self.complex else 'real'} {'correlate' if self.correlate else 'convolve'} "
                f"{self.mode} {self.boundary} {self.method} {self.segment}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--device", default="host")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    failures = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        with subprocess.Popen([options.program, options.device], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
            for seed in range(options.seed, options.seed + options.count):
                problem = Problem(seed, options.device != "host")
                print(problem.line(folder), file=program.stdin, flush=True)
                answer = program.stdout.readline().strip()
                complaint = problem.check(folder) if answer == "done" else answer or "the program ended"
                if complaint:
                    failures.append(f"seed {seed}: {problem}: {complaint}")
                if answer == "":
                    break
            program.stdin.close()
    print(f"{options.count} problems, {len(failures)} failures", *failures, sep="\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
