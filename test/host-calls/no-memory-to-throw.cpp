// Where no memory is left, small exceptions are thrown and caught all the same: there
// is room for 64 of them at a time.
// A GPU's heap grows by memory that the host lends.
// RUN: %xcc -O0 -offload-arch=host %s -o %t-host && %t-host | FileCheck %s
// RUN: %xcc -O2 -offload-arch=host %s -o %t-host && %t-host | FileCheck %s
// CHECK: 60 at a time, 100 one after the other, bad_alloc
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <sys/resource.h>
#include <unistd.h>
#include <xcc/xcc.h>

/// All memory that there is, in a list.
static void *takeAll() {
  void *list = nullptr;
  for (std::size_t size = 1 << 20; size >= 16;)
    if (auto *block = static_cast<void **>(std::malloc(size))) {
      *block = list;
      list = block;
    } else {
      size /= 2;
    }
  return list;
}

static int nested(int depth) {
  try {
    throw depth;
  } catch (int n) {
    return depth == 1 ? 1 : nested(depth - 1) + (n == depth);
  }
}

static void kernel(int *counts) {
  void *list = takeAll();
  counts[0] = nested(60);
  for (int i = 0; i != 100; ++i)
    try {
      throw i;
    } catch (int n) {
      counts[1] += n == i;
    }
  try {
    counts[2] = int(std::size_t(new char[1000]) & 1);
  } catch (const std::bad_alloc &) {
    counts[2] = 2;
  }
  while (list) {
    void *next = *static_cast<void **>(list);
    std::free(list);
    list = next;
  }
}

int main() {
  int counts[3] = {};
  xcc::launch({{1}, {1}}, [] {}); // the device's own memory is there
  xcc::synchronize();
  long pages = 0;
  std::FILE *status = std::fopen("/proc/self/statm", "r");
  if (!status || std::fscanf(status, "%ld", &pages) != 1)
    return 1;
  std::fclose(status);
  rlimit limit = {};
  getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = rlim_t(pages) * rlim_t(sysconf(_SC_PAGESIZE)) + (16u << 20);
  xcc::buffer<int> shared(3);
  shared.copy_from(counts, 3);
  setrlimit(RLIMIT_AS, &limit);
  xcc::launch({{1}, {1}}, kernel, shared.data());
  shared.copy_to(counts, 3);
  std::printf("%d at a time, %d one after the other, %s\n", counts[0],
              counts[1], counts[2] == 2 ? "bad_alloc" : "memory");
}
