// Minima, maxima and medians of three numbers, and those that keep NaN
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each is there for single, half and packed halves, or for doubles, under several
// names. Halves are compared as floats.

#include "handlers.h"
#include "semantics.h"

namespace amdgcn {

namespace {

float f(Half h) { return floatFromHalf(h.bits); }
Half h(float a) { return Half{halfFromDouble(a)}; }

template <auto F> void addOfThree(Table &t, const std::string &names) {
  t.add(keep(names), vectorSlow<[](Half a, Half b, Half c) {
          return h(F(f(a), f(b), f(c)));
        }>());
}

/// The names with this ending.
std::string ended(std::initializer_list<const char *> names,
                  const char *ending) {
  std::string all;
  for (const char *name : names)
    all += std::string(all.empty() ? "" : " ") + "v_" + name + ending;
  return all;
}

/// Of singles and halves.
template <auto F>
void addBoth(Table &t, std::initializer_list<const char *> names) {
  t.add(keep(ended(names, "_f32")),
        vector<[](float a, float b, float c) { return F(a, b, c); }>());
  addOfThree<F>(t, ended(names, "_f16"));
}

} // namespace

void addVectorExtremes(Table &t) {
  addBoth<[](float a, float b, float c) { return minNum(minNum(a, b), c); }>(
      t, {"min3", "min3_num"});
  addBoth<[](float a, float b, float c) { return maxNum(maxNum(a, b), c); }>(
      t, {"max3", "max3_num"});
  addBoth<[](float a, float b, float c) { return medianNum(a, b, c); }>(
      t, {"med3", "med3_num"});
  addBoth<[](float a, float b, float c) { return minNum(maxNum(a, b), c); }>(
      t, {"maxmin", "maxmin_num"});
  addBoth<[](float a, float b, float c) { return maxNum(minNum(a, b), c); }>(
      t, {"minmax", "minmax_num"});
  addBoth<[](float a, float b, float c) { return minimum(minimum(a, b), c); }>(
      t, {"minimum3"});
  addBoth<[](float a, float b, float c) { return maximum(maximum(a, b), c); }>(
      t, {"maximum3"});
  addBoth<[](float a, float b, float c) { return minimum(maximum(a, b), c); }>(
      t, {"maximumminimum"});
  addBoth<[](float a, float b, float c) { return maximum(minimum(a, b), c); }>(
      t, {"minimummaximum"});
  t.add("v_minimum_f32",
        vector<[](float a, float b) { return minimum(a, b); }>());
  t.add("v_maximum_f32",
        vector<[](float a, float b) { return maximum(a, b); }>());
  t.add("v_minimum_f64",
        vector<[](double a, double b) { return minimum(a, b); }>());
  t.add("v_maximum_f64",
        vector<[](double a, double b) { return maximum(a, b); }>());
  t.add("v_minimum_f16",
        vectorSlow<[](Half a, Half b) { return h(minimum(f(a), f(b))); }>());
  t.add("v_maximum_f16",
        vectorSlow<[](Half a, Half b) { return h(maximum(f(a), f(b))); }>());
}

} // namespace amdgcn
