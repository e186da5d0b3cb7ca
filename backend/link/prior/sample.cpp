// What bitcode of C++ looks like: the records that PackedBitcode begins with
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

namespace sample {

class Shape {
public:
  virtual ~Shape() = default;
  virtual double area() const = 0;
  virtual std::string name() const { return "shape"; }
};

class Circle : public Shape {
public:
  explicit Circle(double radius) : radius(radius) {}
  double area() const override { return 3.14159 * radius * radius; }

private:
  double radius;
};

template <class T> struct Range {
  const T *first, *last;
  const T *begin() const { return first; }
  const T *end() const { return last; }
  int length() const { return static_cast<int>(last - first); }
  const T &operator[](int i) const { return first[i]; }
};

class Number {
public:
  Number() : used(0), exponent(0) {}
  void assign(uint64_t value) {
    for (used = 0; value; value >>= 28)
      digits[used++] = uint32_t(value & 0xfffffff);
  }
  void multiply(uint32_t factor) {
    uint64_t carry = 0;
    for (int i = 0; i < used; ++i) {
      uint64_t product = uint64_t(factor) * digits[i] + carry;
      digits[i] = uint32_t(product & 0xfffffff);
      carry = product >> 28;
    }
    if (carry)
      digits[used++] = uint32_t(carry);
  }
  static int compare(const Number &a, const Number &b) {
    if (a.used + a.exponent != b.used + b.exponent)
      return a.used + a.exponent < b.used + b.exponent ? -1 : 1;
    for (int i = a.used - 1; i >= 0; --i)
      if (a.digits[i] != b.digits[i])
        return a.digits[i] < b.digits[i] ? -1 : +1;
    return 0;
  }

private:
  static const int Most = 128;
  uint32_t digits[Most];
  int16_t used, exponent;
};

static uint64_t bitsOf(double value) {
  uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  return bits;
}

int exponentOf(double value) {
  int biased = static_cast<int>((bitsOf(value) & 0x7ff0000000000000) >> 52);
  return biased == 0 ? -1074 : biased - 0x3ff - 52;
}

int compare(double a, double b) {
  Number one, other;
  one.assign(bitsOf(a));
  other.assign(bitsOf(b));
  one.multiply(10);
  return Number::compare(one, other);
}

double sum(const std::vector<std::unique_ptr<Shape>> &list) {
  double all = 0;
  for (const std::unique_ptr<Shape> &shape : list)
    all += shape->area();
  return all;
}

std::string joined(const std::vector<std::string> &list) {
  std::string text;
  for (const std::string &part : list) {
    if (!text.empty())
      text += ", ";
    text += part;
  }
  return text;
}

Circle *make(double radius) {
  if (radius < 0)
    throw std::invalid_argument("a radius is not negative");
  return new Circle(radius);
}

void sort(std::vector<int> &list) {
  std::sort(list.begin(), list.end());
  list.push_back(7);
}

bool startsWith(Range<char> text, Range<char> with) {
  if (text.length() < with.length())
    return false;
  for (int i = 0; i < with.length(); ++i)
    if (text[i] != with[i])
      return false;
  return true;
}

} // namespace sample
