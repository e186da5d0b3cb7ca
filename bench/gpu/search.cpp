// Loops that end early, recursion, branch and bound
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "../codegen/kernels/boxes.h"
#include "../codegen/kernels/cooling.h"
#include "../codegen/kernels/field.h"
#include "../codegen/kernels/knapsack.h"
#include "../codegen/kernels/rays.h"
#include "../codegen/kernels/recursion.h"
#include "../codegen/suite.h"
#include "case.h"

namespace {

float between(float low, float high, std::size_t i) {
  return low + (high - low) * randomFloat(i);
}

Case recursion(Size size) {
  const int n = size == Size::Check ? 1'003 : 1 << 20;
  auto depth = Array<int>(n).fill([](std::size_t i) { return hashOf(i) % 12; });
  auto out = Array<int>(n).fill(hashOf);
  return {[=] { suite::recursion(n, depth.data(), out.data()); },
          [=] {
            return compare(out.read(), 0, [&](std::size_t i) {
              const int d = depth[i];
              return suite::fibonacci(d) + suite::ackermann(d & 1, d);
            });
          }};
}

Case rayAny(Size size) {
  const int n = size == Size::Check ? 2'003 : 1 << 20;
  const int balls = size == Size::Check ? 67 : 1'000;
  const float reach = 1.5f;
  auto ball = Array<suite::Ball>(balls).fill([](std::size_t i) {
    return suite::Ball{between(-1, 1, 4 * i), between(-1, 1, 4 * i + 1),
                       between(-1, 1, 4 * i + 2), between(0, .06f, 4 * i + 3)};
  });
  auto ray = Array<suite::Ray>(n).fill([](std::size_t i) {
    const float z = between(-1, 1, 5 * i), turn = between(0, 6.28f, 5 * i + 1);
    const float flat = std::sqrt(1 - z * z);
    return suite::Ray{between(-1, 1, 5 * i + 2), between(-1, 1, 5 * i + 3),
                      between(-1, 1, 5 * i + 4), flat * std::cos(turn),
                      flat * std::sin(turn),     z};
  });
  auto hit = Array<unsigned char>(n).fill([](std::size_t) { return 7; });
  return {[=] {
            suite::rayAny(n, balls, reach, ball.data(), ray.data(), hit.data());
          },
          [=] {
            // Rays that graze a ball may be rounded either way.
            const auto result = hit.read();
            int others = 0;
            for (int i = 0; i < n; ++i) {
              const suite::Ray &r = ray[i];
              bool any = false;
              for (int k = 0; k < balls && !any; ++k)
                any = suite::hits(ball[k], r.ox, r.oy, r.oz, r.dx, r.dy, r.dz,
                                  reach);
              others += result[i] != any;
            }
            return others <= n / 500 ? std::string()
                                     : std::to_string(others) + " rays differ";
          }};
}

Case collide(Size size) {
  const int n = size == Size::Check ? 1'003 : 1 << 15;
  auto box = Array<suite::Box>(n).fill([](std::size_t i) {
    const float turn = between(0, 6.28f, 8 * i);
    return suite::Box{between(0, 40, 8 * i + 1),
                      between(0, 40, 8 * i + 2),
                      between(0, 9, 8 * i + 3),
                      std::cos(turn),
                      std::sin(turn),
                      between(.1f, 1, 8 * i + 4),
                      between(.1f, 1, 8 * i + 5),
                      between(.1f, 1, 8 * i + 6)};
  });
  auto count = Array<int>(n).fill(hashOf), first = Array<int>(n).fill(hashOf);
  return {[=] { suite::collide(n, box.data(), count.data(), first.data()); },
          [=] {
            // Boxes that touch may be rounded either way.
            const auto counts = count.read(), firsts = first.read();
            int others = 0;
            for (int i = 0; i < n; ++i) {
              int found = 0, least = -1;
              for (int k = n; k-- > 0;)
                if (k != i && suite::overlap(box[i], box[k])) {
                  ++found;
                  least = k;
                }
              others += counts[i] != found || firsts[i] != least;
            }
            return others <= n / 500 ? std::string()
                                     : std::to_string(others) + " boxes differ";
          }};
}

Case field(Size size) {
  const int n = size == Size::Check ? 1'003 : 1 << 20;
  const int squarings = size == Size::Check ? 5 : 64;
  auto in = Array<suite::Field>(n).fill([](std::size_t i) {
    suite::Field a;
    for (int k = 0; k < 8; ++k)
      a.word[k] = i % 3 ? hashOf(8 * i + k) : ~0u;
    return a;
  });
  auto out =
      Array<suite::Field>(n).fill([](std::size_t) { return suite::Field{}; });
  return {[=] { suite::fieldPowers(n, squarings, in.data(), out.data()); },
          [=] {
            const auto result = out.read();
            std::vector<std::uint32_t> words;
            for (const suite::Field &a : result)
              words.insert(words.end(), a.word, a.word + 8);
            suite::Field r;
            return compare(words, 0, [&](std::size_t i) {
              if (i % 8 == 0) {
                const suite::Field &a = in[i / 8];
                r = a;
                for (int k = 0; k < squarings; ++k)
                  r = suite::multiply(suite::multiply(r, r), a);
              }
              return r.word[i % 8];
            });
          }};
}

Case cooling(Size size) {
  const int n = size == Size::Check ? 1'003 : 1 << 20, entries = 160;
  const double step = .02;
  auto table = Array<double>(entries).fill(
      [](std::size_t i) { return std::sin(double(i) / 20) - 1; });
  auto density = Array<double>(n).fill(
      [](std::size_t i) { return double(between(.1f, 4, i)); });
  auto energy = Array<double>(n).fill(
      [](std::size_t i) { return double(between(1, 1000, i + 9)); });
  return {[=] {
            suite::cooling(n, entries, step, table.data(), density.data(),
                           energy.data());
          },
          [=] {
            return compare(energy.read(), 3e-6, [&](std::size_t i) {
              return suite::cool(&table[0], entries, energy[i], density[i],
                                 step);
            });
          }};
}

Case knapsack(Size size) {
  const int n = size == Size::Check ? 503 : 1 << 18;
  constexpr int things = suite::KnapsackThings;
  // The value for each weight falls.
  auto weight = Array<int>(things).fill(
      [](std::size_t i) { return int(hashOf(i) % 60) + 20; });
  auto value = Array<int>(things).fill(
      [=](std::size_t i) { return weight[i] * (200 - 5 * int(i)) / 50 + 1; });
  auto room =
      Array<int>(n).fill([](std::size_t i) { return int(hashOf(i) % 1'000); });
  auto best = Array<int>(n).fill(hashOf);
  return {[=] {
            suite::knapsack(n, value.data(), weight.data(), room.data(),
                            best.data());
          },
          [=] {
            return compare(best.read(), 0, [&](std::size_t i) {
              // All values of up to that weight, one thing after the other.
              std::vector<int> reached(room[i] + 1);
              for (int k = 0; k < things; ++k)
                for (int w = room[i]; w >= weight[k]; --w)
                  reached[w] =
                      std::max(reached[w], reached[w - weight[k]] + value[k]);
              return reached[room[i]];
            });
          }};
}

} // namespace

std::vector<CaseEntry> searchCases() {
  return {{"recursion", recursion}, {"ray_any", rayAny},
          {"collide", collide},     {"field", field},
          {"cooling", cooling},     {"knapsack", knapsack}};
}
