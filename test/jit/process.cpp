// A process in which code was generated is as it was: signals, files that are
// open, rounding; no file is made on the way.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=generic:x86_64 %s -o %t
// RUN: env TMPDIR=/nowhere HOME=/nowhere XCC_LOG=load %t 2>&1 | FileCheck %s
// CHECK: generated here
// CHECK: as it was
#include <cfenv>
#include <csignal>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <vector>
#include <xcc/xcc.h>

static long files() {
  auto all = std::filesystem::directory_iterator("/proc/self/fd");
  return std::distance(begin(all), end(all));
}

template <int N> void kernel(float *out) { *out = 1.0f / N; }

template <int N> float launch(xcc::buffer<float> &to) {
  xcc::launch({{1}, {1}}, kernel<N>, to.data());
  float host = 0;
  to.copy_to(&host, 1);
  return host;
}

constexpr int Signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGUSR1,
                           SIGUSR2, SIGPIPE, SIGCHLD, SIGXFSZ, SIGXCPU};

static std::vector<void (*)(int)> handlers() {
  std::vector<void (*)(int)> all;
  for (int number : Signals) {
    struct sigaction now;
    sigaction(number, nullptr, &now);
    all.push_back(now.sa_handler);
  }
  return all;
}

int main() {
  std::signal(SIGUSR2, SIG_IGN);
  auto before = handlers();
  xcc::buffer<float> device(1);
  // The runtime's own files and threads.
  float third = launch<3>(device);
  long open = files();
  std::fesetround(FE_UPWARD);
  float seventh = launch<7>(device);
  bool rounds = std::fegetround() == FE_UPWARD;
  std::fesetround(FE_TONEAREST);
  sigset_t blocked;
  pthread_sigmask(SIG_SETMASK, nullptr, &blocked);
  if (third != 1.0f / 3 || seventh != 1.0f / 7)
    std::printf("the kernels are WRONG\n");
  else if (!rounds)
    std::printf("it rounds otherwise\n");
  else if (files() != open + 1) // the image itself is a file in memory
    std::printf("%ld files, not %ld\n", files(), open + 1);
  else if (handlers() != before || !sigisemptyset(&blocked))
    std::printf("signals are handled otherwise\n");
  else
    std::printf("as it was\n");
}
