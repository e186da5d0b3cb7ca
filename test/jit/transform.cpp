// A transform changes a kernel's module before code is generated, or breaks it:
// then the error has the verifier's words, and all else goes on.
// RUN: %xcc %headers -std=c++20 -O2 -offload-arch=host,generic:x86_64 -I%llvm/include %s -o %t %llvm/lib/libLLVM.so -Wl,-rpath,%llvm/lib
// RUN: env XCC_CACHE_SIZE=1G XCC_CACHE_DIR=%t.cache %t | FileCheck %s
// RUN: env XCC_CACHE_SIZE=1G XCC_CACHE_DIR=%t.cache XCC_LOG=load %t 2>&1 | FileCheck %s --check-prefixes=CHECK,NEVER
// CHECK: as written: 15
// NEVER: (specialised, generated here
// CHECK: transformed: 50
// CHECK: error: {{.*}}kernel 'add'{{.*}} generating its code for native failed: the transform of kernel 'add' broke its module: Basic Block in function '{{.*}}add{{.*}}' does not have terminator!
// CHECK: error: {{.*}}the transform of kernel 'add' left no function '{{.*}}add
// CHECK: thrown: not today
// CHECK: error: {{.*}}kernel 'add'{{.*}} generating its code for native failed: the kernel's transform, or LLVM after it, fails (Segmentation fault)
// CHECK: error: {{.*}}kernel 'add'{{.*}} the kernel's transform, or LLVM after it, fails (Aborted)
// CHECK: error: {{.*}}kernel 'add'{{.*}} the kernel's transform, or LLVM after it, fails (Segmentation fault)
// CHECK: as before
// CHECK: as written: 15
// CHECK: transformed: 50
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <llvm-c/Core.h>
#include <stdexcept>
#include <string>
#include <xcc/jit.h>
#include <xcc/xcc.h>

static void add(int *to, int a, int b) { *to = a + b; }

static LLVMValueRef kernelIn(LLVMModuleRef module) {
  return LLVMGetNamedFunction(module, xcc::kernel_info_for(add).symbol);
}

template <class F> static void forInstructions(LLVMModuleRef module, F each) {
  for (LLVMValueRef f = LLVMGetFirstFunction(module); f;
       f = LLVMGetNextFunction(f))
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b;
         b = LLVMGetNextBasicBlock(b))
      for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
        next = LLVMGetNextInstruction(i);
        each(i);
      }
}

static void multiply(LLVMModuleRef module) {
  LLVMBuilderRef builder =
      LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
  forInstructions(module, [&](LLVMValueRef i) {
    if (LLVMGetInstructionOpcode(i) != LLVMAdd ||
        LLVMGetIntTypeWidth(LLVMTypeOf(i)) != 32)
      return;
    LLVMPositionBuilderBefore(builder, i);
    LLVMReplaceAllUsesWith(i, LLVMBuildMul(builder, LLVMGetOperand(i, 0),
                                           LLVMGetOperand(i, 1), ""));
    LLVMInstructionEraseFromParent(i);
  });
  LLVMDisposeBuilder(builder);
}

template <class F> static void show(const char *what, F launch) {
  xcc::buffer<int> out(1);
  launch(out.data());
  int host;
  out.copy_to(&host, 1);
  std::printf("%s: %d\n", what, host);
}

[[gnu::noinline]] static int deeper(int n) {
  volatile char frame[4096];
  frame[n % 4096] = 1;
  return n < 0 ? 0 : deeper(n + 1) + frame[0];
}

static void run(const char *what, void (*transform)(LLVMModuleRef)) {
  xcc::jit::options how;
  how.transform = transform;
  try {
    auto made = xcc::jit::kernel(add, how);
    show(what, [&](int *to) { made({{1}, {1}}, to, 10, 5); });
  } catch (const xcc::error &e) {
    std::printf("error: %s\n", e.what());
  } catch (const std::exception &e) {
    std::printf("thrown: %s\n", e.what());
  }
}

int main() {
  std::setvbuf(stdout, nullptr, _IONBF, 0);
  auto plain = [](int *to) { xcc::launch({{1}, {1}}, add, to, 10, 5); };
  show("as written", plain);
  run("transformed", multiply);
  run("NOT broken", [](LLVMModuleRef module) {
    LLVMInstructionEraseFromParent(
        LLVMGetBasicBlockTerminator(LLVMGetEntryBasicBlock(kernelIn(module))));
  });
  run("NOT removed", [](LLVMModuleRef module) {
    LLVMSetValueName2(kernelIn(module), "other", 5);
  });
  run("NOT thrown",
      [](LLVMModuleRef) { throw std::runtime_error("not today"); });
  run("NOT null", [](LLVMModuleRef) { LLVMGetFirstFunction(nullptr); });
  run("NOT aborted", [](LLVMModuleRef) { std::abort(); });
  run("NOT deep", [](LLVMModuleRef) { deeper(0); });
  struct sigaction now;
  sigaction(SIGABRT, nullptr, &now);
  std::printf("%s\n", now.sa_handler == SIG_DFL ? "as before" : "ANOTHER handler");
  show("as written", plain);
  run("transformed", multiply);
}
