// Threads that ask for kernels at once: one compile for each group, however many
// ask for it; a library goes whose kernels were generated.
// RUN: %xcc -std=c++20 -O2 -fPIC -shared -DLIBRARY -offload-arch=generic:x86_64 %s -o %t.so
// RUN: %xcc -std=c++20 -O2 -offload-arch=generic:x86_64 %s -o %t
// RUN: env XCC_LOG=load %t %t.so > %t.out 2>&1
// RUN: FileCheck %s < %t.out
// RUN: grep -c "generated here" %t.out | FileCheck %s --check-prefix=COUNT
// CHECK: all 32 threads: right
// CHECK: all 32 threads: right
// CHECK: forked: this process was forked
// 16 of the program's, and 1 of the library's, twice.
// COUNT: {{^}}18{{$}}
#include <xcc/xcc.h>
#ifdef LIBRARY
extern "C" int run() {
  xcc::buffer<int> device(1);
  xcc::parallel_for(1, [to = device.data()](std::size_t) { *to = 42; });
  int host = 0;
  device.copy_to(&host, 1);
  return host;
}
#else
#include <barrier>
#include <cstdio>
#include <dlfcn.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

template <int N> void kernel(int *out) { *out = N; }

template <int N> int launch() {
  xcc::buffer<int> device(1);
  xcc::launch({{1}, {1}}, kernel<N>, device.data());
  int host = 0;
  device.copy_to(&host, 1);
  return host;
}

template <int... N> auto launchers(std::integer_sequence<int, N...>) {
  return std::vector<int (*)()>{launch<N>...};
}

int main(int, char **arguments) {
  // The same kernel by all, then each by two.
  auto kernels = launchers(std::make_integer_sequence<int, 16>());
  for (int few : {1, 16}) {
    std::barrier start(32);
    std::vector<std::thread> threads;
    std::vector<int> right(32);
    for (int i = 0; i != 32; ++i)
      threads.emplace_back([&, i] {
        start.arrive_and_wait();
        right[i] = kernels[i % few]() == i % few;
      });
    bool all = true;
    for (int i = 0; i != 32; ++i) {
      threads[i].join();
      all &= right[i];
    }
    std::printf("all 32 threads: %s\n", all ? "right" : "WRONG");
  }
  for (int i = 0; i != 2; ++i) {
    void *library = dlopen(arguments[1], RTLD_NOW | RTLD_LOCAL);
    auto run = reinterpret_cast<int (*)()>(dlsym(library, "run"));
    if (!run || run() != 42)
      std::printf("the library is WRONG\n");
    dlclose(library);
  }
  std::fflush(stdout);
  if (pid_t child = fork()) {
    waitpid(child, nullptr, 0);
    return 0;
  }
  try {
    kernels[3]();
  } catch (const xcc::error &e) {
    std::printf("forked: %s\n", e.what());
  }
  std::fflush(stdout);
  _exit(0);
}
#endif
