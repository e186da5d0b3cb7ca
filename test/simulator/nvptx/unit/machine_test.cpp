// Groups, barriers, memory and reports
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "support.h"

using namespace test;

namespace {

const char *const Schedules[] = {"lockstep", "random:1", "random:2",
                                 "random:77", "independent"};

/// Loops of different lengths, then who is there.
const char *const LoopsThenActive = R"(
  and.b32 %r1, %tid, 3;
$loop:
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra $done;
  sub.u32 %r1, %r1, 1;
  bra.uni $loop;
$done:
  activemask.b32 %r2;
  st.global.b32 [%at], %r2;)";

TEST_F(Simulator, LanesMeetBehindALoop) {
  Address a = words(32);
  ASSERT_EQ(run(kernel(LoopsThenActive), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32), std::vector<uint32_t>(32, ~0u));
}

TEST_F(Simulator, NothingMeetsWithoutConvergence) {
  ASSERT_TRUE(simulator_schedule("independent"));
  Address a = words(32);
  ASSERT_EQ(run(kernel(LoopsThenActive), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32)[0], 0x11111111u);
}

TEST_F(Simulator, WarpSyncBringsLanesTogether) {
  for (const char *how : Schedules) {
    ASSERT_TRUE(simulator_schedule(how));
    std::string body = LoopsThenActive;
    body.replace(body.find("activemask"), 0, "bar.warp.sync -1; ");
    Address a = words(32);
    ASSERT_EQ(run(kernel(body), 1, 32, {a}), Success) << said;
    EXPECT_EQ(read(a, 32), std::vector<uint32_t>(32, ~0u)) << how;
  }
}

TEST_F(Simulator, PathsThatEndDoNotCount) {
  // Odd lanes above 15 leave from within the branch; the others meet behind it.
  std::string body = R"(
  and.b32 %r1, %tid, 1;
  setp.eq.u32 %p1, %r1, 0;
  @%p1 bra $join;
  setp.lt.u32 %p2, %tid, 16;
  @%p2 bra $join;
  st.global.b32 [%at], 7;
  ret;
$join:
  activemask.b32 %r2;
  st.global.b32 [%at], %r2;
  setp.gt.u32 %p3, %tid, 1000;
  @%p3 bra $join;)";
  Address a = words(32);
  ASSERT_EQ(run(kernel(body), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32)[0], 0x5555ffffu);
  EXPECT_EQ(read(a, 32)[31], 7u);
}

TEST_F(Simulator, GuardedExitsLeaveMeetingsAsTheyAre) {
  // In an inner loop of 1 or 2 iterations stands an exit that nobody takes.
  // Those who leave that loop first wait behind it, and not in the outer loop's
  // next iteration.
  std::string body = R"(
  and.b32 %r1, %tid, 1;
  mov.b32 %r2, 0;
  mov.b32 %r5, 0;
$outer:
  mov.b32 %r3, 0;
$inner:
  setp.gt.u32 %p1, %tid, 1000;
  @%p1 bra $end;
  add.u32 %r3, %r3, 1;
  setp.le.u32 %p2, %r3, %r1;
  @%p2 bra $inner;
  activemask.b32 %r4;
  add.u32 %r2, %r2, 1;
  setp.eq.u32 %p3, %r4, -1;
  @%p3 add.u32 %r5, %r5, 1;
  setp.lt.u32 %p2, %r2, 4;
  @%p2 bra $outer;
  st.global.b32 [%at], %r5;
  ret;
$end:
  exit;)";
  Address a = words(32);
  ASSERT_EQ(run(kernel(body), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32), std::vector<uint32_t>(32, 4));
}

TEST_F(Simulator, EndsBehindCallsLeaveMeetingsAsTheyAre) {
  // In a loop of 4 or 5 iterations stands a call that does not return. All lanes
  // vote behind the loop, in an outer one that only exits leave.
  std::string functions = ".func never() { exit; }\n", body = R"(
  setp.lt.u32 %p1, %tid, 16;
  selp.b32 %r1, 5, 4, %p1;
  mov.b32 %r2, 0;
$outer:
  mov.b32 %r3, 0;
$inner:
  setp.gt.u32 %p1, %tid, 1000;
  @%p1 bra $fails;
  add.u32 %r3, %r3, 1;
  setp.lt.u32 %p2, %r3, %r1;
  @%p2 bra $inner;
  setp.eq.u32 %p3, %r2, 3;
  vote.sync.any.pred %p3, %p3, -1;
  add.u32 %r2, %r2, 1;
  @%p3 bra $done;
  bra.uni $outer;
$done:
  st.global.b32 [%at], %r2;
  bra.uni $end;
$fails:
  call.uni never, ();
  exit;
$end:
  exit;)";
  Address a = words(32);
  ASSERT_EQ(run(kernel(body, 90, functions), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32), std::vector<uint32_t>(32, 4));
}

TEST_F(Simulator, LanesOfAnEndlessLoopMeetInEachTurn) {
  // Behind a loop of 0 to 3 iterations, in a loop that only exits leave.
  std::string body = R"(
  mov.b32 %r2, 0;
  mov.b32 %r5, 0;
$turn:
  and.b32 %r3, %tid, 3;
$inner:
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra $behind;
  sub.u32 %r3, %r3, 1;
  bra.uni $inner;
$behind:
  activemask.b32 %r4;
  setp.eq.u32 %p3, %r4, -1;
  @%p3 add.u32 %r5, %r5, 1;
  st.global.b32 [%at], %r5;
  add.u32 %r2, %r2, 1;
  setp.ge.u32 %p2, %r2, 4;
  @%p2 bra $end;
  and.b32 %r3, %tid, 1;
  setp.eq.u32 %p1, %r3, 0;
  @%p1 bra $even;
  bra.uni $turn;
$even:
  bra.uni $turn;
$end:
  exit;)";
  Address a = words(32);
  ASSERT_EQ(run(kernel(body), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32), std::vector<uint32_t>(32, 4));
}

/// LLVM chooses between two parameters by their addresses.
TEST_F(Simulator, ParametersOfFunctionsHaveAddresses) {
  std::string function = R"(
.func (.param .b32 back) f(.param .b32 n, .param .b32 m) {
  .reg .b32 %r<4>; .reg .b64 %rd<4>; .reg .pred %p;
  ld.param.b32 %r1, [n];
  and.b32 %r2, %r1, 1;
  setp.eq.u32 %p, %r2, 1;
  mov.b64 %rd1, n;
  mov.b64 %rd2, m;
  selp.b64 %rd3, %rd1, %rd2, %p;
  ld.param.b32 %r3, [%rd3];
  st.param.b32 [back], %r3;
  ret;
}
)";
  std::string body = R"(
  { .param .b32 a; .param .b32 c; .param .b32 b;
    st.param.b32 [a], %tid;
    st.param.b32 [c], 100;
    call.uni (b), f, (a, c);
    ld.param.b32 %r1, [b]; }
  st.global.b32 [%at], %r1;)";
  Address a = words(32);
  ASSERT_EQ(run(kernel(body, 90, function), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32)[6], 100u);
  EXPECT_EQ(read(a, 32)[7], 7u);
}

TEST_F(Simulator, LanesOfACallMeetBehindIt) {
  std::string function = R"(
.func (.param .b32 back) f(.param .b32 n) {
  .reg .b32 %r<4>; .reg .pred %p;
  ld.param.b32 %r1, [n];
  setp.lt.u32 %p, %r1, 9;
  @%p bra $early;
  add.u32 %r1, %r1, 100;
  st.param.b32 [back], %r1;
  ret;
$early:
  st.param.b32 [back], %r1;
  ret;
}
)";
  std::string body = R"(
  { .param .b32 a; .param .b32 b;
    st.param.b32 [a], %tid;
    call.uni (b), f, (a);
    ld.param.b32 %r1, [b]; }
  activemask.b32 %r2;
  setp.eq.u32 %p1, %r2, -1;
  @%p1 st.global.b32 [%at], %r1;)";
  Address a = words(32);
  ASSERT_EQ(run(kernel(body, 90, function), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32)[8], 8u);
  EXPECT_EQ(read(a, 32)[9], 109u);
}

/// A function that calls itself as often as it is told.
const char *const Recursive = R"(
.func f(.param .b32 n) {
  .reg .b32 %r<4>; .reg .pred %p;
  ld.param.b32 %r1, [n];
  setp.eq.u32 %p, %r1, 0;
  @%p bra $end;
  sub.u32 %r2, %r1, 1;
  { .param .b32 a; st.param.b32 [a], %r2; call.uni f, (a); }
$end:
  ret;
}
)";
const char *const CallByDepth = R"(
  and.b32 %r1, %tid, 3;
  activemask.b32 %r3;
  { .param .b32 a; st.param.b32 [a], %r1; call.uni f, (a); }
  activemask.b32 %r2;
  st.global.b32 [%at], %r2;)";

TEST_F(Simulator, LanesReturnApartFromRecursion) {
  ASSERT_TRUE(simulator_notes(true));
  Address a = words(32);
  ASSERT_EQ(run(kernel(CallByDepth, 90, Recursive), 1, 32, {a}), Success)
      << said;
  EXPECT_EQ(read(a, 32)[0], 0x11111111u);
  EXPECT_EQ(read(a, 32)[3], 0x88888888u);
  EXPECT_TRUE(contains(said, "from a call that may recurse")) << said;
  // Not through a pointer, of which ptxas expects nothing.
  std::string body = CallByDepth;
  body.replace(body.find("call.uni f, (a);"), 16,
               "p: .callprototype _ (.param .b32 _); mov.b64 %rd1, f; "
               "call %rd1, (a), p;");
  ASSERT_EQ(run(kernel(body, 90, Recursive), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32)[0], ~0u);
  ASSERT_TRUE(simulator_notes(false));
}

TEST_F(Simulator, LanesOfRecursionWaitWhereTheyAreTold) {
  ASSERT_TRUE(simulator_notes(true));
  std::string body = CallByDepth;
  body.replace(body.find("activemask.b32 %r2"), 0, "bar.warp.sync %r3; ");
  std::string function = Recursive;
  function.replace(function.find("{ .param"), 0, "activemask.b32 %r3; ");
  function.replace(function.find("$end:"), 0, "bar.warp.sync %r3;\n");
  for (const char *how : Schedules) {
    ASSERT_TRUE(simulator_schedule(how));
    Address a = words(32);
    ASSERT_EQ(run(kernel(body, 90, function), 1, 32, {a}), Success) << said;
    EXPECT_EQ(read(a, 32), std::vector<uint32_t>(32, ~0u)) << how;
    EXPECT_FALSE(contains(said, "may recurse")) << said;
  }
  ASSERT_TRUE(simulator_notes(false));
}

TEST_F(Simulator, NothingMeetsBehindABranchThatRecurses) {
  // Half of the lanes call; the others wait in what recursion uses as well.
  std::string body = R"(
  setp.lt.u32 %p1, %tid, 16;
  @%p1 bra $join;
  { .param .b32 a; st.param.b32 [a], 1; call.uni f, (a); }
$join:
  activemask.b32 %r2;
  st.global.b32 [%at], %r2;)";
  Address a = words(32);
  ASSERT_EQ(run(kernel(body, 90, Recursive), 1, 32, {a}), Success) << said;
  EXPECT_EQ(read(a, 32)[0], 0xffffu);
  EXPECT_EQ(read(a, 32)[16], 0xffff0000u);
}

TEST_F(Simulator, CallsThroughPointersMayDiffer) {
  std::string functions;
  for (const char *n : {"1", "2"})
    functions += std::string(".func (.param .b32 back) f") + n +
                 "() {\n st.param.b32 [back], " + n + ";\n ret;\n}\n";
  std::string body = R"(
  mov.b64 %rd1, f1;
  mov.b64 %rd2, f2;
  setp.lt.u32 %p1, %tid, 5;
  selp.b64 %rd3, %rd1, %rd2, %p1;
  { .param .b32 b;
    p: .callprototype (.param .b32 _) _ ();
    call (b), %rd3, (), p;
    ld.param.b32 %r1, [b]; }
  st.global.b32 [%at], %r1;)";
  for (const char *how : Schedules) {
    ASSERT_TRUE(simulator_schedule(how));
    Address a = words(32);
    ASSERT_EQ(run(kernel(body, 90, functions), 1, 32, {a}), Success) << said;
    EXPECT_EQ(read(a, 32)[4], 1u) << how;
    EXPECT_EQ(read(a, 32)[5], 2u) << how;
  }
  body.replace(body.find("mov.b64 %rd2, f2"), 16, "mov.b64 %rd2, 1234");
  EXPECT_EQ(run(kernel(body, 90, functions), 1, 32, {words(32)}), InvalidPc);
  EXPECT_TRUE(contains(said, "no function")) << said;
}

TEST_F(Simulator, JumpsByATable) {
  std::string body = R"(
  and.b32 %r1, %tid, 3;
  $t: .branchtargets $a, $b, $c, $a;
  brx.idx %r1, $t;
$a: mov.b32 %r2, 10; bra.uni $end;
$b: mov.b32 %r2, 11; bra.uni $end;
$c: mov.b32 %r2, 12;
$end:
  activemask.b32 %r3;
  setp.ne.u32 %p1, %r3, -1;
  @%p1 mov.b32 %r2, 0;
  st.global.b32 [%at], %r2;)";
  Address a = words(32);
  ASSERT_EQ(run(kernel(body), 1, 32, {a}), Success) << said;
  std::vector<uint32_t> out = read(a, 4);
  EXPECT_EQ(out, (std::vector<uint32_t>{10, 11, 12, 10}));
}

TEST_F(Simulator, ShufflesVotesAndMatches) {
  std::string body = R"(
  shfl.sync.up.b32 %r1|%p1, %tid, 3, 0, -1;
  selp.b32 %r2, 1000, 0, %p1;
  add.u32 %r1, %r1, %r2;
  st.global.b32 [%at], %r1;
  shfl.sync.idx.b32 %r1, %tid, 1, 0x181f, -1;
  st.global.b32 [%at+128], %r1;
  setp.lt.u32 %p2, %tid, 4;
  vote.sync.ballot.b32 %r3, %p2, -1;
  st.global.b32 [%at+256], %r3;
  shr.u32 %r4, %tid, 4;
  match.any.sync.b32 %r5, %r4, -1;
  st.global.b32 [%at+384], %r5;
  redux.sync.add.s32 %r6, %tid, -1;
  st.global.b32 [%at+512], %r6;)";
  Address a = words(160);
  ASSERT_EQ(run(kernel(body), 1, 32, {a}), Success) << said;
  std::vector<uint32_t> out = read(a, 160);
  EXPECT_EQ(out[2], 2u);
  EXPECT_EQ(out[3], 1000u);
  EXPECT_EQ(out[32 + 30], 25u); // segments of eight
  EXPECT_EQ(out[64], 15u);
  EXPECT_EQ(out[96 + 20], 0xffff0000u);
  EXPECT_EQ(out[128], 496u);
}

TEST_F(Simulator, BlocksMeetAtBarriers) {
  std::string before = ".shared .align 4 .b8 s[512];\n";
  std::string body = R"(
  mov.b64 %rd1, s;
  mad.wide.u32 %rd2, %tid, 4, %rd1;
  st.shared.b32 [%rd2], %tid;
  bar.sync 0;
  xor.b32 %r1, %tid, 127;
  mad.wide.u32 %rd3, %r1, 4, %rd1;
  ld.shared.b32 %r2, [%rd3];
  st.global.b32 [%at], %r2;
  setp.lt.u32 %p1, %tid, 3;
  barrier.red.popc.u32 %r3, 1, %p1;
  st.global.b32 [%at+512], %r3;)";
  for (const char *how : Schedules) {
    ASSERT_TRUE(simulator_schedule(how));
    Address a = words(256);
    ASSERT_EQ(run(kernel(body, 90, before), 2, 128, {a}), Success) << said;
    EXPECT_EQ(read(a, 1)[0], 127u) << how;
    EXPECT_EQ(read(a, 256)[200], 3u) << how;
  }
}

TEST_F(Simulator, ThreadsThatEndedAreNotWaitedFor) {
  std::string body = R"(
  setp.gt.u32 %p1, %tid, 40;
  @%p1 exit;
  bar.sync 0;
  mov.b32 %r1, 1;
  st.global.b32 [%at], %r1;)";
  Address a = words(96);
  ASSERT_EQ(run(kernel(body), 1, 96, {a}), Success) << said;
  EXPECT_EQ(read(a, 41)[40], 1u);
}

TEST_F(Simulator, BlocksWaitForEachOther) {
  // The first block spins until the second has come.
  std::string body = R"(
  mov.u32 %r1, %ctaid.x;
  setp.eq.u32 %p1, %r1, 1;
  @%p1 bra $second;
$spin:
  ld.relaxed.gpu.global.b32 %r2, [%out];
  setp.eq.u32 %p2, %r2, 0;
  @%p2 bra $spin;
  ret;
$second:
  red.global.add.u32 [%out], 1;)";
  for (const char *how : Schedules) {
    ASSERT_TRUE(simulator_schedule(how));
    Address a = words(1);
    EXPECT_EQ(run(kernel(body), 2, 32, {a}), Success) << how;
  }
}

TEST_F(Simulator, AlignsParametersWhereTheyAre) {
  // Behind 0x210 bytes of constant memory on sm_90, as EIATTR_KPARAM_INFO of
  // ptxas's cubins has it.
  std::string text =
      head() + ".visible .entry k(.param .u32 a, .param .align 16 .b8 b[16],\n"
               ".param .align 32 .b8 c[32], .param .align 64 .b8 d[64],\n"
               ".param .align 128 .b8 e[128], .param .u8 f) { ret; }\n";
  Module m = nullptr;
  Function f = nullptr;
  ASSERT_EQ(cuModuleLoadDataEx(&m, text.c_str(), 0, nullptr, nullptr), Success);
  ASSERT_EQ(cuModuleGetFunction(&f, m, "k"), Success);
  const size_t offsets[] = {0, 16, 48, 112, 240, 368};
  for (size_t n = 0; n != std::size(offsets); ++n) {
    size_t offset = 0, size = 0;
    EXPECT_EQ(cuFuncGetParamInfo(f, n, &offset, &size), Success);
    EXPECT_EQ(offset, offsets[n]) << n;
    EXPECT_EQ(size, n == 0 ? 4u : n == 5 ? 1u : 16u << (n - 1)) << n;
  }
  size_t offset, size;
  EXPECT_EQ(cuFuncGetParamInfo(f, 6, &offset, &size), InvalidValue);
  // The layout of a structure has 257 bytes.
  std::vector<Address> fewer(33);
  EXPECT_EQ(run(text, 1, 1, fewer), LaunchOutOfResources);
  EXPECT_NE(said.find("kernel k takes 369 bytes of arguments, and 264 are "
                      "given"),
            std::string::npos)
      << said;
}

TEST_F(Simulator, AtomicOperationsOfAllKinds) {
  std::string body = R"(
  atom.global.add.u32 %r1, [%out], 1;
  atom.global.inc.u32 %r1, [%out+4], 6;
  atom.global.max.s32 %r1, [%out+8], %tid;
  atom.global.cas.b32 %r1, [%out+12], 0, %tid;
  cvt.rn.f32.u32 %r2, %tid;
  red.global.add.f32 [%out+16], %r2;
  atom.global.exch.b32 %r1, [%out+20], 9;
  red.global.or.b32 [%out+24], %tid;)";
  Address a = words(8);
  ASSERT_EQ(run(kernel(body), 1, 32, {a}), Success) << said;
  std::vector<uint32_t> out = read(a, 8);
  EXPECT_EQ(out[0], 32u);
  EXPECT_EQ(out[1], 32u % 7);
  EXPECT_EQ(out[2], 31u);
  EXPECT_EQ(out[4], f32(496));
  EXPECT_EQ(out[5], 9u);
  EXPECT_EQ(out[6], 31u);
}

//===----------------------------------------------------------------------===//
// Faults
//===----------------------------------------------------------------------===//

TEST_F(Simulator, ReportsBadAddresses) {
  EXPECT_EQ(run(kernel("st.global.b32 [%at+64], %tid;"), 1, 32, {words(32)}),
            IllegalAddress);
  EXPECT_TRUE(contains(said, "kernel k, block (0, 0, 0), thread (16, 0, 0)"))
      << said;
  EXPECT_TRUE(contains(said, "0 bytes behind the end of 128 bytes")) << said;
  EXPECT_TRUE(contains(said, "'st.global.b32 [%at+64], %tid;'")) << said;
  // The context is lost, as with the driver.
  Address a = 0;
  EXPECT_EQ(cuMemAlloc_v2(&a, 4), IllegalAddress);
  mock_cuda_fault(Success);

  EXPECT_EQ(
      run(kernel("mov.b64 %rd9, 0; ld.b32 %r1, [%rd9+8];"), 1, 1, {words(1)}),
      IllegalAddress);
  mock_cuda_fault(Success);
  EXPECT_EQ(run(kernel("ld.global.b32 %r1, [%out+2];"), 1, 1, {words(2)}),
            MisalignedAddress);
  EXPECT_TRUE(contains(said, "not aligned for an access of 4 bytes")) << said;
  mock_cuda_fault(Success);
  EXPECT_EQ(run(kernel("ld.shared.b32 %r1, [%rd1]; ", 90), 1, 1, {words(2)}),
            MisalignedAddress); // a register that nothing was written to
  mock_cuda_fault(Success);
  int onHost = 0;
  EXPECT_EQ(
      run(kernel("st.b32 [%out], 1;"), 1, 1, {Address(uintptr_t(&onHost))}),
      IllegalAddress);
  EXPECT_TRUE(contains(said, "memory of the host?")) << said;
}

TEST_F(Simulator, ReportsTheOneLaneOfManyThatIsOutside) {
  // %rd2: 0, and for one thread a distance.
  auto body = [](const std::string &at, const char *distance,
                 const std::string &access) {
    return ".shared .align 4 .b8 s[128];\n.local .align 4 .b8 l[128];\n"
           "setp.eq.u32 %p1, %tid, 17; selp.b64 %rd2, " +
           std::string(distance) + ", 0, %p1; mul.wide.u32 %rd3, %tid, 4;\n" +
           at + "add.s64 %rd1, %rd1, %rd2;\n" + access;
  };
  const std::string shared = "mov.b64 %rd1, s; add.s64 %rd1, %rd1, %rd3;\n",
                    local = "mov.b64 %rd1, l; add.s64 %rd1, %rd1, %rd3;\n",
                    global = "mov.b64 %rd1, %at;\n";
  const struct {
    std::string text;
    Result result;
  } cases[] = {
      {body(global, "2", "ld.global.b32 %r1, [%rd1];"), MisalignedAddress},
      {body(global, "64", "st.b32 [%rd1], %r1;"), IllegalAddress},
      {body(shared, "64", "st.shared.b32 [%rd1], %tid;"), IllegalAddress},
      {body(shared, "1", "ld.shared.b32 %r1, [%rd1];"), MisalignedAddress},
      {body(local, "-128", "st.local.b32 [%rd1], %tid;"), IllegalAddress},
      {body(local, "128", "ld.local.b32 %r1, [%rd1];"), IllegalAddress}};
  for (auto &[text, result] : cases) {
    EXPECT_EQ(run(kernel(text), 1, 32, {words(32)}), result) << text << said;
    EXPECT_TRUE(contains(said, "thread (17, 0, 0)")) << text << said;
    mock_cuda_fault(Success);
  }
}

TEST_F(Simulator, ReportsTraps) {
  EXPECT_EQ(
      run(kernel("setp.eq.u32 %p1, %tid, 33; @%p1 trap;"), 1, 64, {words(1)}),
      LaunchFailed);
  EXPECT_TRUE(contains(said, "thread (33, 0, 0): launch failed: trap")) << said;
}

TEST_F(Simulator, ReportsStackOverflow) {
  std::string function = R"(
.func f(.param .b32 n) {
  .local .align 8 .b8 room[64];
  .reg .b32 %r<4>; .reg .pred %p; .reg .b64 %rd<3>;
  ld.param.b32 %r1, [n];
  mov.b64 %rd1, room;
  st.local.b32 [%rd1], %r1;
  setp.eq.u32 %p, %r1, 0;
  @%p bra $end;
  sub.u32 %r2, %r1, 1;
  { .param .b32 a; st.param.b32 [a], %r2; call.uni f, (a); }
$end:
  ret;
}
)";
  auto levels = [&](const std::string &n) {
    return run(kernel("{ .param .b32 a; st.param.b32 [a], " + n +
                          "; call.uni f, (a); }",
                      90, function),
               1, 32, {words(1)});
  };
  EXPECT_EQ(levels("10"), Success) << said;
  EXPECT_EQ(levels("100"), IllegalAddress);
  EXPECT_TRUE(contains(said, "stack overflow: 'f' needs")) << said;
  mock_cuda_fault(Success);
  ASSERT_EQ(cuCtxSetLimit(LimitStackSize, 16384), Success);
  EXPECT_EQ(levels("100"), Success) << said;
  ASSERT_EQ(cuCtxSetLimit(LimitStackSize, 1024), Success);
}

TEST_F(Simulator, ReportsDeadlocks) {
  // A full mask, and half of the lanes wait behind the branch.
  std::string body = R"(
  setp.lt.u32 %p1, %tid, 16;
  @%p1 bra $in;
  bra.uni $join;
$in:
  bar.warp.sync -1;
$join:
  activemask.b32 %r1;
  st.global.b32 [%at], %r1;)";
  EXPECT_EQ(run(kernel(body), 1, 32, {words(32)}), LaunchTimeout);
  EXPECT_TRUE(contains(said, "DEADLOCK")) << said;
  EXPECT_TRUE(contains(said, "missing: lanes 16-31")) << said;
  EXPECT_TRUE(contains(said, "lanes 16-31: wait for lanes 0-15 to come out of "
                             "the branch"))
      << said;
  mock_cuda_fault(Success);
  // A barrier for more threads than there are.
  EXPECT_EQ(run(kernel("barrier.sync 1, 64;"), 1, 32, {words(1)}),
            LaunchTimeout);
  EXPECT_TRUE(contains(said, "wait at barrier 1")) << said;
  mock_cuda_fault(Success);
  // An early return from a function whose call is waited behind.
  std::string function = R"(
.func f(.param .b32 n) {
  .reg .b32 %r<4>; .reg .pred %p;
  ld.param.b32 %r1, [n];
  setp.lt.u32 %p, %r1, 9;
  @%p bra $early;
  bar.sync 0;
$early:
  ret;
}
)";
  EXPECT_EQ(run(kernel("{ .param .b32 a; st.param.b32 [a], %tid;"
                       " call.uni f, (a); }",
                       90, function),
                1, 32, {words(1)}),
            LaunchTimeout);
  EXPECT_TRUE(contains(said, "to return from the call")) << said;
}

TEST_F(Simulator, ReportsUndefinedBehaviour) {
  EXPECT_EQ(run(kernel("bar.warp.sync 1;"), 1, 32, {words(1)}), LaunchFailed);
  EXPECT_TRUE(contains(said, "lanes that its mask 0x1 does not name")) << said;
  mock_cuda_fault(Success);
  std::string arms = R"(
  setp.lt.u32 %p1, %tid, 16;
  @%p1 bra $one;
  bar.sync 0;
  bra.uni $join;
$one:
  bar.sync 0;
$join:
  st.global.b32 [%at], 1;)";
  EXPECT_EQ(run(kernel(arms), 1, 32, {words(32)}), LaunchFailed);
  EXPECT_TRUE(contains(said, "an aligned barrier")) << said;
  mock_cuda_fault(Success);
  for (size_t at; (at = arms.find("bar.sync")) != arms.npos;)
    arms.replace(at, 8, "barrier.sync");
  EXPECT_EQ(run(kernel(arms), 1, 32, {words(32)}), Success) << said;
  std::string uniform = "setp.lt.u32 %p1, %tid, 16;\n@%p1 bra.uni $x;\n$x:\n";
  EXPECT_EQ(run(kernel(uniform), 1, 32, {words(1)}), LaunchFailed);
}

TEST_F(Simulator, TellsOfRacesInSharedMemory) {
  ASSERT_TRUE(simulator_notes(true));
  // Each thread writes a word, or adds to the first one, and reads another's.
  const std::string own = "st.shared.u32 [%rd3], %tid;";
  const std::string add = "red.shared.add.u32 [%rd1], 1;";
  auto text = [&](const std::string &first, const std::string &between,
                  unsigned away) {
    return kernel("mov.u64 %rd1, room;\nmul.wide.u32 %rd2, %tid, 4;\n"
                  "add.s64 %rd3, %rd1, %rd2;\n" +
                      first + "\n" + between + "\nxor.b64 %rd4, %rd2, " +
                      std::to_string(4 * away) +
                      ";\nadd.s64 %rd5, %rd1, %rd4;\n"
                      "ld.shared.u32 %r6, [%rd5];\nst.global.u32 [%at], %r6;",
                  90, ".shared .align 4 .b8 room[256];\n");
  };
  Address a = words(64);
  EXPECT_EQ(run(text(own, "", 32), 1, 64, {a}), Success);
  EXPECT_TRUE(contains(said, "a race: thread")) << said;
  EXPECT_TRUE(contains(said, "with no barrier in between"));
  EXPECT_EQ(run(text(own, "bar.sync 0;", 32), 1, 64, {a}), Success);
  EXPECT_EQ(said, "");
  EXPECT_EQ(run(text(add, "bar.sync 0;", 0), 1, 64, {a}), Success);
  EXPECT_EQ(said, "");
  EXPECT_EQ(run(text(add, "", 0), 1, 64, {a}), Success);
  EXPECT_TRUE(contains(said, "atomic operation")) << said;
  // Lanes of a warp may order themselves.
  EXPECT_EQ(run(text(own, "bar.warp.sync -1;", 1), 1, 64, {a}), Success);
  EXPECT_EQ(said, "");
  EXPECT_EQ(run(text(own, "", 1), 1, 64, {a}), Success);
  EXPECT_TRUE(contains(said, "a race: thread")) << said;
  EXPECT_TRUE(simulator_notes(false));
}

TEST_F(Simulator, StreamsRunInOrderAndWaitForEvents) {
  Stream other = nullptr;
  ASSERT_EQ(cuStreamCreate(&other, StreamNonBlocking), Success);
  EventHandle e = nullptr;
  ASSERT_EQ(cuEventCreate(&e, EventDefault), Success);
  Address a = words(1);
  for (int i = 0; i != 20; ++i) {
    ASSERT_EQ(run(kernel("red.global.add.u32 [%out], 1;"), 1, 32, {a}),
              Success);
    ASSERT_EQ(cuEventRecord(e, in), Success);
    ASSERT_EQ(cuStreamWaitEvent(other, e, 0), Success);
    ASSERT_EQ(cuMemsetD8Async(a, 0, 4, other), Success);
    ASSERT_EQ(cuEventRecord(e, other), Success);
    ASSERT_EQ(cuStreamWaitEvent(in, e, 0), Success);
    EXPECT_EQ(read(a, 1)[0], 0u);
  }
}

} // namespace
