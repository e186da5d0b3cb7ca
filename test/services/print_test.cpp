// The printf family
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every conversion against the host's own snprintf.

#include "harness.h"

#include <cerrno>
#include <cfloat>
#include <climits>
#include <clocale>
#include <cmath>
#include <cwchar>
#include <thread>
#include <unistd.h>

using namespace xcc::test;

namespace {
using Print = Services;

/// The device's text and result are the host's.
template <class... A> void same(const char *format, A... arguments) {
  char wanted[4096], got[4096];
  memset(got, 'x', sizeof got);
  int size = snprintf(wanted, sizeof wanted, format, arguments...);
  ASSERT_EQ(dev_snprintf(got, sizeof got, format, arguments...), size)
      << format;
  ASSERT_EQ(std::string(got, size_t(size) + 1),
            std::string(wanted, size_t(size) + 1))
      << format;
}

/// The device's text is this, whatever the C library knows.
template <class... A>
void is(const std::string &wanted, const char *format, A... arguments) {
  char got[256] = "";
  EXPECT_EQ(dev_snprintf(got, sizeof got, format, arguments...),
            int(wanted.size()))
      << format;
  EXPECT_EQ(got, wanted) << format;
}

const char *const Flags[] = {"",   "-",  "+",  " ",     "0", "#",  "-+", "+0",
                             " 0", "-#", "#0", "-+ #0", "'", "+'", "0'"};
const char *const Fields[] = {"", "1", "12", ".0", ".3", "9.4", ".", "30.20"};
} // namespace

TEST_F(Print, Integers) {
  const long long values[] = {
      0,     1,     -1,      42,      127,      128,     255,       -128,
      32767, 32768, INT_MAX, INT_MIN, UINT_MAX, 1234567, LLONG_MAX, LLONG_MIN};
  // The device takes the same path for all letters; the host's is by letter.
  for (const char *flag : Flags)
    for (const char *field : Fields)
      for (char letter : std::string("diouxXbB")) {
        std::string head = std::string("[%") + flag + field;
        long long v = values[(flag[0] + field[0] * 3 + letter) % 16];
        for (const char *length : {"hh", "h", ""})
          same((head + length + letter + "]").c_str(), int(v));
        for (const char *length : {"l", "ll", "j", "z", "t"})
          same((head + length + letter + "]").c_str(), v);
      }
  for (long long v : values) {
    same("%hhd %hd %d", int(v), int(v), int(v));
    same("%ld|%lld|%jd|%zd|%td", v, v, v, v, v);
    same("%hhu %hu %u %x %X %o %b", int(v), int(v), int(v), int(v), int(v),
         int(v), int(v));
    same("%lu|%llx|%jo|%zX|%tu|%lb", v, v, v, v, v, v);
  }
}

TEST_F(Print, IntegersOfAWidth) {
  is("-1 255 -1 65535", "%w8d %w8u %w16d %w16u", 255, -1, 65535, -1);
  is("-1 4294967295 -5 18446744073709551611", "%w32d %w32u %w64d %w64u", -1, -1,
     -5LL, -5LL);
  is("-1 -2 -3 -4", "%wf8d %wf16d %wf32d %wf64d", -1, -2L, -3L, -4L);
  is("0x7f", "%#w8x", 0x17f);
}

TEST_F(Print, FloatingPoint) {
  const double values[] = {
      0.0,       -0.0,         1.0,     -1.5,       3.14159265358979,
      1e10,      1e-10,        1e100,   1e-300,     DBL_MAX,
      DBL_MIN,   DBL_TRUE_MIN, 0.1,     123456.789, INFINITY,
      -INFINITY, NAN,          99999.5, 2.5};
  for (char letter : std::string("fFeEgGaA"))
    for (const char *flag : Flags)
      for (const char *field : Fields) {
        std::string head = std::string("<%") + flag + field;
        double v = values[size_t(letter + flag[0] + field[0]) % 19];
        same((head + letter + ">").c_str(), v);
        same((head + "l" + letter + ">").c_str(), v);
        same((head + "L" + letter + ">").c_str(), (long double)v / 3);
      }
  for (double v : values) {
    same("%f %e %g %a", v, v, v, v);
    same("%.0f %.17g %20.3e|%-20a|", v, v, v, v);
    same("%Lf %Le %Lg %La", (long double)v, (long double)v, (long double)v,
         (long double)v);
  }
}

TEST_F(Print, TextAndCharacters) {
  same("plain text, 100%% of it");
  same("");
  for (const char *text : {"", "a", "hello", "a longer text with spaces"})
    for (const char *field : {"", "10", "-10", ".3", "8.2", "-8.2", ".0", "."})
      same((std::string("[%") + field + "s]").c_str(), text);
  same("%s", std::string(3000, 'y').c_str());
  same("%s and %s", (const char *)nullptr, "b");
  same("%10s|%.3s|%.6s", (const char *)nullptr, (const char *)nullptr,
       (const char *)nullptr);
  same("%c%c%c|%5c|%-5c|", 'a', '\n', 0, 'b', 'c');
  // No further than the precision allows.
  char noEnd[4] = {'a', 'b', 'c', 'd'};
  same("%.4s", noEnd);
  same("%.*s|%*s|%-*s|%*.*s|%.*s", 2, "abc", 6, "abc", 6, "abc", -6, 1, "abc",
       -1, "whole");
  same("%p %p %20p|%-20p|", nullptr, (void *)0x1234, (void *)-1L, (void *)16);
}

TEST_F(Print, WideTextAndCharacters) {
  ASSERT_TRUE(setlocale(LC_ALL, "C.UTF-8"));
  same("%ls|%10ls|%-10ls|%.3ls", L"abc", L"\u00e4\u00f6", L"x",
       L"\u00e4\u00f6z");
  same("%lc%lc|%5lc|", wint_t('a'), wint_t(0x20ac), wint_t(0xe9));
  same("%S %C", L"wide", wint_t('w'));
  same("%ls", (const wchar_t *)nullptr);
  setlocale(LC_ALL, "C");
  char got[64];
  EXPECT_EQ(dev_snprintf(got, sizeof got, "%ls", L"\u20ac"), -1);
  EXPECT_EQ(*dev_errno_location(), EILSEQ);
}

TEST_F(Print, WidthsAndPrecisionsFromArguments) {
  for (int w : {-20, -1, 0, 1, 7, 40})
    for (int p : {-3, 0, 1, 5, 30}) {
      same("%*d|%.*d|%*.*d", w, 42, p, 42, w, p, -42);
      same("%*.*f|%-*.*e|%0*.*g", w, p, 2.5, w, p, 1e30, w, p, 0.001);
      same("%*.*s|", w, p, "some text");
    }
}

TEST_F(Print, ManyArguments) {
  same("%d %s %f %c %ld %p %u %x %e %s %lld %.2s %*d %g %% %hd", 1, "two", 3.0,
       '4', 5L, (void *)6, 7u, 8, 9.0, "ten", 11LL, "twelve", 5, 13, 14.5, 15);
  std::string lengthy(500, '%');
  for (size_t i = 1; i < lengthy.size(); i += 2)
    lengthy[i] = 'd';
  lengthy.resize(40);
  same(lengthy.c_str(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16,
       17, 18, 19, 20);
}

TEST_F(Print, ErrorText) {
  *dev_errno_location() = ENOENT;
  is("open: No such file or directory", "open: %m");
}

TEST_F(Print, IntoTooLittleRoom) {
  char got[8];
  for (size_t room : {0u, 1u, 4u, 8u}) {
    memset(got, 'x', sizeof got);
    EXPECT_EQ(dev_snprintf(got, room, "%d:%s", 12, "abcdef"), 9);
    char wanted[8];
    memset(wanted, 'x', sizeof wanted);
    snprintf(wanted, room, "%d:%s", 12, "abcdef");
    EXPECT_EQ(std::string(got, 8), std::string(wanted, 8));
  }
  EXPECT_EQ(dev_snprintf(nullptr, 0, "%5000d", 1), 5000);
  char large[64];
  EXPECT_EQ(dev_sprintf(large, "%s", "sprintf"), 7);
  EXPECT_STREQ(large, "sprintf");
  EXPECT_EQ(dev_snprintf_chk(large, 64, 1, 4, "%s", "fortified"), 9);
  EXPECT_STREQ(large, "for");
  EXPECT_EQ(dev_sprintf_chk(large, 1, 64, "%s", "fortified"), 9);
  EXPECT_STREQ(large, "fortified");
}

TEST_F(Print, Counts) {
  char got[64];
  int n[3] = {77, 77, 77};
  signed char small[2] = {77, 77};
  long long large = 77;
  EXPECT_EQ(dev_snprintf(got, sizeof got, "%n%s %5d%hhn|%lln%%%n", &n[0],
                         "text", 42, &small[0], &large, &n[1]),
            12);
  EXPECT_STREQ(got, "text    42|%");
  EXPECT_EQ(n[0], 0);
  EXPECT_EQ(n[1], 12);
  EXPECT_EQ(small[0], 10);
  EXPECT_EQ(small[1], 77);
  EXPECT_EQ(large, 11);
  // What does not fit counts too; and by number.
  EXPECT_EQ(dev_snprintf(got, 3, "%2$*3$d%1$n", &n[2], 5, 20), 20);
  EXPECT_STREQ(got, "  ");
  EXPECT_EQ(n[2], 20);
}

TEST_F(Print, WhatIsRefused) {
  char got[64] = "as it was";
  int n = 77;
  for (const char *format : {"%2$d", "%0$d", "%", "abc%-"}) {
    *dev_errno_location() = 0;
    EXPECT_EQ(dev_snprintf(got, sizeof got, format, &n), -1) << format;
    EXPECT_EQ(*dev_errno_location(), EINVAL) << format;
  }
  EXPECT_EQ(n, 77);
  // Fields beyond reason.
  EXPECT_EQ(dev_snprintf(got, sizeof got, "%2000000000d", 1), -1);
  EXPECT_EQ(*dev_errno_location(), EOVERFLOW);
  EXPECT_EQ(dev_snprintf(got, sizeof got, "%.*f", INT_MAX, 1.0), -1);
  EXPECT_EQ(dev_snprintf(got, sizeof got, "%*d", INT_MIN, 1), -1);
  // What is no conversion is text.
  is("100%! %y 5", "100%! %y %d", 5);
}

TEST_F(Print, ToFiles) {
  std::string name = temporary();
  void *f = dev_fopen(name.c_str(), "w");
  ASSERT_TRUE(f);
  EXPECT_EQ(dev_fprintf(f, "%d %s\n", 1, "line"), 7);
  EXPECT_EQ(dev_fprintf_chk(f, 1, "%.1f\n", 2.5), 4);
  EXPECT_EQ(dev_fputs("puts\n", f), 1);
  EXPECT_EQ(dev_fputc('c', f), 'c');
  EXPECT_EQ(dev_fwrite("wxyz", 2, 2, f), 2u);
  EXPECT_EQ(dev_fclose(f), 0);
  EXPECT_EQ(contents(name), "1 line\n2.5\nputs\ncwxyz");
  *dev_errno_location() = 0;
  EXPECT_EQ(dev_fprintf(f, "%d", 1), -1);
  EXPECT_EQ(*dev_errno_location(), EBADF);
}

TEST_F(Print, ToStandardOutput) {
  testing::internal::CaptureStdout();
  EXPECT_EQ(dev_printf("%s %d\n", "printf", 1), 9);
  EXPECT_EQ(dev_printf_chk(1, "%d\n", 2), 2);
  EXPECT_EQ(dev_puts("puts"), 1);
  EXPECT_EQ(dev_putchar('c'), 'c');
  EXPECT_EQ(dev_fputs("fputs\n", dev_stdout), 1);
  __xcc_printf_noreply("%d\n", 3);
  __xcc_puts_noreply("no reply");
  dev_fflush(dev_stdout);
  EXPECT_EQ(dev_dprintf(1, "%s\n", "dprintf"), 8);
  EXPECT_EQ(testing::internal::GetCapturedStdout(),
            "printf 1\n2\nputs\ncfputs\n3\nno reply\ndprintf\n");
  testing::internal::CaptureStderr();
  *dev_errno_location() = ENOENT;
  dev_perror("what");
  EXPECT_EQ(testing::internal::GetCapturedStderr(),
            "what: No such file or directory\n");
  EXPECT_EQ(dev_dprintf(-1, "x"), -1);
  EXPECT_EQ(*dev_errno_location(), EBADF);
}

TEST_F(Print, LanesInOrder) {
  for (uint64_t mask : {uint64_t(1), uint64_t(0xffffffff), ~uint64_t(0),
                        uint64_t(0x8000000180010102)}) {
    std::string name = temporary(), wanted;
    void *f = dev_fopen(name.c_str(), "w");
    for (uint64_t rest = mask; rest; rest &= rest - 1) {
      char line[128];
      int l = __builtin_ctzll(rest);
      snprintf(line, sizeof line, "lane %d of %s: %s\n", l, "all",
               std::string(size_t(l), '.').c_str());
      wanted += line;
    }
    onWarp(mask, [&](uint32_t l) {
      std::string dots(l, '.');
      int n = dev_fprintf(f, "lane %d of %s: %s\n", l, "all", dots.c_str());
      EXPECT_EQ(n, int(16 + l + (l > 9)));
    });
    dev_fclose(f);
    EXPECT_EQ(contents(name), wanted);
  }
}

TEST_F(Print, LanesWithDifferentFormats) {
  std::string name = temporary(), wanted;
  void *f = dev_fopen(name.c_str(), "w");
  for (int l = 0; l != 8; ++l)
    wanted += l % 3 == 1 ? "one third\n" : std::to_string(l) + " else\n";
  onWarp(0xff, [&](uint32_t l) {
    dev_fprintf(f, l % 3 == 1 ? "one third\n" : "%d else\n", l);
  });
  dev_fclose(f);
  EXPECT_EQ(contents(name), wanted);
}

TEST_F(Print, LanesThatCallDifferentServices) {
  if (!hasWarps())
    GTEST_SKIP() << "one lane";
  std::string name = temporary();
  void *f = dev_fopen(name.c_str(), "w");
  onWarp(0xffff, [&](uint32_t l) {
    if (l % 2) {
      EXPECT_GE(dev_clock(), 0);
    } else {
      dev_fprintf(f, "%d ", l);
    }
  });
  dev_fclose(f);
  EXPECT_EQ(contents(name), "0 2 4 6 8 10 12 14 ");
}

TEST_F(Print, LinesAreNeverTorn) {
  std::string name = temporary();
  void *f = dev_fopen(name.c_str(), "w");
  std::vector<std::thread> threads;
  for (int t = 0; t != 8; ++t)
    threads.emplace_back([&, t] {
      for (int i = 0; i != 50; ++i)
        EXPECT_EQ(
            dev_fprintf(f, "%s\n", std::string(200, char('a' + t)).c_str()),
            201);
    });
  for (std::thread &t : threads)
    t.join();
  dev_fclose(f);
  std::string all = contents(name);
  ASSERT_EQ(all.size(), 8u * 50 * 201);
  for (size_t i = 0; i < all.size(); i += 201)
    EXPECT_EQ(all.substr(i, 200), std::string(200, all[i]));
}

TEST_F(Print, WithoutAServer) {
  stop();
  char got[8] = "before";
  EXPECT_EQ(dev_printf("%d\n", 1), -1);
  EXPECT_EQ(dev_snprintf(got, sizeof got, "%d", 1), -1);
  EXPECT_STREQ(got, "");
  EXPECT_EQ(*dev_errno_location(), ENOSYS);
  EXPECT_EQ(dev_fopen("/dev/null", "r"), nullptr);
  EXPECT_EQ(dev_malloc(16), nullptr);
}
