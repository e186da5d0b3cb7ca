// Source that takes more memory than it may, or than there is: an error, and the
// process goes on.
// RUN: %xcc %headers -std=c++20 -O2 %s -o %t
// RUN: env XCC_DEVICE=host %t | FileCheck %s
// CHECK: templates: error: templates cannot be compiled: it takes more than the 30000000 bytes of memory that the options allow
// CHECK: passes: error: passes cannot be compiled: it takes more than the 60000000 bytes of memory that the options allow
// CHECK: enough: compiled
// RUN: env XCC_DEVICE=host %t none | FileCheck %s --check-prefix=NONE
// NONE: first: compiled
// NONE: none: error: none cannot be compiled: LLVM cannot compile it: out of memory
// NONE: kernel: 7
// NONE: after: error: after cannot be compiled: LLVM cannot compile it: this process compiles no more, because it ran out of memory before
#include <cstdio>
#include <fstream>
#include <optional>
#include <string>
#include <sys/resource.h>
#include <xcc/source.h>
#include <xcc/xcc.h>

namespace jit = xcc::jit;

static std::optional<jit::source> attempt(const char *name, const std::string &text, jit::source_options how = {}) {
  how.name = name;
  std::optional<jit::source> made;
  try {
    made = jit::compile_source(text, how);
    std::printf("%s: compiled\n", name);
  } catch (const jit::compile_error &e) {
    std::printf("%s: %s\n", name, e.what());
  } catch (const xcc::error &e) {
    std::printf("%s: error: %s\n", name, e.what());
  }
  std::fflush(stdout);
  return made;
}

static std::string templates(int depth) {
  return "template <int A, int B> struct grow {\n"
         "  static constexpr int v = grow<A + 1, B * 2>::v + grow<A + 1, B * 2 + 1>::v;\n"
         "};\n"
         "template <int B> struct grow<" + std::to_string(depth) + ", B> { static constexpr int v = 1; };\n"
         "void f(int *x) { *x = grow<0, 0>::v; }";
}

static void outOfMemory() {
  auto source = attempt("first", "void f(int *x) { *x = 7; }");
  long pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit, less;
  getrlimit(RLIMIT_AS, &limit);
  less = limit;
  less.rlim_cur = rlim_t(pages) * 4096 + (130 << 20);
  setrlimit(RLIMIT_AS, &less);
  attempt("none", templates(26));
  setrlimit(RLIMIT_AS, &limit);
  xcc::buffer<int> value(1);
  source->kernel<void(int *)>("f")({{1}, {1}}, value.data());
  int host = 0;
  value.copy_to(&host, 1);
  std::printf("kernel: %d\n", host);
  attempt("after", "void g() {}");
}

int main(int count, char **) {
  if (count > 1) {
    outOfMemory();
    return 0;
  }
  attempt("templates", templates(26), {.memory = 30'000'000});
  std::string passes = "volatile int v;\nvoid f(int *x) {\n";
  for (int i = 0; i != 20000; ++i)
    passes += "if (v) x[v] += v * " + std::to_string(i) + "; else x[" + std::to_string(i) + "] = v;\n";
  attempt("passes", passes + "}", {.memory = 60'000'000});
  attempt("enough", "void f(int *x) { *x = 1; }", {.memory = ~0ull});
}
