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
  Reply answer;
  std::string out;
};
Served serve(Service op, Request head, const std::string &rest) {
  xcc_services s;
  Served r;
  std::vector<Lane> all(1);
  all[0].head = head;
  all[0].rest = Reader(rest);
  all[0].out = &r.out;
  (s.*xcc_services::find(op))(all);
  r.answer = all[0].answer;
  return r;
}
std::string word(uint64_t w) {
  return std::string(reinterpret_cast<const char *>(&w), sizeof w);
}
Served format(const std::string &format, const std::string &arguments) {
  return serve(ServiceFormat, {1 << 20, format.size(), 0}, format + arguments);
}
} // namespace

TEST(Message, Print) {
  EXPECT_EQ(format("%d|", word(5)).out, "5|");
  EXPECT_EQ(format("%s|", word(3) + "abc").out, "abc|");
  // Cut off.
  EXPECT_NE(format("%d|", "").answer.error, 0);
  EXPECT_NE(format("%d %d|", word(5)).answer.error, 0);
  EXPECT_NE(format("%s|", word(4) + "abc").answer.error, 0);
  EXPECT_NE(format("%ls|", word(2) + "abcdefg").answer.error, 0);
  EXPECT_NE(format("%Lf", word(1)).answer.error, 16);
  EXPECT_EQ(serve(ServiceFormat, {9, 100, 0}, "short").answer.error,
            ErrInvalid);
  EXPECT_EQ(serve(ServiceFormat, {9, ~uint64_t(0), 0}, "").answer.error,
            ErrInvalid);
  // Sizes that wrap around.
  for (uint64_t size : {~uint64_t(0) - 1, uint64_t(1) << 62, uint64_t(1) << 63})
    for (const char *f : {"%s", "%ls"})
      EXPECT_NE(format(f, word(size) + "abc").answer.error, 0);
  // Stars that are no int, and large ones.
  EXPECT_NE(format("%*d", word(uint64_t(1) << 40) + word(1)).answer.error, 0);
  EXPECT_NE(format("%*d", word(INT32_MAX) + word(1)).answer.error, 0);
  EXPECT_NE(format("%.*d", word(INT32_MAX) + word(1)).answer.error, 0);
  EXPECT_NE(format("%99999999999999999999d", word(1)).answer.error, 0);
  // Much text out of little.
  std::string many;
  for (int i = 0; i != 200; ++i)
    many += "%1000000d";
  EXPECT_EQ(format(many, std::string(8 * 200, 0)).answer.error, ErrOverflow);
  EXPECT_EQ(format("a%nb", "").out, "ab"); // the device's affair
  EXPECT_EQ(format(std::string("a\0b%d", 5), word(1)).out,
            std::string("a\0b1", 4));
}

TEST(Message, SameFormatAsNobody) {
  EXPECT_EQ(serve(ServiceFormat, {9, 0, PrintSameFormat}, "").answer.result, 0);
}

TEST(Message, Files) {
  EXPECT_EQ(serve(ServiceOpen, {100, 0, 0}, "name").answer.error, ErrInvalid);
  EXPECT_EQ(serve(ServiceRename, {100, 0, 0}, "name").answer.error, ErrInvalid);
  EXPECT_EQ(serve(ServiceRead, {77, 100, 0}, "").answer.error, ErrBadFile);
  EXPECT_EQ(serve(ServiceFileState, {2, 9, 0}, "").answer.error, ErrInvalid);
  EXPECT_EQ(serve(ServicePrint, {uint64_t(1) << 40, 1, PrintDescriptor}, "x")
                .answer.error,
            ErrBadFile);
}

TEST(Message, Memory) {
  EXPECT_EQ(serve(ServiceAllocate, {16, 16, 0}, "").answer.error, ErrNoMemory);
  EXPECT_EQ(serve(ServiceFree, {16, 0, 0}, "").answer.error, ErrInvalid);
  EXPECT_EQ(serve(ServiceUsable, {16, 0, 0}, "").answer.error, ErrInvalid);
  EXPECT_EQ(serve(ServiceExit, {1, 99, 0}, "").answer.error, ErrInvalid);
}

TEST(Message, HostCall) {
  auto segment = [](uint64_t size, uint64_t direction) {
    return word(size) + word(direction);
  };
  auto isBroken = [](uint64_t count, const std::string &rest) {
    Served r = serve(ServiceHostCall, {1, count, 0}, rest);
    return r.answer.error && r.out.find("damaged") != std::string::npos;
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
  static uint32_t denied;
  xcc_services s;
  s.options.denied = [](void *) { return denied; };
  auto isDenied = [&](Service op, Request head, const std::string &rest = "") {
    std::string out;
    std::vector<Lane> all(1);
    all[0].head = head;
    all[0].rest = Reader(rest);
    all[0].out = &out;
    bool refused = !s.rejectDenied(op, all);
    EXPECT_EQ(all[0].answer.error == ErrDenied,
              refused && op != ServiceEnvironment);
    EXPECT_EQ(out.empty(), !refused || op != ServiceHostCall);
    return refused;
  };
  struct Case {
    uint32_t needs;
    Service op;
    Request head;
    const char *rest;
  };
  const Case cases[] = {
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
  for (const Case &c : cases) {
    denied = 0;
    EXPECT_FALSE(isDenied(c.op, c.head, c.rest));
    denied = 127 & ~c.needs;
    EXPECT_FALSE(isDenied(c.op, c.head, c.rest)) << c.op;
    denied = c.needs;
    EXPECT_EQ(isDenied(c.op, c.head, c.rest), c.needs != 0) << c.op;
  }
  // Of lanes that differ, those that may go on keep their order and their place.
  denied = XCC_SERVICES_WRITE_FILES;
  std::string outs[4];
  std::vector<Lane> all(4);
  for (uint32_t i = 0; i != 4; ++i) {
    all[i].number = i;
    all[i].head = {1, 0, 0};
    all[i].rest = Reader(i % 2 ? "ar" : "aw");
    all[i].out = &outs[i];
  }
  ASSERT_EQ(s.rejectDenied(ServiceOpen, all), 2u);
  EXPECT_EQ(all[0].number, 1u);
  EXPECT_EQ(all[1].number, 3u);
  EXPECT_EQ(all[2].answer.error, ErrDenied);
  EXPECT_EQ(all[3].answer.error, ErrDenied);
}
