// Runs and compares kernels
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

//
//   run_kernels REFERENCE.so TESTED.so KERNEL...
//
// Runs each kernel from two images on the same input, for several shapes of
// grids and blocks, and compares all memory it may write, byte by byte. The
// reference is usually the kernel as fibers, which is close to the source; the
// tested image has loops. Fibers are ucontexts, scheduled in turn.
//
// A kernel's arguments are those of struct args below.
//
//===----------------------------------------------------------------------===//
#include "xcc/abi.h"

#include <dlfcn.h>
#include <ucontext.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <vector>

namespace {

struct args {
  int32_t n;
  float a;
  const float *x;   // size floats, in [-8, 8)
  float *y;         // size floats
  const int32_t *u; // size integers, in [0, 1024)
  int32_t *v;       // size integers
};

constexpr unsigned size = 1 << 16;

struct shape {
  uint32_t grid[3], block[3];
};

//===-- Fibers -------------------------------------------------------------===//

enum class state { ready, warp, block, ended };

struct fiber {
  ucontext_t context;
  std::unique_ptr<char[]> stack;
  uint64_t position[256];
  xcc_cpu_thread thread;
  state now;
  uint32_t mask;
};

constexpr size_t stack_bytes = 64 << 10;
ucontext_t scheduler;
std::vector<fiber> fibers;
fiber *running;
xcc_cpu_thread *loop_thread;
const xcc_cpu_kernel *running_kernel;
const xcc_cpu_image *running_image;

xcc_cpu_thread *current_thread() {
  return running ? &running->thread : loop_thread;
}

uint32_t barrier(uint32_t scope) {
  fiber *self = running;
  self->now = scope == XCC_CPU_SCOPE_BLOCK ? state::block : state::warp;
  swapcontext(&self->context, &scheduler);
  return self->mask;
}

void trap(uint32_t kind, const char *text, const char *file, uint32_t line) {
  fprintf(stderr, "trap %u: %s at %s:%u\n", kind, text ? text : "",
          file ? file : "", line);
  exit(3);
}

const xcc_cpu_services services = {
    XCC_ABI_VERSION, 0,       current_thread, barrier, trap,
    nullptr,         nullptr, nullptr,        nullptr, nullptr,
    nullptr,         nullptr, nullptr};

void fiber_main() {
  reinterpret_cast<xcc_cpu_thread_fn>(running_kernel->entry)(
      running->thread.group, &running->thread);
  running->now = state::ended;
  swapcontext(&running->context, &scheduler);
}

/// Lets waiting threads go on whose whole scope waits. False if none could.
bool release() {
  bool any = false;
  bool all = std::all_of(fibers.begin(), fibers.end(), [](const fiber &f) {
    return f.now == state::block || f.now == state::ended;
  });
  for (size_t w = 0; w < fibers.size(); w += XCC_CPU_WARP_SIZE) {
    size_t end = std::min(w + XCC_CPU_WARP_SIZE, fibers.size());
    uint32_t block_mask = 0, warp_mask = 0;
    bool whole_warp = true;
    for (size_t i = w; i < end; ++i) {
      if (fibers[i].now == state::block)
        block_mask |= 1u << (i - w);
      if (fibers[i].now == state::warp)
        warp_mask |= 1u << (i - w);
      else
        whole_warp &= fibers[i].now == state::ended;
    }
    uint32_t mask = all ? block_mask : whole_warp ? warp_mask : 0;
    for (size_t i = w; i < end; ++i)
      if (mask >> (i - w) & 1) {
        fibers[i].mask = mask;
        fibers[i].now = state::ready;
        any = true;
      }
  }
  return any;
}

void run_block_as_fibers(const xcc_cpu_group &group, const uint32_t block[3]) {
  const uint32_t *dim = group.block_dim;
  uint32_t threads = dim[0] * dim[1] * dim[2];
  if (fibers.size() != threads)
    fibers = std::vector<fiber>(threads);
  for (uint32_t i = 0; i < threads; ++i) {
    fiber &f = fibers[i];
    if (!f.stack)
      f.stack.reset(new char[stack_bytes]);
    getcontext(&f.context);
    f.context.uc_stack.ss_sp = f.stack.get();
    f.context.uc_stack.ss_size = stack_bytes;
    f.context.uc_link = nullptr;
    makecontext(&f.context, fiber_main, 0);
    f.thread = {{i % dim[0], i / dim[0] % dim[1], i / dim[0] / dim[1]},
                {block[0], block[1], block[2]},
                i,
                0,
                &group,
                f.position};
    f.now = state::ready;
  }
  for (;;) {
    bool ran = false, all_ended = true;
    for (fiber &f : fibers) {
      if (f.now == state::ready) {
        running = &f;
        swapcontext(&scheduler, &f.context);
        running = nullptr;
        ran = true;
      }
      all_ended &= f.now == state::ended;
    }
    if (all_ended)
      return;
    if (!release() && !ran) {
      fprintf(stderr, "deadlock\n");
      exit(4);
    }
  }
}

//===-- Launches -----------------------------------------------------------===//

struct image {
  void *handle;
  const xcc_cpu_image *header;
  explicit image(const char *path) : handle(dlopen(path, RTLD_NOW)) {
    if (!handle) {
      fprintf(stderr, "%s\n", dlerror());
      exit(2);
    }
    auto *found = static_cast<xcc_cpu_image *>(dlsym(handle, "__xcc_image"));
    header = found;
    if (!header || header->abi_version != XCC_ABI_VERSION) {
      fprintf(stderr, "%s: no image\n", path);
      exit(2);
    }
    found->services = &services;
  }
  const xcc_cpu_kernel &kernel(const char *name) const {
    auto *k = static_cast<const xcc_cpu_kernel *>(dlsym(handle, name));
    if (!k) {
      fprintf(stderr, "no kernel %s\n", name);
      exit(2);
    }
    return *k;
  }
};

struct memory {
  std::vector<float> x, y;
  std::vector<int32_t> u, v;
};

memory make_memory() {
  std::mt19937 rng(1);
  memory m;
  for (unsigned i = 0; i < size; ++i) {
    m.x.push_back(float(int(rng() % 16384) - 8192) / 1024);
    m.y.push_back(float(i % 7));
    m.u.push_back(int(rng() % 1024));
    m.v.push_back(int(i % 11));
  }
  return m;
}

void launch(const xcc_cpu_kernel &any, const shape &s, int n, memory &m) {
  // As the runtime does.
  alignas(64) char kernarg[64] = {};
  args a = {n, 2.5f, m.x.data(), m.y.data(), m.u.data(), m.v.data()};
  memcpy(kernarg, &a, sizeof a);
  uint64_t hasWarps =
      any.flags & (XCC_CPU_KERNEL_WARPS | XCC_CPU_KERNEL_TESTED_WARPS) &&
      s.block[0] % XCC_CPU_WARP_SIZE == 0;
  if (hasWarps && any.flags & XCC_CPU_KERNEL_TESTED_WARPS) {
    xcc_cpu_group sizes = {};
    sizes.kernarg = kernarg;
    std::copy_n(s.grid, 3, sizes.grid_dim);
    std::copy_n(s.block, 3, sizes.block_dim);
    reinterpret_cast<xcc_cpu_test_fn>((&any)[2].entry)(&sizes, &hasWarps);
  }
  const xcc_cpu_kernel &kernel = hasWarps ? *(&any + 1) : any;

  const uint32_t dynamic = 8192;
  uint32_t threads = s.block[0] * s.block[1] * s.block[2];
  auto aligned = [](size_t bytes) {
    bytes = (bytes + 127) / 64 * 64;
    void *p = aligned_alloc(64, bytes);
    memset(p, 0xa5, bytes); // what nobody wrote must not matter
    return std::unique_ptr<void, void (*)(void *)>(p, free);
  };
  auto shared = aligned(kernel.group_segment_size + dynamic);
  auto scratch = aligned(size_t(kernel.private_segment_size) * threads);
  auto exchange = aligned(size_t(XCC_CPU_EXCHANGE_BYTES) * threads);
  xcc_cpu_thread record = {};
  loop_thread = &record;
  xcc_cpu_group group = {kernarg,
                         shared.get(),
                         scratch.get(),
                         exchange.get(),
                         &record,
                         {s.grid[0], s.grid[1], s.grid[2]},
                         {s.block[0], s.block[1], s.block[2]},
                         kernel.group_segment_size,
                         dynamic,
                         running_image};
  uint64_t blocks = uint64_t(s.grid[0]) * s.grid[1] * s.grid[2];
  running_kernel = &kernel;
  if (!(kernel.flags & XCC_CPU_KERNEL_FIBERS)) {
    // In two parts, of which the second starts anywhere.
    auto run = reinterpret_cast<xcc_cpu_block_fn>(kernel.entry);
    run(&group, 0, blocks / 3);
    run(&group, blocks / 3, blocks);
    run(&group, blocks, blocks);
    return;
  }
  for (uint64_t b = 0; b < blocks; ++b) {
    uint32_t block[3] = {uint32_t(b % s.grid[0]),
                         uint32_t(b / s.grid[0] % s.grid[1]),
                         uint32_t(b / s.grid[0] / s.grid[1])};
    run_block_as_fibers(group, block);
  }
}

bool compare(const char *name, const shape &s, int n, const memory &a,
             const memory &b) {
  bool equal = true;
  for (unsigned i = 0; i < size && equal; ++i) {
    if (memcmp(&a.y[i], &b.y[i], 4) != 0) {
      printf("y[%u]: %.9g, not %.9g\n", i, double(b.y[i]), double(a.y[i]));
      equal = false;
    }
    if (a.v[i] != b.v[i]) {
      printf("v[%u]: %d, not %d\n", i, b.v[i], a.v[i]);
      equal = false;
    }
  }
  if (!equal)
    printf("  in %s, n = %d, grid %u %u %u, block %u %u %u\n", name, n,
           s.grid[0], s.grid[1], s.grid[2], s.block[0], s.block[1], s.block[2]);
  return equal;
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 4) {
    fprintf(stderr, "usage: run_kernels REFERENCE.so TESTED.so KERNEL...\n");
    return 2;
  }
  image reference(argv[1]), tested(argv[2]);
  const shape shapes[] = {{{1, 1, 1}, {1, 1, 1}},  {{3, 1, 1}, {64, 1, 1}},
                          {{2, 1, 1}, {37, 1, 1}}, {{2, 3, 1}, {16, 8, 1}},
                          {{2, 2, 2}, {5, 3, 2}},  {{5, 1, 1}, {256, 1, 1}},
                          {{1, 2, 1}, {64, 2, 3}}};
  bool ok = true;
  for (int k = 3; k < argc; ++k) {
    const xcc_cpu_kernel &a = reference.kernel(argv[k]);
    const xcc_cpu_kernel &b = tested.kernel(argv[k]);
    bool same = true;
    for (const shape &s : shapes)
      for (int n : {0, 1, 100, 333, 4096}) {
        memory ma = make_memory(), mb = make_memory();
        running_image = reference.header;
        launch(a, s, n, ma);
        running_image = tested.header;
        launch(b, s, n, mb);
        same &= compare(argv[k], s, n, ma, mb);
      }
    printf("%s: %s%s, %s\n", argv[k],
           b.flags & XCC_CPU_KERNEL_FIBERS ? "fibers" : "loops",
           b.flags & (XCC_CPU_KERNEL_WARPS | XCC_CPU_KERNEL_TESTED_WARPS)
               ? " and warps"
               : "",
           same ? "same" : "DIFFERENT");
    ok &= same;
  }
  return ok ? 0 : 1;
}
