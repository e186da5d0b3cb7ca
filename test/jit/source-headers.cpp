// What is included before a text and at its beginning is parsed once for many,
// and means in each what it would: macros that headers name, headers that are
// given as text, files that change, places in messages, functions of which Clang
// has something to say on a GPU and that only some texts reach.
// RUN: rm -rf %t.cache %t.headers && mkdir %t.headers
// RUN: %xcc -std=c++20 -O2 %s -o %t
// RUN: env XCC_DEVICE=host XCC_CACHE_SIZE=1G XCC_CACHE_DIR=%t.cache %t %t.headers | FileCheck %s
// RUN: env XCC_CACHE_SIZE=1G XCC_CACHE_DIR=%t.cache %xcc-info --cache | FileCheck %s --check-prefix=LIST
// LIST: parsed headers of source for x86_64
// What was parsed by another process, and what is damaged:
// RUN: %python -c "import os, sys; [os.remove(os.path.join(sys.argv[1], n)) for n in os.listdir(sys.argv[1]) if os.path.getsize(os.path.join(sys.argv[1], n)) < 1000000]" %t.cache
// RUN: env XCC_DEVICE=host XCC_CACHE_SIZE=1G XCC_CACHE_DIR=%t.cache %t %t.headers | FileCheck %s
// RUN: %python -c "import os, sys; [open(os.path.join(sys.argv[1], n), 'r+b').truncate(1000000) for n in os.listdir(sys.argv[1])]" %t.cache
// RUN: env XCC_DEVICE=host XCC_CACHE_SIZE=1G XCC_CACHE_DIR=%t.cache %t %t.headers | FileCheck %s
// RUN: env XCC_DEVICE=host XCC_CACHE_SIZE=0 %t %t.headers | FileCheck %s
#include <cstdio>
#include <fstream>
#include <string>
#include <vector>
#include <xcc/source.h>
#include <xcc/xcc.h>

namespace jit = xcc::jit;

static std::string folder;

static void write(const char *name, const char *text) {
  std::ofstream(folder + "/" + name) << text;
}

static int valueOf(const std::string &text, std::vector<std::string> arguments,
                   std::vector<jit::header> headers = {}) {
  arguments.push_back("-I" + folder);
  int host = -1;
  try {
    jit::compile_source(text, {.arguments = arguments, .headers = headers})
        .kernel<void(int *)>("put")({{1}, {1}}, &host);
    xcc::synchronize();
  } catch (const jit::compile_error &e) {
    std::printf("%s\n", e.log().c_str());
  }
  return host;
}

static void errorOf(const char *what, const std::string &text,
                    const char *arch = "host") {
  try {
    jit::compile_source(text, {.name = "text.cpp", .arch = arch});
    std::printf("%s: compiled\n", what);
  } catch (const jit::compile_error &e) {
    std::printf("%s: %s", what, e.log().c_str());
  }
}

int main(int, char **arguments) {
  folder = arguments[1];
  write("value.h", "#ifdef VALUE\n"
                   "inline int value() { return VALUE; }\n"
                   "#else\n"
                   "inline int value() { return 1; }\n"
                   "#endif\n");
  const std::string put = "/* What it is\n   about */\n"
                          "#include <cmath>\n"
                          " # include <value.h> // ours\n\n"
                          "void put(int *to) { *to = value() + OTHER + __LINE__; }\n";
  // CHECK: macros: 7 8 17 26 7
  std::printf("macros: %d", valueOf(put, {"-DOTHER=0"}));
  std::printf(" %d", valueOf(put, {"-DOTHER=1"}));
  std::printf(" %d", valueOf(put, {"-DOTHER=1", "-DVALUE=10"}));
  std::printf(" %d", valueOf(put, {"-DVALUE=20", "-DOTHER=0"}));
  std::printf(" %d\n", valueOf(put, {"-DVALUE=20", "-UVALUE", "-DOTHER=0"}));
  // CHECK: changed: 8 9 9
  write("value.h", "inline int value() { return 2; }\n");
  std::printf("changed: %d", valueOf(put, {"-DOTHER=0"}));
  write("value.h", "inline int value() { return 3; }");
  std::printf(" %d", valueOf(put, {"-DOTHER=0"}));
  std::printf(" %d\n", valueOf(put, {"-DOTHER=0", "-DVALUE=5"}));
  // A header that has no guard comes as often as it is included.
  // CHECK: twice: 2
  write("more.h", "MORE(1)\n");
  write("none.h", "#ifndef MORE\n#define MORE(n)\n#endif\n");
  std::printf("twice: %d\n", valueOf("#include <none.h>\n#include <more.h>\n"
                                     "#undef MORE\n#define MORE(n) + n\n"
                                     "void put(int *to) { *to = 0\n"
                                     "#include <more.h>\n"
                                     "#include <more.h>\n"
                                     "; }", {}));
  // CHECK: hidden: 2 42 43 2
  const std::string limits = "#include <cfloat>\n"
                             "#ifndef HIDDEN\n#define HIDDEN FLT_RADIX\n#endif\n"
                             "void put(int *to) { *to = HIDDEN; }";
  std::printf("hidden: %d", valueOf(limits, {}));
  std::printf(" %d", valueOf(limits, {}, {{"cfloat", "#define HIDDEN 42\n"}}));
  std::printf(" %d", valueOf(limits, {}, {{"cfloat", "#define HIDDEN 43\n"}}));
  std::printf(" %d\n", valueOf(limits, {}));
  // CHECK: place: text.cpp:4:23: error: use of undeclared identifier 'y'
  errorOf("place", "// A\n#include <cmath>\n\nvoid f(int *x) { *x = y; }");
  // CHECK: in a header: In file included from text.cpp:2:
  // CHECK-NEXT: broken.h:1:13: error: use of undeclared identifier 'none'
  write("broken.h", "int wrong = none;\n");
  errorOf("in a header", "#include <cmath>\n#include \"" + folder +
                             "/broken.h\"\nvoid f() {}");
  // CHECK: not reached: compiled
  // CHECK: reached: compiled
  const std::string wide = "#include <cmath>\nvoid f(double *x) { *x = ";
  errorOf("not reached", wide + "std::abs(*x); }", "sm_90");
  errorOf("reached", wide + "std::abs(static_cast<__float128>(*x)); }", "sm_90");
}
