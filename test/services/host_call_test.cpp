// Host functions from device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"

#include <atomic>
#include <stdexcept>

using namespace xcc::test;

namespace {
class HostCall : public Services {
protected:
  void SetUp() override {
    hostEntries = {{7, add, "add"},
                   {8, fails, "fails"},
                   {9, reverse, "reverse"},
                   {10, vandal, "vandal"}};
    Services::SetUp();
  }
  void TearDown() override {
    Services::TearDown();
    hostEntries.clear();
  }

  static void add(xcc_segment *s) {
    if (hasWarps()) { // else it has no copies
      EXPECT_EQ(reinterpret_cast<uintptr_t>(s[0].data) % 64, 0u);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(s[1].data) % 64, 0u);
    }
    auto *a = static_cast<int *>(s[0].data);
    *static_cast<int *>(s[1].data) = a[0] + a[1];
    ++calls;
  }
  static void fails(xcc_segment *) { throw std::runtime_error("not today"); }
  static void reverse(xcc_segment *s) {
    EXPECT_EQ(s[1].data, nullptr);
    EXPECT_EQ(s[1].direction, uint64_t(XCC_SEGMENT_NULL));
    auto *a = static_cast<char *>(s[0].data);
    for (uint64_t i = 0; i < s[0].size / 2; ++i)
      std::swap(a[i], a[s[0].size - 1 - i]);
    memcpy(s[2].data, "out", 3);
  }
  // Changes what is its own to change: nothing of the server's.
  static void vandal(xcc_segment *s) {
    *static_cast<int *>(s[0].data) = 5;
    s[0].size = uint64_t(1) << 40;
    s[0].data = nullptr;
  }
  static std::atomic<int> calls;
};
std::atomic<int> HostCall::calls{0};
} // namespace

TEST_F(HostCall, ArgumentsAndResult) {
  int in[2] = {40, 2}, out = 0;
  xcc_segment s[] = {{in, sizeof in, XCC_SEGMENT_IN},
                     {&out, sizeof out, XCC_SEGMENT_OUT}};
  __xcc_host_call(7, s, 2);
  EXPECT_EQ(out, 42);
}

TEST_F(HostCall, Lanes) {
  int before = calls;
  onWarp(0xffffffff, [](uint32_t l) {
    int in[2] = {int(l), 100}, out = 0;
    xcc_segment s[] = {{in, sizeof in, XCC_SEGMENT_IN},
                       {&out, sizeof out, XCC_SEGMENT_OUT}};
    __xcc_host_call(7, s, 2);
    EXPECT_EQ(out, int(l) + 100);
  });
  EXPECT_EQ(calls - before, 32);
}

TEST_F(HostCall, LargeInAndOut) {
  for (size_t size :
       {0u, 1u, 2u, 31u, 32u, 33u, 95u, 96u, 97u, 1000u, 100000u}) {
    std::string text(size, 0), wanted;
    for (size_t i = 0; i != size; ++i)
      text[i] = char(i % 251);
    wanted.assign(text.rbegin(), text.rend());
    char out[3];
    xcc_segment s[] = {{text.data(), size, XCC_SEGMENT_IN | XCC_SEGMENT_OUT},
                       {nullptr, 0, XCC_SEGMENT_NULL},
                       {out, 3, XCC_SEGMENT_OUT}};
    __xcc_host_call(9, s, 3);
    EXPECT_EQ(text, wanted);
    EXPECT_EQ(std::string(out, 3), "out");
  }
}

TEST_F(HostCall, LanesWithDifferentSizes) {
  onWarp(0xff, [](uint32_t l) {
    std::string text(l * 37, char('a' + l));
    if (l)
      text[0] = '!';
    char out[3];
    xcc_segment s[] = {
        {text.data(), text.size(), XCC_SEGMENT_IN | XCC_SEGMENT_OUT},
        {nullptr, 0, XCC_SEGMENT_NULL},
        {out, 3, XCC_SEGMENT_OUT}};
    __xcc_host_call(9, s, 3);
    if (l)
      EXPECT_EQ(text.back(), '!');
    EXPECT_EQ(std::string(out, 3), "out");
  });
}

TEST_F(HostCall, EntryThatChangesItsSegments) {
  int value = 1;
  xcc_segment s[] = {{&value, sizeof value, XCC_SEGMENT_IN | XCC_SEGMENT_OUT}};
  __xcc_host_call(10, s, 1);
  EXPECT_EQ(value, 5);
}

TEST_F(HostCall, Failures) {
  Trapped t = onDevice([] { __xcc_host_call(0xabcd, nullptr, 0); });
  EXPECT_TRUE(t.did);
  EXPECT_EQ(t.text, "the host function with id 0x000000000000abcd is not in "
                    "this program; is its file linked?");
  t = onDevice([] { __xcc_host_call(8, nullptr, 0); });
  EXPECT_TRUE(t.did);
  EXPECT_EQ(t.text, "the host function 'fails' threw: not today");
  stop();
  t = onDevice([] { __xcc_host_call(7, nullptr, 0); });
  EXPECT_EQ(t.text, "a call of a host function got no answer");
}
