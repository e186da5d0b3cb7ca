// Source that has no end, or next to none: options::timeout ends it, and what
// Clang bounds ends by itself. The process goes on.
// RUN: %xcc -std=c++20 -O2 %s -o %t
// RUN: env XCC_DEVICE=host %t | FileCheck %s
#include <chrono>
#include <cstdio>
#include <string>
#include <vector>
#include <xcc/source.h>
#include <xcc/xcc.h>

namespace jit = xcc::jit;
using namespace std::chrono_literals;

static void attempt(const char *name, const std::string &text,
                    jit::source_options how = {}) {
  how.name = name;
  try {
    jit::compile_source(text, how);
    std::printf("%s: compiled\n", name);
  } catch (const jit::compile_error &e) {
    std::printf("%s: %s\n", name, e.what());
  } catch (const xcc::error &e) {
    std::printf("%s: error: %s\n", name, e.what());
  }
}

int main() {
  // CHECK: includes: error: includes cannot be compiled: it takes longer than the options allow (0.5 s)
  std::vector<jit::header> headers = {{"a0.h", ""}};
  for (int i = 0; i != 40; ++i) {
    std::string line = "#include <a" + std::to_string(i) + ".h>\n";
    headers.push_back({"a" + std::to_string(i + 1) + ".h", line + line});
  }
  attempt("includes", "#include <a40.h>\nvoid f() {}",
          {.headers = headers, .timeout = 500ms});
  // CHECK: templates: error: templates cannot be compiled: it takes longer
  attempt("templates",
          "template <int A, int B> struct grow {\n"
          "  static constexpr int v = grow<A + 1, B * 2>::v + grow<A + 1, B * 2 + 1>::v;\n"
          "};\n"
          "template <int B> struct grow<26, B> { static constexpr int v = 1; };\n"
          "void f(int *x) { *x = grow<0, 0>::v; }",
          {.timeout = 500ms});
  // CHECK: macros: error: macros cannot be compiled: it takes longer
  std::string macros = "#define A0 1 +\n";
  for (int i = 1; i != 40; ++i)
    macros += "#define A" + std::to_string(i) + " A" + std::to_string(i - 1) +
              " A" + std::to_string(i - 1) + "\n";
  attempt("macros", macros + "void f(int *x) { A39; }", {.timeout = 500ms});
  // CHECK: passes: error: passes cannot be compiled: it takes longer
  std::string passes = "volatile int v;\nvoid f(int *x) {\n";
  for (int i = 0; i != 20000; ++i)
    passes += "if (v) x[v] += v * " + std::to_string(i) + "; else x[" +
              std::to_string(i) + "] = v;\n";
  attempt("passes", passes + "}", {.timeout = 500ms});
  // CHECK: array: array does not compile: {{.*}}
  attempt("array", "constexpr int fill() { int a[1 << 29] = {}; return a[3]; }\n"
                   "constexpr int x = fill();\nvoid f() {}");
  // CHECK: loop: loop does not compile: {{.*}} never produces a constant expression
  attempt("loop", "constexpr long f() { long s = 0; for (long i = 0; i < 1l << 60; ++i) s += i; return s; }\n"
                  "constexpr long x = f();\nvoid g() {}");
  // CHECK: include itself: include itself does not compile: {{.*}} #include nested too deeply
  attempt("include itself", "#include <self.h>\nvoid f() {}",
          {.headers = {{"self.h", "#include <self.h>\n"}}});
  // CHECK: enough: compiled
  attempt("enough", "void f(int *x) { *x = 1; }", {.timeout = std::chrono::duration<double>(1e30)});
  // CHECK: none: error: xcc_source_compile: -1 is no number of seconds
  attempt("none", "void f(int *x) { *x = 1; }", {.timeout = -1s});
  // CHECK: again: compiled
  attempt("again", "#include <cmath>\nvoid f(float *x) { *x = std::sqrt(*x); }");
}
