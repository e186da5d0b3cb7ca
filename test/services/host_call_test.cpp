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
    HostEntries = {{7, add, "add"},
                   {8, fails, "fails"},
                   {9, reverse, "reverse"},
                   {10, vandal, "vandal"}};
    Services::SetUp();
  }
  void TearDown() override {
    Services::TearDown();
    HostEntries.clear();
  }

  static void add(xcc_segment *S) {
    if (hasWarps()) { // else it has no copies
      EXPECT_EQ(reinterpret_cast<uintptr_t>(S[0].data) % 64, 0u);
      EXPECT_EQ(reinterpret_cast<uintptr_t>(S[1].data) % 64, 0u);
    }
    auto *A = static_cast<int *>(S[0].data);
    *static_cast<int *>(S[1].data) = A[0] + A[1];
    ++Calls;
  }
  static void fails(xcc_segment *) { throw std::runtime_error("not today"); }
  static void reverse(xcc_segment *S) {
    EXPECT_EQ(S[1].data, nullptr);
    EXPECT_EQ(S[1].direction, uint64_t(XCC_SEGMENT_NULL));
    auto *A = static_cast<char *>(S[0].data);
    for (uint64_t I = 0; I < S[0].size / 2; ++I)
      std::swap(A[I], A[S[0].size - 1 - I]);
    memcpy(S[2].data, "out", 3);
  }
  // Changes what is its own to change: nothing of the server's.
  static void vandal(xcc_segment *S) {
    *static_cast<int *>(S[0].data) = 5;
    S[0].size = uint64_t(1) << 40;
    S[0].data = nullptr;
  }
  static std::atomic<int> Calls;
};
std::atomic<int> HostCall::Calls{0};
} // namespace

TEST_F(HostCall, ArgumentsAndResult) {
  int In[2] = {40, 2}, Out = 0;
  xcc_segment S[] = {{In, sizeof In, XCC_SEGMENT_IN},
                     {&Out, sizeof Out, XCC_SEGMENT_OUT}};
  __xcc_host_call(7, S, 2);
  EXPECT_EQ(Out, 42);
}

TEST_F(HostCall, Lanes) {
  int Before = Calls;
  onWarp(0xffffffff, [](uint32_t L) {
    int In[2] = {int(L), 100}, Out = 0;
    xcc_segment S[] = {{In, sizeof In, XCC_SEGMENT_IN},
                       {&Out, sizeof Out, XCC_SEGMENT_OUT}};
    __xcc_host_call(7, S, 2);
    EXPECT_EQ(Out, int(L) + 100);
  });
  EXPECT_EQ(Calls - Before, 32);
}

TEST_F(HostCall, LargeInAndOut) {
  for (size_t Size :
       {0u, 1u, 2u, 31u, 32u, 33u, 95u, 96u, 97u, 1000u, 100000u}) {
    std::string Text(Size, 0), Wanted;
    for (size_t I = 0; I != Size; ++I)
      Text[I] = char(I % 251);
    Wanted.assign(Text.rbegin(), Text.rend());
    char Out[3];
    xcc_segment S[] = {{Text.data(), Size, XCC_SEGMENT_IN | XCC_SEGMENT_OUT},
                       {nullptr, 0, XCC_SEGMENT_NULL},
                       {Out, 3, XCC_SEGMENT_OUT}};
    __xcc_host_call(9, S, 3);
    EXPECT_EQ(Text, Wanted);
    EXPECT_EQ(std::string(Out, 3), "out");
  }
}

TEST_F(HostCall, LanesWithDifferentSizes) {
  onWarp(0xff, [](uint32_t L) {
    std::string Text(L * 37, char('a' + L));
    if (L)
      Text[0] = '!';
    char Out[3];
    xcc_segment S[] = {
        {Text.data(), Text.size(), XCC_SEGMENT_IN | XCC_SEGMENT_OUT},
        {nullptr, 0, XCC_SEGMENT_NULL},
        {Out, 3, XCC_SEGMENT_OUT}};
    __xcc_host_call(9, S, 3);
    if (L)
      EXPECT_EQ(Text.back(), '!');
    EXPECT_EQ(std::string(Out, 3), "out");
  });
}

TEST_F(HostCall, EntryThatChangesItsSegments) {
  int Value = 1;
  xcc_segment S[] = {{&Value, sizeof Value, XCC_SEGMENT_IN | XCC_SEGMENT_OUT}};
  __xcc_host_call(10, S, 1);
  EXPECT_EQ(Value, 5);
}

TEST_F(HostCall, Failures) {
  Trapped T = onDevice([] { __xcc_host_call(0xabcd, nullptr, 0); });
  EXPECT_TRUE(T.Did);
  EXPECT_EQ(T.Text, "the host function with id 0x000000000000abcd is not in "
                    "this program; is its file linked?");
  T = onDevice([] { __xcc_host_call(8, nullptr, 0); });
  EXPECT_TRUE(T.Did);
  EXPECT_EQ(T.Text, "the host function 'fails' threw: not today");
  stop();
  T = onDevice([] { __xcc_host_call(7, nullptr, 0); });
  EXPECT_EQ(T.Text, "a call of a host function got no answer");
}
