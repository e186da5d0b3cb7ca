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
template <class... A> void same(const char *Format, A... Arguments) {
  char Wanted[4096], Got[4096];
  memset(Got, 'x', sizeof Got);
  int Size = snprintf(Wanted, sizeof Wanted, Format, Arguments...);
  ASSERT_EQ(dev_snprintf(Got, sizeof Got, Format, Arguments...), Size)
      << Format;
  ASSERT_EQ(std::string(Got, size_t(Size) + 1),
            std::string(Wanted, size_t(Size) + 1))
      << Format;
}

/// The device's text is this, whatever the C library knows.
template <class... A>
void is(const std::string &Wanted, const char *Format, A... Arguments) {
  char Got[256] = "";
  EXPECT_EQ(dev_snprintf(Got, sizeof Got, Format, Arguments...),
            int(Wanted.size()))
      << Format;
  EXPECT_EQ(Got, Wanted) << Format;
}

const char *const Flags[] = {"",   "-",  "+",  " ",     "0", "#",  "-+", "+0",
                             " 0", "-#", "#0", "-+ #0", "'", "+'", "0'"};
const char *const Fields[] = {"", "1", "12", ".0", ".3", "9.4", ".", "30.20"};
} // namespace

TEST_F(Print, Integers) {
  const long long Values[] = {
      0,     1,     -1,      42,      127,      128,     255,       -128,
      32767, 32768, INT_MAX, INT_MIN, UINT_MAX, 1234567, LLONG_MAX, LLONG_MIN};
  // The device takes the same path for all letters; the host's is by letter.
  for (const char *Flag : Flags)
    for (const char *Field : Fields)
      for (char Letter : std::string("diouxXbB")) {
        std::string Head = std::string("[%") + Flag + Field;
        long long V = Values[(Flag[0] + Field[0] * 3 + Letter) % 16];
        for (const char *Length : {"hh", "h", ""})
          same((Head + Length + Letter + "]").c_str(), int(V));
        for (const char *Length : {"l", "ll", "j", "z", "t"})
          same((Head + Length + Letter + "]").c_str(), V);
      }
  for (long long V : Values) {
    same("%hhd %hd %d", int(V), int(V), int(V));
    same("%ld|%lld|%jd|%zd|%td", V, V, V, V, V);
    same("%hhu %hu %u %x %X %o %b", int(V), int(V), int(V), int(V), int(V),
         int(V), int(V));
    same("%lu|%llx|%jo|%zX|%tu|%lb", V, V, V, V, V, V);
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
  const double Values[] = {
      0.0,       -0.0,         1.0,     -1.5,       3.14159265358979,
      1e10,      1e-10,        1e100,   1e-300,     DBL_MAX,
      DBL_MIN,   DBL_TRUE_MIN, 0.1,     123456.789, INFINITY,
      -INFINITY, NAN,          99999.5, 2.5};
  for (char Letter : std::string("fFeEgGaA"))
    for (const char *Flag : Flags)
      for (const char *Field : Fields) {
        std::string Head = std::string("<%") + Flag + Field;
        double V = Values[size_t(Letter + Flag[0] + Field[0]) % 19];
        same((Head + Letter + ">").c_str(), V);
        same((Head + "l" + Letter + ">").c_str(), V);
        same((Head + "L" + Letter + ">").c_str(), (long double)V / 3);
      }
  for (double V : Values) {
    same("%f %e %g %a", V, V, V, V);
    same("%.0f %.17g %20.3e|%-20a|", V, V, V, V);
    same("%Lf %Le %Lg %La", (long double)V, (long double)V, (long double)V,
         (long double)V);
  }
}

TEST_F(Print, TextAndCharacters) {
  same("plain text, 100%% of it");
  same("");
  for (const char *Text : {"", "a", "hello", "a longer text with spaces"})
    for (const char *Field : {"", "10", "-10", ".3", "8.2", "-8.2", ".0", "."})
      same((std::string("[%") + Field + "s]").c_str(), Text);
  same("%s", std::string(3000, 'y').c_str());
  same("%s and %s", (const char *)nullptr, "b");
  same("%10s|%.3s|%.6s", (const char *)nullptr, (const char *)nullptr,
       (const char *)nullptr);
  same("%c%c%c|%5c|%-5c|", 'a', '\n', 0, 'b', 'c');
  // No further than the precision allows.
  char NoEnd[4] = {'a', 'b', 'c', 'd'};
  same("%.4s", NoEnd);
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
  char Got[64];
  EXPECT_EQ(dev_snprintf(Got, sizeof Got, "%ls", L"\u20ac"), -1);
  EXPECT_EQ(*dev_errno_location(), EILSEQ);
}

TEST_F(Print, WidthsAndPrecisionsFromArguments) {
  for (int W : {-20, -1, 0, 1, 7, 40})
    for (int P : {-3, 0, 1, 5, 30}) {
      same("%*d|%.*d|%*.*d", W, 42, P, 42, W, P, -42);
      same("%*.*f|%-*.*e|%0*.*g", W, P, 2.5, W, P, 1e30, W, P, 0.001);
      same("%*.*s|", W, P, "some text");
    }
}

TEST_F(Print, ManyArguments) {
  same("%d %s %f %c %ld %p %u %x %e %s %lld %.2s %*d %g %% %hd", 1, "two", 3.0,
       '4', 5L, (void *)6, 7u, 8, 9.0, "ten", 11LL, "twelve", 5, 13, 14.5, 15);
  std::string Long(500, '%');
  for (size_t I = 1; I < Long.size(); I += 2)
    Long[I] = 'd';
  Long.resize(40);
  same(Long.c_str(), 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17,
       18, 19, 20);
}

TEST_F(Print, ErrorText) {
  *dev_errno_location() = ENOENT;
  is("open: No such file or directory", "open: %m");
}

TEST_F(Print, IntoTooLittleRoom) {
  char Got[8];
  for (size_t Room : {0u, 1u, 4u, 8u}) {
    memset(Got, 'x', sizeof Got);
    EXPECT_EQ(dev_snprintf(Got, Room, "%d:%s", 12, "abcdef"), 9);
    char Wanted[8];
    memset(Wanted, 'x', sizeof Wanted);
    snprintf(Wanted, Room, "%d:%s", 12, "abcdef");
    EXPECT_EQ(std::string(Got, 8), std::string(Wanted, 8));
  }
  EXPECT_EQ(dev_snprintf(nullptr, 0, "%5000d", 1), 5000);
  char Large[64];
  EXPECT_EQ(dev_sprintf(Large, "%s", "sprintf"), 7);
  EXPECT_STREQ(Large, "sprintf");
  EXPECT_EQ(dev_snprintf_chk(Large, 64, 1, 4, "%s", "fortified"), 9);
  EXPECT_STREQ(Large, "for");
  EXPECT_EQ(dev_sprintf_chk(Large, 1, 64, "%s", "fortified"), 9);
  EXPECT_STREQ(Large, "fortified");
}

TEST_F(Print, WhatIsRefused) {
  char Got[64] = "as it was";
  int N = 77;
  for (const char *Format : {"%n", "%1$d", "%*1$d", "%", "abc%-", "%hhn"}) {
    *dev_errno_location() = 0;
    EXPECT_EQ(dev_snprintf(Got, sizeof Got, Format, &N), -1) << Format;
    EXPECT_EQ(*dev_errno_location(), EINVAL) << Format;
  }
  EXPECT_EQ(N, 77);
  // Fields beyond reason.
  EXPECT_EQ(dev_snprintf(Got, sizeof Got, "%2000000000d", 1), -1);
  EXPECT_EQ(*dev_errno_location(), EOVERFLOW);
  EXPECT_EQ(dev_snprintf(Got, sizeof Got, "%.*f", INT_MAX, 1.0), -1);
  EXPECT_EQ(dev_snprintf(Got, sizeof Got, "%*d", INT_MIN, 1), -1);
  // What is no conversion is text.
  is("100%! %y 5", "100%! %y %d", 5);
}

TEST_F(Print, ToFiles) {
  std::string Name = temporary();
  void *F = dev_fopen(Name.c_str(), "w");
  ASSERT_TRUE(F);
  EXPECT_EQ(dev_fprintf(F, "%d %s\n", 1, "line"), 7);
  EXPECT_EQ(dev_fprintf_chk(F, 1, "%.1f\n", 2.5), 4);
  EXPECT_EQ(dev_fputs("puts\n", F), 1);
  EXPECT_EQ(dev_fputc('c', F), 'c');
  EXPECT_EQ(dev_fwrite("wxyz", 2, 2, F), 2u);
  EXPECT_EQ(dev_fclose(F), 0);
  EXPECT_EQ(contents(Name), "1 line\n2.5\nputs\ncwxyz");
  *dev_errno_location() = 0;
  EXPECT_EQ(dev_fprintf(F, "%d", 1), -1);
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
  for (uint64_t Mask : {uint64_t(1), uint64_t(0xffffffff), ~uint64_t(0),
                        uint64_t(0x8000000180010102)}) {
    std::string Name = temporary(), Wanted;
    void *F = dev_fopen(Name.c_str(), "w");
    for (uint64_t Rest = Mask; Rest; Rest &= Rest - 1) {
      char Line[128];
      int L = __builtin_ctzll(Rest);
      snprintf(Line, sizeof Line, "lane %d of %s: %s\n", L, "all",
               std::string(size_t(L), '.').c_str());
      Wanted += Line;
    }
    onWarp(Mask, [&](uint32_t L) {
      std::string Dots(L, '.');
      int N = dev_fprintf(F, "lane %d of %s: %s\n", L, "all", Dots.c_str());
      EXPECT_EQ(N, int(16 + L + (L > 9)));
    });
    dev_fclose(F);
    EXPECT_EQ(contents(Name), Wanted);
  }
}

TEST_F(Print, LanesWithDifferentFormats) {
  std::string Name = temporary(), Wanted;
  void *F = dev_fopen(Name.c_str(), "w");
  for (int L = 0; L != 8; ++L)
    Wanted += L % 3 == 1 ? "one third\n" : std::to_string(L) + " else\n";
  onWarp(0xff, [&](uint32_t L) {
    dev_fprintf(F, L % 3 == 1 ? "one third\n" : "%d else\n", L);
  });
  dev_fclose(F);
  EXPECT_EQ(contents(Name), Wanted);
}

TEST_F(Print, LanesThatCallDifferentServices) {
  if (!hasWarps())
    GTEST_SKIP() << "one lane";
  std::string Name = temporary();
  void *F = dev_fopen(Name.c_str(), "w");
  onWarp(0xffff, [&](uint32_t L) {
    if (L % 2) {
      EXPECT_GE(dev_clock(), 0);
    } else {
      dev_fprintf(F, "%d ", L);
    }
  });
  dev_fclose(F);
  EXPECT_EQ(contents(Name), "0 2 4 6 8 10 12 14 ");
}

TEST_F(Print, LinesAreNeverTorn) {
  std::string Name = temporary();
  void *F = dev_fopen(Name.c_str(), "w");
  std::vector<std::thread> Threads;
  for (int T = 0; T != 8; ++T)
    Threads.emplace_back([&, T] {
      for (int I = 0; I != 50; ++I)
        EXPECT_EQ(
            dev_fprintf(F, "%s\n", std::string(200, char('a' + T)).c_str()),
            201);
    });
  for (std::thread &T : Threads)
    T.join();
  dev_fclose(F);
  std::string All = contents(Name);
  ASSERT_EQ(All.size(), 8u * 50 * 201);
  for (size_t I = 0; I < All.size(); I += 201)
    EXPECT_EQ(All.substr(I, 200), std::string(200, All[I]));
}

TEST_F(Print, WithoutAServer) {
  stop();
  char Got[8] = "before";
  EXPECT_EQ(dev_printf("%d\n", 1), -1);
  EXPECT_EQ(dev_snprintf(Got, sizeof Got, "%d", 1), -1);
  EXPECT_STREQ(Got, "");
  EXPECT_EQ(*dev_errno_location(), ENOSYS);
  EXPECT_EQ(dev_fopen("/dev/null", "r"), nullptr);
  EXPECT_EQ(dev_malloc(16), nullptr);
}
