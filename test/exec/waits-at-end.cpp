// The end of a buffer, scope or stream of a function waits for a kernel, and
// tells of one that takes long; the launch does with memory of its own, too. The
// kernel here ends once that was said.
// RUN: %xcc -O1 -offload-arch=host,sm_90 -foffload-no-cubin %s -o %t
// RUN: env XCC_NOTICE_AFTER=0 XCC_DEVICE=cpu %t buffer | FileCheck -DWHO="an xcc::buffer, or xcc_memory_free," %s
// RUN: env XCC_NOTICE_AFTER=0 XCC_DEVICE=cpu %t scope | FileCheck -DWHO="an xcc::map" %s
// RUN: env XCC_NOTICE_AFTER=0 XCC_DEVICE=cpu %t stream | FileCheck -DWHO="an xcc::stream" %s
// RUN: env XCC_NOTICE_AFTER=0 XCC_DEVICE=cpu XCC_CPU_SEPARATE=1 %t launch | FileCheck --check-prefix=LAUNCH %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_NOTICE_AFTER=0 XCC_DEVICE=cuda %t buffer | FileCheck -DWHO="an xcc::buffer, or xcc_memory_free," %s
// RUN: env LD_LIBRARY_PATH=%build/simulator/cuda MOCK_CUDA_DEVICES=sm_90 XCC_NOTICE_AFTER=0 XCC_DEVICE=cuda %t stream | FileCheck -DWHO="an xcc::stream" %s
#include <cstdio>
#include <cstring>
#include <string>
#include <thread>
#include <unistd.h>
#include <xcc/xcc.h>

static void until(volatile int *go) {
  while (!*go)
    ;
}
// A notice that the thread waits for no other thread may come before.
// CHECK: xcc: warning: kernel 'until' launched at {{.*}}waits-at-end.cpp:[[# @LINE + 3]]{{.*}} still runs on device 0 ({{host|cuda:0}}){{.*}}; the end of [[WHO]] waits for it; XCC_NOTICE_AFTER sets when this message appears
// LAUNCH: xcc: warning: kernel '{{.*}}' launched at {{.*}}waits-at-end.cpp:{{[0-9]+}}{{.*}} still runs on device 0 (host){{.*}}; its launch, with XCC_CPU_SEPARATE=1, waits for it
static void start(int *go, xcc::stream *stream = nullptr) {
  xcc::launch({{1}, {1}, 0, stream}, until, static_cast<volatile int *>(go));
}

static void with(const std::string &what, int *go) {
  if (what == "buffer") {
    xcc::buffer<int> held(4);
    start(go);
  } else if (what == "scope") {
    int mapped = 0;
    xcc::map scope(mapped);
    start(go);
  } else if (what == "stream") {
    xcc::stream work;
    start(go, &work);
  } else {
    int mapped = 0;
    xcc::launch({{1}, {1}}, [&mapped, go] {
      until(go);
      mapped = 1;
    });
    xcc::synchronize();
    std::printf("mapped %d\n", mapped);
  }
}

int main(int, char **words) {
  xcc::host_buffer<int> flag(1);
  flag[0] = 0;
  int ends[2], before = dup(2);
  if (pipe(ends) != 0 || dup2(ends[1], 2) < 0)
    return 1;
  close(ends[1]);
  std::thread listener([&] {
    FILE *said = fdopen(ends[0], "r");
    char line[2000];
    while (fgets(line, sizeof(line), said)) {
      std::fputs(line, stdout);
      if (std::strstr(line, "waits for it"))
        static_cast<volatile int &>(flag[0]) = 1;
    }
  });
  with(words[1], flag.data());
  dup2(before, 2);
  listener.join();
  // CHECK: ends
  // LAUNCH: mapped 1
  // LAUNCH: ends
  std::puts("ends");
}
