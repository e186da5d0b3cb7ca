// What is wrong with run-time source, with its options, and with what is asked
// of it; hostile source: the process goes on.
// RUN: %xcc -std=c++20 -O1 %s -o %t
// RUN: env XCC_DEVICE=host %t | FileCheck %s
// RUN: env XCC_DEVICE=host XCC_RTC_LIBRARY=/none.so %t missing | FileCheck %s --check-prefix=MISSING
// MISSING: missing: error: source cannot be compiled here: libxcc-rtc.so.0 does not open (/none.so: {{.*}}); install xcc's compiler, libxcc-rtc, of the version that built the program, or name the file with XCC_RTC_LIBRARY
// RUN: env XCC_DEVICE=host XCC_RTC_LIBRARY=libm.so.6 %t missing | FileCheck %s --check-prefix=FOREIGN
// FOREIGN: (libm.so.6: it is of another version of xcc)
#include <cstdio>
#include <string>
#include <xcc/source.h>
#include <xcc/xcc.h>

namespace jit = xcc::jit;

static void attempt(const char *name, const std::string &text,
                    jit::source_options how = {}) {
  how.name = name;
  try {
    jit::source made = jit::compile_source(text, how);
    std::printf("%s: compiled\n%s", name, made.log().c_str());
  } catch (const jit::compile_error &e) {
    std::printf("%s: %s\n%s", name, e.what(), e.log().c_str());
    for (const jit::diagnostic &d : e.diagnostics())
      if (d.severity == jit::diagnostic::level::error)
        std::printf("  at %s:%u:%u: %s\n", d.file.c_str(), d.line, d.column,
                    d.message.c_str());
  } catch (const xcc::error &e) {
    std::printf("%s: error: %s\n", name, e.what());
  }
  std::printf("end of %s\n", name);
}

template <class Ask> static void ask(const char *what, Ask call) {
  try {
    call();
    std::printf("%s: no error\n", what);
  } catch (const xcc::error &e) {
    std::printf("%s: %s\n", what, e.what());
  }
}

static std::string repeat(const char *text, int times) {
  std::string all;
  for (int i = 0; i != times; ++i)
    all += text;
  return all;
}

int main(int argc, char **) {
  if (argc > 1) {
    attempt("missing", "void f() {}");
    return 0;
  }
  // CHECK: syntax: syntax does not compile: syntax:2:8: use of undeclared identifier 'y'{{$}}
  // CHECK-NEXT: syntax:2:8: error: use of undeclared identifier 'y'
  // CHECK-NEXT: 2 |   *x = y;
  // CHECK: 1 error generated.
  // CHECK: at syntax:2:8: use of undeclared identifier 'y'
  attempt("syntax", "void f(int *x) {\n  *x = y;\n}");
  // CHECK: warning: compiled
  // CHECK-NEXT: warning:1:{{[0-9]+}}: warning: division by zero is undefined [-Wdivision-by-zero]
  attempt("warning", "void f(int *x) { *x = 1 / 0; }");
  // CHECK: header: header does not compile: table.h:2:13: use of undeclared
  // CHECK: In file included from header:1:
  attempt("header", "#include <table.h>\nvoid f() {}",
          {.headers = {{"table.h", "\nint table = nothing;\n"}}});
  // CHECK: empty: empty does not compile: the source has no kernels
  attempt("empty", "static void f() {}");
  // CHECK: lacks: lacks does not compile: lacks:1:{{[0-9]+}}: device code uses 'h(int)', which nothing
  attempt("lacks", "int h(int); void f(int *x) { *x = h(*x); }");
  // CHECK: name: name does not compile: kernel name 'k<flat>':1:{{[0-9]+}}: use of undeclared identifier 'flat'
  attempt("name", "template <class T> void k(T *) {}", {.kernels = {"k<flat>"}});
  // CHECK: lines: error: lines cannot be compiled: 'f{{$}}
  attempt("lines", "void f() {}", {.kernels = {"f\n#include <x>"}});
  // CHECK: option: option does not compile: unknown argument: '-fno-such'
  attempt("option", "void f() {}", {.arguments = {"-fno-such"}});
  // CHECK: main: error: main cannot be compiled: an option is for files and programs
  attempt("main", "void f() {}", {.arguments = {"-foffload-main"}});
  // CHECK: process: error: process cannot be compiled: -mllvm is for the whole
  attempt("process", "void f() {}", {.arguments = {"-mllvm", "-stats"}});
  // CHECK: output: error: output cannot be compiled: the option '-o' is for files and programs
  attempt("output", "void f() {}", {.arguments = {"-o", "x"}});
  // CHECK: depfile: error: depfile cannot be compiled: the option '-MD' is for files and programs
  attempt("depfile", "void f() {}", {.arguments = {"-MD"}});
  // CHECK: language: error: language cannot be compiled: the option '-xc' is for files and programs
  attempt("language", "void f() {}", {.arguments = {"-xc"}});
  // CHECK: twice: error: twice cannot be compiled: the header 'a.h' is given twice, with different texts
  attempt("twice", "void f() {}", {.headers = {{"a.h", "1"}, {"a.h", "2"}}});
  // CHECK: no text: no text does not compile: the source has no kernels
  attempt("no text", "");
  // CHECK: bytes: bytes does not compile: bytes:1:
  attempt("bytes", std::string("\0\1\2\xff\xfe void", 10));
  // CHECK: again: again does not compile: again:2:6: redefinition of 'f'
  attempt("again", "void f(int *) {}\nvoid f(int *) {}");
  // CHECK: mark: compiled
  attempt("mark", "\xEF\xBB\xBFvoid f(int *) {}");
  // CHECK: lines: two
  // CHECK-NEXT: lines does not compile: two lines:1:23: use of undeclared identifier 'y'
  attempt("two\rlines", "void f(int *x) { *x = y; }");
  // CHECK: arch: error: arch cannot be compiled: unknown offload arch 'sm_1'
  attempt("arch", "void f() {}", {.arch = "sm_1"});
  // CHECK: several: compiled
  attempt("several", "void f(float *x) { x[xcc::global_id()] = 1; }",
          {.arch = "sm_90,gfx1100,host,generic"});
  // CHECK: zero: zero does not compile: zero:1:10: cannot open file '/dev/zero': Operation not supported
  attempt("zero", "#include \"/dev/zero\"\nvoid f() {}");
  // CHECK: templates: templates does not compile: {{.*}} recursive template instantiation exceeded maximum depth
  attempt("templates", "template <int N> struct A { static constexpr int v = "
                       "A<N + 1>::v; }; void f(int *x) { *x = A<0>::v; }");
  // CHECK: endless: endless does not compile
  // CHECK: maximum step limit
  attempt("endless", "constexpr int f() { while (1); return 0; } "
                     "constexpr int x = f(); void g() {}");
  // CHECK: brackets: brackets does not compile: {{.*}} bracket nesting level exceeded
  attempt("brackets", "void f(int *x) { *x = " + repeat("(", 100000) + "1" +
                          repeat(")", 100000) + "; }");
  // CHECK: crash: crash makes the compiler fail (Illegal instruction)
  attempt("crash", "#pragma clang __debug crash\nvoid f() {}");
  // CHECK: stack: stack makes the compiler fail (Segmentation fault)
  attempt("stack", "void f(int *x) { *x = " + repeat("!", 2000000) + "1; }");
  // CHECK: fatal: error: fatal cannot be compiled: LLVM cannot compile it
  attempt("fatal", "#pragma clang __debug llvm_fatal_error\nvoid f() {}");

  jit::source made = jit::compile_source(
      "namespace app { float rate; const int size = 3; }\n"
      "void f(int n, float *x) {}\n"
      "void g(int &n) { ++n; }\n"
      "void over(int) {}\nvoid over(float) {}\n");
  // CHECK: no name: source has no kernel 'h'; it has 'f', 'g', 'over(int)', 'over(float)'. Kernels are
  ask("no name", [&] { made.kernel("h"); });
  // CHECK: other types: kernel 'f' of source has the parameters (int, float*); given are (int, double*)
  ask("other types", [&] { made.kernel<void(int, double *)>("f"); });
  // CHECK: fewer: kernel 'f' of source has the parameters (int, float*); given are (int)
  ask("fewer", [&] { made.kernel<void(int)>("f"); });
  // CHECK: no reference: kernel 'g' of source has the parameters (int&); given are (int)
  ask("no reference", [&] { made.kernel<void(int)>("g"); });
  // CHECK: arguments: kernel 'f' of source has the parameters (int, float*), and arguments must have exactly these types; given are (float, float*)
  ask("arguments", [&] {
    float *none = nullptr;
    made.kernel("f")({{1}, {1}}, 1.0f, none);
  });
  // CHECK: right: no error
  ask("right", [&] {
    float *none = nullptr;
    made.kernel("f")({{1}, {1}}, 1, none);
    made.kernel("f")({{1}, {1}}, 1, nullptr);
    made.kernel<void(int)>("over")({{1}, {1}}, 1);
    made.kernel<void(float)>("over")({{1}, {1}}, 1);
  });
  // CHECK: no variable: source has no variable 'size' {{.*}}; it has 'app::rate'
  ask("no variable", [&] { made.symbol<int>("size"); });
  // CHECK: other type: variable 'app::rate' of source is a float of 4 bytes; given is int of 4 bytes
  ask("other type", [&] { made.symbol<int>("app::rate"); });
  // CHECK: other device: kernel 'f' has no image that device 0 {{.*}} can run: its source was compiled for sm_90; compile it while that device is current
  ask("other device", [&] {
    jit::compile_source("void f() {}", {.arch = "sm_90"})
        .kernel<void()>("f")({{1}, {1}});
  });
  // CHECK: fails: kernel 'f' launched at {{.*}}source-errors.cpp:[[#]] failed on device 0 {{.*}}
  ask("fails", [&] {
    jit::compile_source("void f(int *p) { *p = 1; }")
        .kernel<void(int *)>("f")({{1}, {1}}, reinterpret_cast<int *>(8));
    xcc::synchronize();
  });
}
