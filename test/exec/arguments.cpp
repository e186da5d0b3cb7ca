// What may be an argument: values of every alignment, structures, arrays in
// structures, enums, references to device memory, and default conversions.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"

enum class color : unsigned char { red = 3 };
struct alignas(32) wide {
  double values[4];
};
struct bits {
  int low : 3, high : 29;
};
struct big {
  int values[500];
};
struct empty {};
using vector4 = float __attribute__((ext_vector_type(4)));

void kernel(char a, wide b, color c, bool d, bits e, const big f, empty,
            long double g, vector4 h, int &out, __int128 i, const char *text,
            std::nullptr_t, float j) {
  out = a + int(b.values[3]) + int(c) + d + e.low + e.high + f.values[499] +
        int(g) + int(h.w) + int(i >> 100) + text[1] + int(j);
}

int main() {
  xcc::buffer<int> out(1);
  xcc::buffer<char> text(3);
  text.copy_from("abc", 3);
  big f = {};
  f.values[499] = 1000;
  xcc::launch({{1}, {1}}, kernel, 'A', wide{{1, 2, 3, 4}}, color::red, true,
              bits{2, 50}, f, empty{}, 7.5L, vector4{1, 2, 3, 9}, *out.data(),
              __int128(5) << 100, text.data(), nullptr, 6.9);
  int host;
  out.copy_to(&host, 1);
  std::printf("%d, expected %d\n", host,
              'A' + 4 + 3 + 1 + 52 + 1000 + 7 + 9 + 5 + 'b' + 6);
  // CHECK: 1250, expected 1250
}
