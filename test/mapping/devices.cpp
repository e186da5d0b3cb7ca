// Objects that launches on several devices use, of one kind and of several: each waits until they are back from the
// other. Threads have a device each.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=sm_90,gfx90a,host -foffload-no-cubin -Wno-offload-host-memory %s -o %t
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda:%build/simulator/hsa MOCK_CUDA_DEVICES=sm_90,sm_90 \
// RUN:   MOCK_HSA_AGENTS=gfx90a XCC_CPU_SEPARATE=2 %t
#include "Inputs/check.h"

#include <span>
#include <thread>
#include <vector>

constexpr std::size_t N = 1000;

static void inTurns(int devices) {
  std::vector<int> v(N, 1), w(N, 2);
  int a = 1, b = 2;
  for (int turn = 0; turn != 3 * devices; ++turn) {
    xcc::device::get(turn % devices).set_current();
    xcc::parallel_for(N, [&](std::size_t i) { v[i] += w[i]; });
    xcc::parallel_for(N, [&](std::size_t i) { w[i] = v[i] + 1; });
    a += b;
    b = a + 1;
  }
  for (int d = 0; d != devices; ++d)
    xcc::device::get(d).synchronize();
  CHECK(v[N - 1] == a && w[0] == b);
}

/// Another device sees what the host has, which a scope has brought up to date.
static void besideAScope(int devices) {
  std::vector<int> v(N, 1), z(N, 0);
  xcc::device::get(0).set_current();
  xcc::map scope(v);
  xcc::parallel_for(N, [&](std::size_t i) { v[i] = 5; });
  scope.to_host(v);
  xcc::device::get(devices - 1).set_current();
  xcc::parallel_for(N, [&](std::size_t i) { z[i] = v[i] + 1; });
  xcc::synchronize();
  CHECK(z[3] == 6 && z[N - 1] == 6);
}

/// Kernels of several devices use what the scopes of some hold.
static void scopesOfSeveral(int devices) {
  std::vector<int> v(N, 1), w(N, 2);
  auto on = [](int device) { xcc::device::get(device).set_current(); };
  auto add = [](std::vector<int> &to, const std::vector<int> &from) {
    xcc::parallel_for(N, [&](std::size_t i) { to[i] += from[i]; });
  };
  int a = 1;
  on(0);
  xcc::map first(v);
  for (int k = 0; k != 2 * devices; ++k) {
    on(k % devices);
    add(v, w);
    a += 2;
  }
  bool told = false;
  try {
    on(1);
    first.to_host(v);
  } catch (const xcc::error &e) {
    told = std::strstr(e.what(), "is held by a scope on device 0");
  }
  CHECK(told);
  on(0);
  add(v, w);
  a += 2;
  first.to_host(v);
  CHECK(v[0] == a && v[N - 1] == a);
  on(devices - 1);
  xcc::map last(v, w);
  add(v, w);
  on(0);
  add(v, w);
  first.end();
  a += 4;
  CHECK(v[3] == a);
  on(devices - 1);
  add(w, v);
  last.end();
  CHECK(w[3] == a + 2 && v[3] == a);

  // Each has a half of its own.
  auto front = std::span(v).first(N / 2), back = std::span(v).last(N / 2);
  on(0);
  xcc::map holdsFront(front);
  on(1);
  xcc::map holdsBack(back);
  xcc::parallel_for(N / 2, [=](std::size_t i) { back[i] = 7; });
  on(0);
  xcc::parallel_for(N / 2, [=](std::size_t i) { front[i] = 8; });
  holdsBack.end();
  holdsFront.end();
  CHECK(v[0] == 8 && v[N / 2 - 1] == 8 && v[N / 2] == 7 && v[N - 1] == 7);

  // Objects, whose addresses differ from device to device.
  std::vector<std::vector<int>> rows(3, std::vector<int>(N, 1));
  on(0);
  xcc::map holdsRows(rows);
  for (int k = 0; k != 2 * devices; ++k) {
    on(k % devices);
    xcc::parallel_for(N, [&](std::size_t i) {
      if (i == 0)
        std::swap(rows[0], rows[1]);
      rows[2][i] += 1;
    });
    xcc::parallel_for(N, [&](std::size_t i) { rows[0][i] += 1; });
  }
  on(0);
  holdsRows.end();
  for (int d = 0; d != devices; ++d)
    xcc::device::get(d).synchronize();
  CHECK(rows[0][3] == 1 + devices && rows[1][N - 1] == 1 + devices && rows[2][5] == 1 + 2 * devices);
}

static void threads(int devices) {
  const std::vector<int> z(N, 6);
  std::vector<std::vector<int>> own(8, std::vector<int>(N, 1));
  std::vector<std::thread> all;
  for (std::size_t k = 0; k != own.size(); ++k)
    all.emplace_back([&z, &mine = own[k], device = int(k) % devices] {
      xcc::device::get(device).set_current();
      for (int turn = 0; turn != 5; ++turn)
        xcc::parallel_for(N, [&](std::size_t i) { mine[i] += z[i]; });
      xcc::synchronize();
    });
  for (std::thread &t : all)
    t.join();
  for (const std::vector<int> &mine : own)
    CHECK(mine[0] == 31 && mine[N - 1] == 31);
}

int main() {
  const int devices = xcc::device::count();
  inTurns(devices);
  besideAScope(devices);
  scopesOfSeveral(devices);
  threads(devices);
}
