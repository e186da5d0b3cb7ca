// A block whose threads wait for what none of them does, and an initialiser that
// does not come to its end, are told of with kernel and launch.
// RUN: %xcc -std=c++20 -Wno-offload-globals -O0 %s -o %t && env XCC_NOTICE_AFTER=0 %t | FileCheck %s
// RUN: %xcc -std=c++20 -Wno-offload-globals -O2 %s -o %t && env XCC_NOTICE_AFTER=0 %t | FileCheck %s
// RUN: %not --crash env XCC_NOTICE_AFTER=soon %t setting 2>&1 | FileCheck --check-prefix=SETTING %s
// DEVICES: host, because its kernels wait for locks of the host
// SETTING: XCC_NOTICE_AFTER=soon: expected a number from 0 to 1000000
#include <atomic>
#include <barrier>
#include <cstdio>
#include <string>
#include <thread>
#include <unistd.h>
#include <xcc/xcc.h>

/// What is written to standard error comes here, a line at a time.
constexpr int Notices = 100;
std::string line() {
  std::string text;
  for (char c; read(Notices, &c, 1) == 1 && c != '\n';)
    text += c;
  return text + '\n';
}

/// Ends when it was told of.
int slow() {
  char first;
  if (read(Notices, &first, 1) == 1)
    std::printf("%c", first);
  std::fflush(stdout);
  return 5;
}
int made = slow();
void uses(int *out) { *out = made; }

int main(int count, char **) {
  int ends[2];
  if (count == 1 && (pipe(ends) || dup2(ends[0], Notices) < 0 || dup2(ends[1], 2) < 0))
    return 1;
  xcc::buffer<int> out(1);
  int value = 0;
  // CHECK: xcc: warning: the initialiser of a global variable ('made' at {{.*}}waits-forever.cpp:[[# @LINE - 9]]) still runs on device 0, and the launch of kernel 'uses' waits for it; XCC_NOTICE_AFTER sets when this message appears
  xcc::launch({{1}, {1}}, uses, out.data());
  out.copy_to(&value, 1);
  std::printf("%s%d\n", line().c_str(), value); // CHECK-NEXT: 5

  std::atomic<int> go{0};
  std::thread helper([&] {
    std::printf("%s", line().c_str());
    go = 1;
  });
  // CHECK: xcc: warning: kernel {{.*}} launched at {{.*}}waits-forever.cpp:[[# @LINE + 1]]; block (0, 0, 0), thread {{.*}} waits on device 0 (host), and no other thread of its block does what it waits for; {{.*}}XCC_NOTICE_AFTER sets when this message appears
  xcc::launch({{1}, {64}}, [&] {
    while (!go)
      ;
  });
  xcc::synchronize();
  helper.join();

  std::barrier<> meeting(65);
  std::thread other([&] {
    std::printf("%s", line().c_str());
    meeting.arrive_and_drop();
  });
  // CHECK: xcc: warning: kernel {{.*}} launched at {{.*}}waits-forever.cpp:[[# @LINE + 1]]; block (0, 0, 0)
  xcc::launch({{1}, {64}}, [&] { meeting.arrive_and_wait(); });
  xcc::synchronize();
  other.join();

  // Of a lock it is no reason for fibers: the block is known.
  std::thread last([&] {
    std::printf("%s", line().c_str());
    go = 0;
  });
  // CHECK: xcc: warning: kernel {{.*}} launched at {{.*}}waits-forever.cpp:[[# @LINE + 1]]; in blocks 0 to 0 of a grid of (1, 1, 1)
  xcc::launch({{1}, {1}}, [&] {
    while (go.exchange(1))
      ;
  });
  xcc::synchronize();
  last.join();

  // Nor is an exchange of what has to be there first, by the thread or by a
  // function that it calls.
  std::atomic<int> turn{0};
  auto takes = [](std::atomic<int> &turn, int mine) {
    return turn.compare_exchange_strong(mine, mine + 1);
  };
  for (bool calls : {false, true}) {
    turn = 0;
    std::thread gives([&] {
      std::printf("%s", line().c_str());
      turn = 7;
    });
    // CHECK-COUNT-2: xcc: warning: kernel {{.*}} launched at {{.*}}waits-forever.cpp:{{[0-9]+}}; in blocks 0 to 0 of a grid of (1, 1, 1)
    if (calls)
      xcc::launch({{1}, {1}}, [&] {
        while (!takes(turn, 7))
          ;
      });
    else
      xcc::launch({{1}, {1}}, [&] {
        for (int mine = 7; !turn.compare_exchange_strong(mine, 8);)
          mine = 7;
      });
    xcc::synchronize();
    gives.join();
  }

  // Blocks that wait for one that has not begun leave no thread for it. That an
  // exchange is repeated does not show that nothing else happens.
  std::atomic<int> begun{0};
  std::thread starts([&] {
    std::printf("%s", line().c_str());
    begun = 1;
  });
  // CHECK: xcc: warning: kernel {{.*}} launched at {{.*}}waits-forever.cpp:[[# @LINE + 1]]{{.*}} still runs on device 0 (host){{.*}}; a thread waits for it. Blocks that wait for other blocks, by a flag in memory, may wait forever: launch a cooperative kernel, which has sync_grid. XCC_NOTICE_AFTER sets when this message appears
  xcc::launch({{4096}, {1}}, [&] {
    if (xcc::block_idx().x == 4095)
      begun = 1;
    while (begun.fetch_add(0) == 0)
      ;
  });
  xcc::synchronize();
  starts.join();
  std::puts("done"); // CHECK: done
}
