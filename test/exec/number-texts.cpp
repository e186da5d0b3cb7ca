// strtod and its like read texts as the host does, to the last bit; so does what
// is made of them.
// RUN: %xcc -O0 %s -o %t && %t | FileCheck %s
// RUN: %xcc -O2 %s -o %t && %t | FileCheck %s
#include "Inputs/same.h"
#include <clocale>
#include <cstring>
#include <string>

constexpr const char *texts[] = {
    "0", "-0", " +1.5e3x", "0.1", "123456789012345678901234567890", "1e23",
    "8.5e22", "9007199254740993", "9007199254740993.0000000000000000000001",
    "1.7976931348623158e308", "1.797693134862315808e308", "1e400", "1e-400",
    "4.9e-324", "2.4703282292062327e-324", "2.4703282292062328e-324",
    "2.2250738585072011e-308", "0x1.8p-1074", "0x.8p1", "0x", "1e+", "inf",
    "-infinity", "nan(2)", "none", "3.4028235677973366e38",
    "1.00000005960464477539062500", "1.00000005960464477539062501",
    "7.006492321624086e-46"};
constexpr std::size_t count = sizeof texts / sizeof *texts;

struct Read {
  std::uint64_t bits;
  std::uint32_t single;
  int end, singleEnd;
  bool operator==(const Read &o) const {
    return bits == o.bits && single == o.single && end == o.end &&
           singleEnd == o.singleEnd;
  }
};

int main() {
  same("texts", count, [](std::size_t i) {
    char *end, *singleEnd;
    const double value = std::strtod(texts[i], &end);
    const float single = std::strtof(texts[i], &singleEnd);
    Read read;
    // Of what is not a number, no bit but this is the same everywhere.
    std::memcpy(&read.bits, &value, sizeof value);
    read.bits = value == value ? read.bits : 1;
    std::memcpy(&read.single, &single, sizeof single);
    read.single = single == single ? read.single : 1;
    read.end = int(end - texts[i]);
    read.singleEnd = int(singleEnd - texts[i]);
    return read;
  });
  same("others", 4, [](std::size_t i) {
    const std::string text = "12.625 and more";
    return i == 0   ? std::atof(text.c_str())
           : i == 1 ? std::stod(text) * 2
           : i == 2 ? double(std::stof(text))
                    : double(*std::localeconv()->decimal_point);
  });
  // CHECK: texts: same
  // CHECK: others: same
}
