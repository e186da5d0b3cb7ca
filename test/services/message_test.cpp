// Messages that are not what they say
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "harness.h"
#include "rpc/services/services_impl.h"

using namespace xcc::services;

namespace {
/// What a service makes of one lane's message.
struct Served {
  Reply Answer;
  std::string Out;
};
Served serve(Service Op, Request Head, const std::string &Rest) {
  xcc_services S;
  Served R;
  std::vector<Lane> All(1);
  All[0].Head = Head;
  All[0].Rest = Reader(Rest);
  All[0].Out = &R.Out;
  (S.*xcc_services::find(Op))(All);
  R.Answer = All[0].Answer;
  return R;
}
std::string word(uint64_t W) {
  return std::string(reinterpret_cast<const char *>(&W), sizeof W);
}
Served format(const std::string &Format, const std::string &Arguments) {
  return serve(ServiceFormat, {1 << 20, Format.size(), 0}, Format + Arguments);
}
} // namespace

TEST(Message, Print) {
  EXPECT_EQ(format("%d|", word(5)).Out, "5|");
  EXPECT_EQ(format("%s|", word(3) + "abc").Out, "abc|");
  // Cut off.
  EXPECT_NE(format("%d|", "").Answer.Error, 0);
  EXPECT_NE(format("%d %d|", word(5)).Answer.Error, 0);
  EXPECT_NE(format("%s|", word(4) + "abc").Answer.Error, 0);
  EXPECT_NE(format("%ls|", word(2) + "abcdefg").Answer.Error, 0);
  EXPECT_NE(format("%Lf", word(1)).Answer.Error, 16);
  EXPECT_EQ(serve(ServiceFormat, {9, 100, 0}, "short").Answer.Error,
            ErrInvalid);
  EXPECT_EQ(serve(ServiceFormat, {9, ~uint64_t(0), 0}, "").Answer.Error,
            ErrInvalid);
  // Sizes that wrap around.
  for (uint64_t Size : {~uint64_t(0) - 1, uint64_t(1) << 62, uint64_t(1) << 63})
    for (const char *F : {"%s", "%ls"})
      EXPECT_NE(format(F, word(Size) + "abc").Answer.Error, 0);
  // Stars that are no int, and large ones.
  EXPECT_NE(format("%*d", word(uint64_t(1) << 40) + word(1)).Answer.Error, 0);
  EXPECT_NE(format("%*d", word(INT32_MAX) + word(1)).Answer.Error, 0);
  EXPECT_NE(format("%.*d", word(INT32_MAX) + word(1)).Answer.Error, 0);
  EXPECT_NE(format("%99999999999999999999d", word(1)).Answer.Error, 0);
  // Much text out of little.
  std::string Many;
  for (int I = 0; I != 200; ++I)
    Many += "%1000000d";
  EXPECT_EQ(format(Many, std::string(8 * 200, 0)).Answer.Error, ErrOverflow);
  EXPECT_NE(format("%n", word(1)).Answer.Error, 0);
  EXPECT_EQ(format(std::string("a\0b%d", 5), word(1)).Out,
            std::string("a\0b1", 4));
}

TEST(Message, SameFormatAsNobody) {
  EXPECT_EQ(serve(ServiceFormat, {9, 0, PrintSameFormat}, "").Answer.Result, 0);
}

TEST(Message, Files) {
  EXPECT_EQ(serve(ServiceOpen, {100, 0, 0}, "name").Answer.Error, ErrInvalid);
  EXPECT_EQ(serve(ServiceRename, {100, 0, 0}, "name").Answer.Error, ErrInvalid);
  EXPECT_EQ(serve(ServiceRead, {77, 100, 0}, "").Answer.Error, ErrBadFile);
  EXPECT_EQ(serve(ServiceFileState, {2, 9, 0}, "").Answer.Error, ErrInvalid);
  EXPECT_EQ(serve(ServicePrint, {uint64_t(1) << 40, 1, PrintDescriptor}, "x")
                .Answer.Error,
            ErrBadFile);
}

TEST(Message, Memory) {
  EXPECT_EQ(serve(ServiceAllocate, {16, 16, 0}, "").Answer.Error, ErrNoMemory);
  EXPECT_EQ(serve(ServiceFree, {16, 0, 0}, "").Answer.Error, ErrInvalid);
  EXPECT_EQ(serve(ServiceUsable, {16, 0, 0}, "").Answer.Error, ErrInvalid);
  EXPECT_EQ(serve(ServiceExit, {1, 99, 0}, "").Answer.Error, ErrInvalid);
}

TEST(Message, HostCall) {
  auto segment = [](uint64_t Size, uint64_t Direction) {
    return word(Size) + word(Direction);
  };
  auto isBroken = [](uint64_t Count, const std::string &Rest) {
    Served R = serve(ServiceHostCall, {1, Count, 0}, Rest);
    return R.Answer.Error && R.Out.find("broken") != std::string::npos;
  };
  EXPECT_TRUE(isBroken(1, ""));
  EXPECT_TRUE(isBroken(~uint64_t(0), ""));
  EXPECT_TRUE(isBroken(1, segment(~uint64_t(0), 1)));
  EXPECT_TRUE(isBroken(1, segment(~uint64_t(0), 2)));
  EXPECT_TRUE(isBroken(1, segment(8, 1) + "short"));
  EXPECT_TRUE(isBroken(1, segment(8, 9)));
  EXPECT_TRUE(isBroken(1, segment(8, 4)));
  EXPECT_TRUE(isBroken(2, segment(uint64_t(1) << 30, 2) +
                              segment(uint64_t(1) << 30, 2)));
  EXPECT_FALSE(isBroken(1, segment(8, 1) + word(1)));
  EXPECT_FALSE(isBroken(0, ""));
}

TEST(Message, WhatIsDenied) {
  static uint32_t Denied;
  xcc_services S;
  S.Options.denied = [](void *) { return Denied; };
  auto isDenied = [&](Service Op, Request Head, const std::string &Rest = "") {
    std::string Out;
    std::vector<Lane> All(1);
    All[0].Head = Head;
    All[0].Rest = Reader(Rest);
    All[0].Out = &Out;
    bool Refused = !S.refuseDenied(Op, All);
    EXPECT_EQ(All[0].Answer.Error == ErrDenied,
              Refused && Op != ServiceEnvironment);
    EXPECT_EQ(Out.empty(), !Refused || Op != ServiceHostCall);
    return Refused;
  };
  struct Case {
    uint32_t Needs;
    Service Op;
    Request Head;
    const char *Rest;
  };
  const Case Cases[] = {
      {0, ServiceFormat, {100, 1, 0}, "x"},
      {0, ServiceTime, {}, ""},
      {0, ServiceAllocate, {16, 16, 0}, ""},
      {0, ServiceWrite, {17, 0, 0}, "to what is open"},
      {XCC_SERVICES_OUTPUT, ServicePrint, {FileOut, 1, 0}, "x"},
      {XCC_SERVICES_OUTPUT, ServicePrint, {2, 1, PrintDescriptor}, "x"},
      {XCC_SERVICES_OUTPUT, ServiceWrite, {FileError, 0, 0}, "x"},
      {XCC_SERVICES_INPUT, ServiceRead, {FileIn, 8, 0}, ""},
      {XCC_SERVICES_INPUT, ServiceReadLine, {FileIn, 8, 0}, ""},
      {XCC_SERVICES_READ_FILES, ServiceOpen, {1, 0, 0}, "arb"},
      {XCC_SERVICES_WRITE_FILES, ServiceOpen, {1, 0, 0}, "ar+"},
      {XCC_SERVICES_WRITE_FILES, ServiceOpen, {1, 0, 0}, "aw"},
      {XCC_SERVICES_WRITE_FILES, ServiceOpen, {1, 0, 0}, "aa"},
      {XCC_SERVICES_WRITE_FILES, ServicePrint, {7, 1, PrintDescriptor}, "x"},
      {XCC_SERVICES_WRITE_FILES, ServiceRemove, {}, "a"},
      {XCC_SERVICES_WRITE_FILES, ServiceRename, {1, 0, 0}, "ab"},
      {XCC_SERVICES_ENVIRONMENT, ServiceEnvironment, {}, "HOME"},
      {XCC_SERVICES_PROCESS, ServiceSystem, {1, 0, 0}, "true"},
      {XCC_SERVICES_PROCESS, ServiceExit, {}, ""},
      {XCC_SERVICES_HOST_CALLS, ServiceHostCall, {7, 0, 0}, ""},
  };
  for (const Case &C : Cases) {
    Denied = 0;
    EXPECT_FALSE(isDenied(C.Op, C.Head, C.Rest));
    Denied = 127 & ~C.Needs;
    EXPECT_FALSE(isDenied(C.Op, C.Head, C.Rest)) << C.Op;
    Denied = C.Needs;
    EXPECT_EQ(isDenied(C.Op, C.Head, C.Rest), C.Needs != 0) << C.Op;
  }
  // Of lanes that differ, those that may go on keep their order and their place.
  Denied = XCC_SERVICES_WRITE_FILES;
  std::string Outs[4];
  std::vector<Lane> All(4);
  for (uint32_t I = 0; I != 4; ++I) {
    All[I].Number = I;
    All[I].Head = {1, 0, 0};
    All[I].Rest = Reader(I % 2 ? "ar" : "aw");
    All[I].Out = &Outs[I];
  }
  ASSERT_EQ(S.refuseDenied(ServiceOpen, All), 2u);
  EXPECT_EQ(All[0].Number, 1u);
  EXPECT_EQ(All[1].Number, 3u);
  EXPECT_EQ(All[2].Answer.Error, ErrDenied);
  EXPECT_EQ(All[3].Answer.Error, ErrDenied);
}
