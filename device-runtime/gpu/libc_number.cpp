// Parsing floating point numbers, for GPUs: strtod and related functions
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Rounds as IEEE 754 requires: to nearest, ties to even. The first 19 digits,
// as a 64-bit number, are multiplied by the power of ten in 128 bits, with a
// known error. If both ends of the possible range round alike, that is the
// result. Otherwise the value is very close to the middle between two numbers,
// and big integers compare it with that.

using size_t = decltype(sizeof 0);

extern "C" int *__errno_location() noexcept;

namespace {
constexpr int RangeError = 34; ///< ERANGE, as on the host

using u32 = unsigned;
using u64 = unsigned long;
using u128 = unsigned __int128;

/// The parameters of a floating point type: bits of the mantissa with the
/// leading one, exponent of the last place of the smallest numbers, exponent
/// field of infinity.
template <class T> struct Format;
template <> struct Format<double> {
  using Bits = u64;
  static constexpr int Mantissa = 53, Least = -1074, Infinite = 2047;
};
template <> struct Format<float> {
  using Bits = u32;
  static constexpr int Mantissa = 24, Least = -149, Infinite = 255;
};

/// m * 2^exponent, where m has its highest bit set; slightly more if `more`.
struct Scaled {
  u128 m;
  int exponent;
  bool more = false;
};

/// The digits of the text: their number d times 10^exponent.
struct Decimal {
  const char *first, *last; ///< digits from the first nonzero one, and a point
  int exponent;             ///< of the last digit
  int digits;
};

int highZeros(u128 x) {
  const u64 high = u64(x >> 64);
  return high ? __builtin_clzl(high) : 64 + __builtin_clzl(u64(x));
}

/// The upper half of a product.
u128 multiplyHigh(u128 a, u128 b) {
  const u64 ah = u64(a >> 64), al = u64(a), bh = u64(b >> 64), bl = u64(b);
  const u128 one = u128(ah) * bl, other = u128(al) * bh;
  const u128 carry = (u128(al) * bl >> 64) + u64(one) + u64(other);
  return u128(ah) * bh + (one >> 64) + (other >> 64) + (carry >> 64);
}
Scaled multiply(Scaled a, Scaled b) {
  const u128 m = multiplyHigh(a.m, b.m);
  const int up = highZeros(m);
  return {m << up, a.exponent + b.exponent + 128 - up};
}

/// 10^n, with a relative error of less than 2^-112: each step adds about
/// 2^-125, and nine squarings double the error.
Scaled powerOfTen(int n) {
  const u64 high = 0xcccccccccccccccc, low = 0xcccccccccccccccd;
  Scaled base = n < 0 ? Scaled{u128(high) << 64 | low, -131}
                      : Scaled{u128(10) << 124, -124};
  Scaled result = {u128(1) << 127, -127};
  for (u32 left = u32(n < 0 ? -n : n); left; left >>= 1) {
    if (left & 1)
      result = multiply(result, base);
    base = multiply(base, base);
  }
  return result;
}

/// The bits of the number that is nearest to a value, without the sign.
template <class T> typename Format<T>::Bits round(Scaled x) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  if (!x.m)
    return 0;
  const int up = highZeros(x.m);
  x.m <<= up;
  x.exponent -= up;
  // The exponent of the result's last place; higher than the mantissa's for
  // small numbers.
  int last = x.exponent + 128 - F::Mantissa;
  if (last < F::Least)
    last = F::Least;
  const int drop = last - x.exponent;
  if (drop > 128)
    return 0;
  Bits bits = drop == 128 ? 0 : Bits(x.m >> drop);
  const u128 half = u128(1) << (drop - 1);
  const u128 rest = drop == 128 ? x.m : x.m & ((half << 1) - 1);
  if (rest > half || (rest == half && (x.more || (bits & 1))))
    ++bits;
  // The leading one adds one to the exponent field, and so does a carry.
  const Bits exponent = Bits(last - F::Least);
  if (exponent >= Bits(F::Infinite))
    return Bits(F::Infinite) << (F::Mantissa - 1);
  bits += exponent << (F::Mantissa - 1);
  const Bits infinity = Bits(F::Infinite) << (F::Mantissa - 1);
  return bits < infinity ? bits : infinity;
}

/// An integer of some thousand bits.
class Big {
public:
  explicit Big(u64 x) { add(u32(x)), addAt(1, u32(x >> 32)); }

  void multiplyAdd(u32 factor, u32 addend) {
    u64 carry = addend;
    for (int i = 0; i < size; ++i) {
      carry += u64(words[i]) * factor;
      words[i] = u32(carry);
      carry >>= 32;
    }
    if (carry)
      words[size++] = u32(carry);
  }
  void multiplyByFives(int n) {
    for (; n >= 13; n -= 13)
      multiplyAdd(1220703125, 0);
    for (; n > 0; --n)
      multiplyAdd(5, 0);
  }
  void shiftLeft(int bits) {
    const int by = bits / 32;
    multiplyAdd(u32(1) << bits % 32, 0);
    if (!size)
      return;
    for (int i = size; i > 0; --i)
      words[i - 1 + by] = words[i - 1];
    for (int i = 0; i < by; ++i)
      words[i] = 0;
    size += by;
  }
  int compare(const Big &other) const {
    if (size != other.size)
      return size < other.size ? -1 : 1;
    for (int i = size; i > 0; --i)
      if (words[i - 1] != other.words[i - 1])
        return words[i - 1] < other.words[i - 1] ? -1 : 1;
    return 0;
  }

private:
  // Room for 769 digits, and for 2^1075 or 5^1112 of that size: about 3700
  // bits.
  u32 words[128];
  int size = 0;

  void add(u32 word) {
    if (word)
      words[size++] = word;
  }
  void addAt(int at, u32 word) {
    if (!word)
      return;
    for (; size < at; ++size)
      words[size] = 0;
    words[size++] = word;
  }
};

/// Compares a text with the middle between the number with these bits and the
/// next one.
template <class T>
int compareWithMiddle(Decimal text, typename Format<T>::Bits bits) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  const Bits leading = Bits(1) << (F::Mantissa - 1);
  const int field = int(bits >> (F::Mantissa - 1));
  const Bits mantissa = (bits & (leading - 1)) | (field ? leading : 0);
  // The middle is (2m + 1) * 2^two.
  const int two = F::Least + (field ? field - 1 : 0) - 1;

  // A middle has at most 767 digits. Of later digits it only matters whether
  // one is nonzero.
  constexpr int most = 768;
  Big digits(0);
  bool more = false;
  int taken = 0, exponent = text.exponent;
  for (const char *p = text.first; p != text.last; ++p) {
    if (*p == '.')
      continue;
    if (taken < most) {
      digits.multiplyAdd(10, u32(*p - '0'));
      ++taken;
    } else {
      more |= *p != '0';
      ++exponent;
    }
  }
  Big middle(u64(mantissa) * 2 + 1);
  // Compare digits * 5^exponent * 2^exponent with middle * 2^two.
  if (exponent >= 0)
    digits.multiplyByFives(exponent);
  else
    middle.multiplyByFives(-exponent);
  if (exponent > two)
    digits.shiftLeft(exponent - two);
  else
    middle.shiftLeft(two - exponent);
  const int order = digits.compare(middle);
  return order == 0 && more ? 1 : order;
}

template <class T> typename Format<T>::Bits convert(Decimal text) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  const Bits infinity = Bits(F::Infinite) << (F::Mantissa - 1);
  const int magnitude = text.digits + text.exponent; // value < 10^magnitude
  if (!text.digits || magnitude < -350)
    return 0;
  if (magnitude > 400)
    return infinity;
  u64 w = 0;
  int taken = 0;
  for (const char *p = text.first; p != text.last && taken < 19; ++p)
    if (*p != '.') {
      w = w * 10 + u64(*p - '0');
      ++taken;
    }
  const bool cut = taken < text.digits;
  const int exponent = text.exponent + text.digits - taken;
  const Scaled power = powerOfTen(exponent);
  auto times = [&](u64 x, u64 error, bool up) {
    const int shift = __builtin_clzl(x);
    const u64 ph = u64(power.m >> 64), pl = u64(power.m);
    x <<= shift;
    u128 m = u128(x) * ph + (u128(x) * pl >> 64);
    m = !up ? m - error : m > ~u128(0) - error ? ~u128(0) : m + error;
    return Scaled{m, power.exponent + 64 - shift};
  };
  // Powers up to 5^55 are exact in 128 bits, so the result is certain.
  const bool exact = !cut && exponent >= 0 && exponent <= 55;
  const u64 error = exact ? 0 : u64(1) << 17;
  if (exact) {
    // The low 64 bits of the product are left out, but may decide a tie.
    const Scaled all = times(w, 0, false);
    const int shift = __builtin_clzl(w);
    const u64 lowest = (w << shift) * u64(power.m);
    return round<T>({all.m, all.exponent, lowest != 0});
  }
  const Bits low = round<T>(times(w, error, false));
  const Bits high = round<T>(times(cut ? w + 1 : w, error, true));
  if (low == high)
    return low;
  const int order = compareWithMiddle<T>(text, low);
  return order > 0 || (order == 0 && (low & 1)) ? low + 1 : low;
}

bool isDigit(char c) { return c >= '0' && c <= '9'; }
char lower(char c) { return c >= 'A' && c <= 'Z' ? char(c | 32) : c; }
int hexDigit(char c) {
  c = lower(c);
  return isDigit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}
bool starts(const char *text, const char *word) {
  for (; *word; ++text, ++word)
    if (lower(*text) != *word)
      return false;
  return true;
}

/// Parses an exponent after its letter. If it is not one, it is not part of the
/// number.
int parseExponent(const char *&p) {
  const char *at = p + 1;
  const bool negative = *at == '-';
  if (*at == '+' || *at == '-')
    ++at;
  if (!isDigit(*at))
    return 0;
  int value = 0;
  for (; isDigit(*at); ++at)
    if (value < 100000000)
      value = value * 10 + (*at - '0');
  p = at;
  return negative ? -value : value;
}

/// Sets errno if the number is too large, or so small that digits were lost.
template <class T>
void tellRange(typename Format<T>::Bits magnitude, bool inexact) {
  using Bits = typename Format<T>::Bits;
  constexpr int digits = Format<T>::Mantissa - 1;
  if (magnitude == Bits(Format<T>::Infinite) << digits ||
      (inexact && magnitude < Bits(1) << digits))
    *__errno_location() = RangeError;
}

template <class T> typename Format<T>::Bits parseHex(const char *&p) {
  Scaled x = {0, 0, false};
  bool point = false;
  for (; hexDigit(*p) >= 0 || (*p == '.' && !point); ++p) {
    if (*p == '.') {
      point = true;
      continue;
    }
    if (x.m >> 120) {
      x.more |= hexDigit(*p) != 0;
      x.exponent += point ? 0 : 4;
    } else {
      x.m = x.m << 4 | u128(hexDigit(*p));
      x.exponent -= point ? 4 : 0;
    }
  }
  if (lower(*p) == 'p')
    x.exponent += parseExponent(p);
  using F = Format<T>;
  const auto bits = round<T>(x);
  // A subnormal number may still be exact.
  const u64 low = u64(x.m);
  const int zeros = low ? __builtin_ctzl(low)
                        : 64 + __builtin_ctzl(u64(x.m >> 64) | 1ul << 63);
  const bool exact = !x.more && x.exponent + zeros >= F::Least;
  tellRange<T>(bits, x.m != 0 && !exact);
  return bits;
}

template <class T> typename Format<T>::Bits parseDecimal(const char *&p) {
  Decimal number = {nullptr, nullptr, 0, 0};
  bool point = false;
  for (; isDigit(*p) || (*p == '.' && !point); ++p) {
    if (*p == '.') {
      point = true;
      continue;
    }
    number.exponent -= point;
    if (!number.first && *p == '0')
      continue;
    if (!number.first)
      number.first = p;
    ++number.digits;
  }
  number.last = p;
  if (lower(*p) == 'e')
    number.exponent += parseExponent(p);
  const auto bits = convert<T>(number);
  tellRange<T>(bits, number.first != nullptr);
  return bits;
}

template <class T> T parse(const char *text, char **end) {
  using F = Format<T>;
  using Bits = typename F::Bits;
  const Bits infinity = Bits(F::Infinite) << (F::Mantissa - 1);
  const char *p = text;
  while (*p == ' ' || (*p >= '\t' && *p <= '\r'))
    ++p;
  const bool negative = *p == '-';
  if (*p == '+' || *p == '-')
    ++p;
  Bits bits = 0;
  if (p[0] == '0' && lower(p[1]) == 'x' &&
      (hexDigit(p[2]) >= 0 || (p[2] == '.' && hexDigit(p[3]) >= 0))) {
    p += 2;
    bits = parseHex<T>(p);
  } else if (isDigit(p[0]) || (p[0] == '.' && isDigit(p[1]))) {
    bits = parseDecimal<T>(p);
  } else if (starts(p, "inf")) {
    p += starts(p, "infinity") ? 8 : 3;
    bits = infinity;
  } else if (starts(p, "nan")) {
    p += 3;
    bits = infinity | Bits(1) << (F::Mantissa - 2);
    if (*p == '(') {
      const char *at = p + 1;
      while (isDigit(*at) || *at == '_' ||
             (lower(*at) >= 'a' && lower(*at) <= 'z'))
        ++at;
      if (*at == ')')
        p = at + 1;
    }
  } else {
    p = text;
  }
  if (end)
    *end = const_cast<char *>(p);
  if (negative && p != text)
    bits |= Bits(1) << (sizeof(Bits) * 8 - 1);
  return __builtin_bit_cast(T, bits);
}

/// The lconv of the GNU C library in the locale "C".
struct Conventions {
  const char *decimal_point = ".", *thousands_sep = "", *grouping = "",
             *int_curr_symbol = "", *currency_symbol = "",
             *mon_decimal_point = "", *mon_thousands_sep = "",
             *mon_grouping = "", *positive_sign = "", *negative_sign = "";
  char none[14] = {127, 127, 127, 127, 127, 127, 127,
                   127, 127, 127, 127, 127, 127, 127};
};
Conventions theConventions;
} // namespace

extern "C" {
double strtod(const char *text, char **end) { return parse<double>(text, end); }
float strtof(const char *text, char **end) { return parse<float>(text, end); }
/// long double is double on GPUs.
long double strtold(const char *text, char **end) {
  return parse<double>(text, end);
}
double atof(const char *text) { return parse<double>(text, nullptr); }

Conventions *localeconv() { return &theConventions; }
}
