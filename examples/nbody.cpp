// Stars that attract each other
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every star pulls every other. A block reads the stars tile by tile into
// memory that its threads share. Types of one's own with their operators work
// in kernels like everywhere else.

#include <xcc/xcc.h>

#include <chrono>
#include <cmath>
#include <cstdio>
#include <random>
#include <vector>

struct vec3 {
  float x, y, z;
};
inline vec3 operator+(vec3 a, vec3 b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
inline vec3 operator-(vec3 a, vec3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
inline vec3 operator*(float s, vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
inline float dot(vec3 a, vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }

struct star {
  vec3 position;
  float mass;
};

constexpr unsigned threads = 128;
constexpr float softening = 0.01f; // squared: keeps close encounters finite

/// Adds to each velocity what the pull of all stars does in a time `dt`.
void pull(const star *stars, vec3 *velocity, unsigned n, float dt) {
  static xcc::block_shared<star[threads]> tile;
  const unsigned t = xcc::thread_idx().x, i = xcc::global_id();
  const vec3 here = stars[i < n ? i : n - 1].position;

  vec3 acceleration = {0, 0, 0};
  for (unsigned first = 0; first < n; first += threads) {
    tile[t] = first + t < n ? stars[first + t] : star{here, 0};
    xcc::sync_block();
    for (unsigned j = 0; j < threads; ++j) {
      const vec3 d = tile[j].position - here;
      const float inverse = 1 / std::sqrt(dot(d, d) + softening);
      acceleration =
          acceleration + tile[j].mass * inverse * inverse * inverse * d;
    }
    xcc::sync_block();
  }
  if (i < n)
    velocity[i] = velocity[i] + dt * acceleration;
}

void drift(star *stars, const vec3 *velocity, unsigned n, float dt) {
  if (unsigned i = xcc::global_id(); i < n)
    stars[i].position = stars[i].position + dt * velocity[i];
}

/// Kinetic and potential energy together, which does not change with time.
double energy(const std::vector<star> &stars,
              const std::vector<vec3> &velocity) {
  double sum = 0;
  for (std::size_t i = 0; i < stars.size(); ++i) {
    sum += 0.5 * stars[i].mass * dot(velocity[i], velocity[i]);
    for (std::size_t j = 0; j < i; ++j) {
      const vec3 d = stars[i].position - stars[j].position;
      sum -= stars[i].mass * stars[j].mass / std::sqrt(dot(d, d) + softening);
    }
  }
  return sum;
}

int main() {
  const unsigned n = 2000, steps = 20;
  const float dt = 0.002f;
  std::mt19937 random(1);
  std::normal_distribution<float> normal;
  std::vector<star> stars(n);
  std::vector<vec3> velocity(n, vec3{0, 0, 0});
  for (star &s : stars)
    s = {{normal(random), normal(random), normal(random)}, 1.0f / n};
  const double before = energy(stars, velocity);

  xcc::buffer<star> device_stars(n);
  xcc::buffer<vec3> device_velocity(n);
  device_stars.copy_from(stars.data(), n);
  device_velocity.copy_from(velocity.data(), n);
  const xcc::launch_config config{{(n + threads - 1) / threads}, {threads}};
  xcc::event start, stop;
  start.record();
  for (unsigned step = 0; step < steps; ++step) {
    // Half a pull, a drift, half a pull: errors of energy do not add up.
    xcc::launch(config, pull, device_stars.data(), device_velocity.data(), n,
                dt / 2);
    xcc::launch(config, drift, device_stars.data(), device_velocity.data(), n,
                dt);
    xcc::launch(config, pull, device_stars.data(), device_velocity.data(), n,
                dt / 2);
  }
  stop.record();
  device_stars.copy_to(stars.data(), n);
  device_velocity.copy_to(velocity.data(), n);

  const double after = energy(stars, velocity);
  const double drifted = std::abs((after - before) / before);
  vec3 momentum = {0, 0, 0};
  for (std::size_t i = 0; i < n; ++i)
    momentum = momentum + stars[i].mass * velocity[i];
  const bool moved = dot(velocity[0], velocity[0]) > 0;
  const bool correct =
      moved && drifted < 1e-4 && dot(momentum, momentum) < 1e-10f;
  const double milliseconds =
      start.elapsed<std::chrono::duration<double, std::milli>>(stop).count();
  std::printf("nbody: %u steps of %u stars on %s: %.1f ms, %.2f billion "
              "pairs/s\n"
              "energy %.6f before, %.6f after: %s\n",
              steps, n, xcc::device::current().name(), milliseconds,
              2.0 * steps * n * n / milliseconds / 1e6, before, after,
              correct ? "correct" : "WRONG");
  return correct ? 0 : 1;
}
