#!/usr/bin/env python3
# The polynomials of device-runtime/cpu/math
#
# Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   pip install mpmath && test/math/polynomials.py
"""Prints coefficients and errors. Remez's exchange algorithm finds, for a function
f in an interval, the polynomial p of a degree with the least largest
|weight (p - f)|; the weight makes that the error relative to what is computed."""
from mpmath import (asin, atan, cos, erf, erfc, exp, log, lu_solve, matrix, mp, mpf,
                    nstr, pi, sin, sinh, sqrt, tanh)

mp.dps = 60
TINY = mpf(10) ** -25


def evaluate(coefficients, x):
    total = mpf(0)
    for c in reversed(coefficients):
        total = total * x + c
    return total


def extremes(error, grid, most):
    """The places of the largest errors of alternating sign."""
    found, sign = [], 0
    values = [error(x) for x in grid]
    for i, value in enumerate(values):
        now = 1 if value >= 0 else -1
        if now != sign:
            found.append(i)
            sign = now
        elif abs(value) > abs(values[found[-1]]):
            found[-1] = i
    while len(found) > most:
        found.pop(0 if abs(values[found[0]]) < abs(values[found[-1]]) else -1)
    return [grid[i] for i in found], max(abs(v) for v in values)


def fit(f, low, high, degree, weight=lambda x: 1):
    low, high = mpf(low), mpf(high)
    many = degree + 2
    places = [(low + high) / 2 - (high - low) / 2 * cos(pi * i / (many - 1))
              for i in range(many)]
    grid = [low + (high - low) * i / (60 * many) for i in range(60 * many + 1)]
    for _ in range(12):
        system, right = matrix(many, many), matrix(many, 1)
        for i, x in enumerate(places):
            for j in range(degree + 1):
                system[i, j] = x ** j
            system[i, degree + 1] = (-1) ** i / weight(x)
            right[i] = f(x)
        solved = lu_solve(system, right)
        coefficients = [solved[j] for j in range(degree + 1)]
        places, largest = extremes(
            lambda x: weight(x) * (evaluate(coefficients, x) - f(x)), grid, many)
        if len(places) < many:
            break
    return coefficients, largest


def show(name, fitted):
    coefficients, largest = fitted
    print(f"{name}: error 2^{nstr(log(largest, 2), 4)}")
    print("  " + ", ".join(float(c).hex() for c in coefficients))


def series(function, first, power):
    """(function(x) - first(x)) / x^power as a function of z = x^2."""
    def value(z):
        x = sqrt(z)
        return (function(x) - first(x)) / x ** power
    return value


half = log(mpf(2)) / 2 * mpf("1.0001")


def exponential(r):
    return (exp(r) - 1 - r) / r ** 2 if abs(r) > TINY else mpf(1) / 2


show("exp, double", fit(exponential, -half, half, 9, lambda r: r ** 2 / exp(r) + TINY))
show("exp, float", fit(exponential, -half, half, 5, lambda r: r ** 2 / exp(r) + TINY))

most = ((sqrt(mpf(2)) - 1) / (sqrt(mpf(2)) + 1)) ** 2
atanh2 = series(lambda s: log((1 + s) / (1 - s)), lambda s: 2 * s, 3)
for name, degree in (("float", 3), ("float, for powers", 4), ("double", 6)):
    show("log, " + name, fit(atanh2, most / 1000, most, degree, lambda z: z))
show("log, as a pair", fit(lambda z: (atanh2(z) - mpf(2) / 3) / z, most / 2000, most, 6,
                           lambda z: z * z))

quarter = (pi / 4) ** 2
sine = series(sin, lambda x: x, 3)
cosine = series(cos, lambda x: 1 - x * x / 2, 4)
for name, degree in (("float", 3), ("double", 5)):
    show("sin, " + name, fit(sine, quarter / 1000, quarter, degree, lambda z: z))
    show("cos, " + name, fit(cosine, quarter / 1000, quarter, degree, lambda z: z * z))

show("atan, float", fit(series(atan, lambda x: x, 3), "0.00017", "0.1717", 6, lambda z: z))
show("asin, float", fit(series(asin, lambda x: x, 3), "0.00025", "0.2501", 7, lambda z: z))
show("sinh, double", fit(series(sinh, lambda x: x, 3), "0.0001", "0.1", 5, lambda z: z))
show("tanh, double", fit(series(tanh, lambda x: x, 3), "0.0001", "0.09", 7, lambda z: z))


def error_function(z):
    return erf(sqrt(z)) / sqrt(z) - 1 if z > TINY else 2 / sqrt(pi) - 1


def complement(t):
    x = 4 * (1 + t) / (1 - t)
    return exp(x * x) * erfc(x) * (1 + 2 * x)


def reduced(x):
    return (mpf(x) - 4) / (mpf(x) + 4)


show("erf, float", fit(error_function, 0, 1, 7))
show("erf, double", fit(error_function, 0, 1, 11))
show("erfc, float", fit(complement, -1, reduced("10.2"), 12))
show("erfc, double", fit(complement, reduced("0.99"), reduced("6.05"), 16))
