// The program of test/math/number-texts.test
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#define strtod deviceStrtod
#define strtof deviceStrtof
#define strtold deviceStrtold
#define atof deviceAtof
#define localeconv deviceLocaleconv
#include "../../../device-runtime/gpu/libc_number.cpp"
#undef strtod
#undef strtof
#undef strtold
#undef atof
#undef localeconv

#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>

static long differences = 0, checked = 0;

template <class T>
static void compare(const std::string &text, T host, T device, long hostEnd,
                    long deviceEnd) {
  ++checked;
  const bool same = host != host ? device != device
                                 : host == device &&
                                       std::signbit(host) == std::signbit(device);
  if ((same && hostEnd == deviceEnd) || differences++ > 10)
    return;
  std::printf("%.100s: %a, not %a; ends at %ld, not %ld\n", text.c_str(),
              double(device), double(host), deviceEnd, hostEnd);
}

static void check(const std::string &text) {
  char *host, *device;
  const char *begin = text.c_str();
  const double wide = std::strtod(begin, &host);
  compare(text, wide, deviceStrtod(begin, &device), host - begin,
          device - begin);
  const float narrow = std::strtof(begin, &host);
  compare(text, narrow, deviceStrtof(begin, &device), host - begin,
          device - begin);
}

/// A text of the number, and some that differ where nobody looks.
static void checkAround(const std::string &text) {
  const size_t exponent = text.find('e');
  check(text);
  for (const char *more : {"0", "00000001", "5"})
    check(std::string(text).insert(exponent, more));
  size_t last = text.find_last_not_of("0.", exponent - 1);
  std::string less = text;
  if (last < exponent && less[last] > '0') {
    --less[last];
    check(less.insert(last + 1, less[last + 1] == '.' ? "" : "99999999"));
  }
}

template <class... T> static std::string print(const char *format, T... what) {
  std::string text(2000, '\0');
  text.resize(std::snprintf(text.data(), text.size(), format, what...));
  return text;
}

int main() {
  for (const char *text :
       {"0", "-0", "1.", "1.e5", ".5", ".", "e5", "1e", "1e+", "1e-", "0x",
        "0x1p3", "0x.8", "0x1.8p-1074", "0x1p-1075", "0x1.0000000000001p-1075",
        "0x1.fffffffffffff8p1023", "0x1.fffffffffffff7p1023", "inf", "INFINITY",
        "infinit", "nan", "NaN(12a_)", "nan(", "  12.5abc", "-3e400", "1e-400",
        "1e309", "1.797693134862315807e308", "1.797693134862315808e308",
        "0e999999999999", "1e-99999999999", "0x1p99999", "0x1p-99999",
        "0x123456789abcdef0123456789abcdef0123456789abcdef.1p-100",
        "0x.00000000000000000000000000000000000000001p200"})
    check(text);
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    const double x = std::bit_cast<double>(std::uint64_t(random()));
    const float y = std::bit_cast<float>(std::uint32_t(random()));
    if (std::isfinite(x))
      for (int digits : {15, 16, 17, 19, 25, 40})
        check(print("%.*e", digits, x));
    check(print("%lue%d", random() >> random() % 64, int(random() % 700) - 350));
    check(print("%lu.%lue%d", random() >> random() % 64,
                random() >> random() % 64, int(random() % 60) - 30));
    check(print("0x%lx.%lxp%d", random() >> random() % 64, random(),
                int(random() % 2300) - 1150));
    if (i % 8)
      continue;
    // x87's numbers have room for what is between two.
    auto between = [](double a, double b) { return (a + (long double)b) / 2; };
    if (std::isfinite(x))
      checkAround(print("%.1200Le", between(x, std::nextafter(x, HUGE_VAL))));
    if (std::isfinite(y))
      checkAround(print("%.300Le", between(y, std::nextafter(y, HUGE_VALF))));
    const double small = std::bit_cast<double>(random() >> (12 + random() % 52));
    checkAround(print("%.1200Le", between(small, std::nextafter(small, 1))));
  }
  std::printf("%ld differences in %s\n", differences,
              checked > 100000 ? "100000 and more" : "too few");
}
