// A coroutine cannot run on an AMD GPU, nor can another machine's assembly.
// RUN: %not %xcc -c -std=c++20 --offload-arch=gfx90a %s -o %t.o 2>&1 | FileCheck %s
// RUN: %not %xcc -c -std=c++20 -DASSEMBLY %s -o %t.o 2>&1 | FileCheck --check-prefix=ASM %s
#include <coroutine>
#include <xcc/xcc.h>

struct task {
  struct promise_type {
    task get_return_object() { return {}; }
    std::suspend_never initial_suspend() noexcept { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};

#ifndef ASSEMBLY
task work() { co_return; }
void kernel() { work(); }
// CHECK: coroutine-assembly.cpp:[[# @LINE - 2]]:{{.*}}error: a coroutine cannot run on this device
// CHECK: note: 'work' is called by 'kernel' here
#else
void kernel() { asm volatile("s_barrier"); }
// ASM: coroutine-assembly.cpp:[[# @LINE - 1]]:{{.*}}error: invalid instruction mnemonic 's_barrier'
#endif

void start() { xcc::launch({{1}, {1}}, kernel); }
