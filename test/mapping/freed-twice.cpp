// Memory that a kernel of the CPU device frees twice, or that it was never given: the error of its launch, with the
// object where the device has memory of its own. Where the C library holds the lock of its heap, the process ends after
// the same text.
// RUN: %xcc %headers -std=c++20 -O2 -w %s -o %t
// RUN: %t 2>&1 | %FileCheck %s
// RUN: env XCC_CPU_SEPARATE=1 %t 2>&1 | %FileCheck %s --check-prefixes=CHECK,NAMED
// RUN: not --crash %t large 2>&1 | %FileCheck %s --check-prefix=LARGE
// RUN: not --crash env XCC_CPU_SEPARATE=1 %t large 2>&1 | %FileCheck %s --check-prefixes=LARGE,LARGE-NAMED
#include "Inputs/check.h"
#include <cstdint>
#include <cstdlib>
#include <dlfcn.h>
#include <list>
#include <memory>
#include <string>
#include <vector>

namespace {
struct Job {
  std::string name;
  std::vector<int> values;
  std::list<int> steps;
};

/// Not one that LLVM knows.
[[gnu::noinline]] void drop(void *memory) { ::operator delete(memory); }

/// Never destroyed: with the host's memory what the kernel freed is gone.
std::vector<Job> &makeJobs() {
  return *new std::vector<Job>(4, Job{std::string(60, 'x'), {1, 2, 3}, {4, 5}});
}

template <class Kernel> void expectFailure(const char *what, Kernel kernel) {
  try {
    kernel();
    xcc::synchronize();
    std::printf("%s: no error\n", what);
  } catch (const xcc::error &e) {
    std::printf("%s: %s\n", what, e.what());
  }
}
} // namespace

static void all() {
  // CHECK: twice: kernel {{.*}} launched at {{.*}} failed on device 0 (host): memory was freed that is not allocated (free(): double free detected in tcache 2) at address 0x{{[0-9a-f]+}}
  // NAMED-SAME: (of 'jobs[2].values')
  auto &jobs = makeJobs();
  expectFailure("twice", [&] {
    xcc::launch({{1}, {1}}, [&] {
      drop(jobs[2].values.data());
      drop(jobs[2].values.data());
    });
  });
  // CHECK: element: kernel {{.*}}: memory was freed that is not allocated ({{.*}}) at address 0x{{[0-9a-f]+}}
  // NAMED-SAME: (of 'more[1].values')
  auto &more = makeJobs();
  expectFailure("element", [&] {
    xcc::launch({{1}, {1}}, [&] { drop(&more[1].values[1]); });
  });
  // CHECK: node: kernel {{.*}}: memory was freed that is not allocated ({{.*}}) at address 0x{{[0-9a-f]+}}
  // NAMED-SAME: (of 'nodes[3].steps')
  auto &nodes = makeJobs();
  expectFailure("node", [&] {
    xcc::launch({{1}, {1}}, [&] { drop(&nodes[3].steps.front()); });
  });
  // CHECK: string: kernel {{.*}}: memory was freed that is not allocated (free(): double free detected in tcache 2)
  auto &names = makeJobs();
  expectFailure("string", [&] {
    xcc::launch({{1}, {1}}, [&] {
      drop(names[0].name.data());
      names[0].name += std::string(100, 'y');
    });
  });
  // CHECK: local: kernel {{.*}}: memory was freed that is not allocated ({{.*}}) at address 0x{{[0-9a-f]+}}
  int out = 0;
  expectFailure("local", [&] {
    xcc::launch({{1}, {1}}, [&] {
      int numbers[8] = {};
      drop(numbers + 4);
      out = numbers[3];
    });
  });
  // NAMED: stays: kernel
  std::vector<std::string> stays{"as it was"}, gone{std::string(50, 'g')};
  if (separate()) {
    expectFailure("stays", [&] {
      xcc::launch({{1}, {1}}, [&] {
        stays.push_back("more");
        drop(gone[0].data());
        drop(gone[0].data());
      });
    });
    CHECK(stays.size() == 1 && stays[0] == "as it was" && gone[0].size() == 50);
  }
  // CHECK: hostAborts: kernel {{.*}} failed on device 0 (host): a function of the host called abort()
  // As a function of a library would, not the program.
  const auto at = reinterpret_cast<std::uintptr_t>(
      dlsym(dlopen("libc.so.6", RTLD_NOW), "abort"));
  expectFailure("hostAborts", [&] {
    xcc::launch({{1}, {1}}, [at] { reinterpret_cast<void (*)()>(at)(); });
  });
  // What other kernels do comes home as before.
  std::vector<std::string> after(3);
  xcc::parallel_for(3, [&](std::size_t i) { after[i] += std::string(40, 'z'); });
  xcc::synchronize();
  CHECK(after[2].size() == 40);
  // CHECK: went on
  std::puts("went on");
}

/// Blocks of this size are kept where only the lock's owner looks.
static void large() {
  // LARGE: xcc: kernel {{.*}} launched at {{.*}} failed on device 0 (host): memory was freed that is not allocated (double free or corruption ({{.*}})) at address 0x{{[0-9a-f]+}}
  // LARGE-NAMED-SAME: (of 'numbers')
  auto &numbers = *new std::vector<double>(1000, 2.0);
  auto behind = std::make_unique<char[]>(100);
  xcc::launch({{1}, {1}}, [&] {
    drop(numbers.data());
    drop(numbers.data());
  });
  xcc::synchronize();
}

int main(int argc, char **) { argc > 1 ? large() : all(); }
