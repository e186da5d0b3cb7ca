// Runs a few lines of assembly
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lab.h"
#include "test/mock/hsa/state.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace amdgcn {

static std::string assemble(const std::string &Processor, unsigned Lanes,
                            const std::string &Source) {
  std::string Name =
      testing::TempDir() + "/snippet." + std::to_string(getpid());
  std::ofstream(Name) << Source;
  std::string Command = XCC_TEST_LLVM_MC
                        " -triple=amdgcn-amd-amdhsa --show-encoding -mcpu=" +
                        Processor +
                        (Processor.starts_with("gfx1") && Lanes == 64
                             ? " -mattr=+wavefrontsize64,-wavefrontsize32 "
                             : " ") +
                        Name;
  FILE *Pipe = popen(Command.c_str(), "r");
  std::string Bytes;
  for (char Line[1000]; fgets(Line, sizeof(Line), Pipe);) {
    char *At = strstr(Line, "encoding: [");
    if (!At)
      continue;
    for (At += 11; *At != ']' && *At; ++At)
      if (At[0] == '0' && At[1] == 'x')
        Bytes += char(strtoul(At, &At, 16)), --At;
  }
  EXPECT_EQ(pclose(Pipe), 0) << Source;
  unlink(Name.c_str());
  return Bytes;
}

bool Lab::run(const std::string &Snippet) {
  bool Old = Processor.starts_with("gfx9") || Processor.starts_with("gfx10");
  std::string Store = Old ? "global_store_dword" : "global_store_b32";
  std::string Load = Old ? "global_load_dword" : "global_load_b32";
  std::string LoadScalar = Old ? "s_load_dwordx2" : "s_load_b64";
  // Branches need labels to be resolved, which an encoding does not show:
  // snippets count words.
  std::string Source =
      LoadScalar + " s[2:3], s[0:1], 0x0\n" + "v_and_b32 v0, 0x3ff, v0\n" +
      "v_lshlrev_b32 v1, 2, v0\n" + Load + " v2, v1, s[2:3]\n" + Snippet +
      "\n" + Store + " v1, v2, s[2:3]\ns_endpgm\n";
  std::string Code = assemble(Processor, Lanes, Source);
  KernelDescriptor K{};
  K.EntryOffset = sizeof(K);
  K.Rsrc1 = 15 | 0xf0 << 12; // registers; denormals as in C++
  K.Rsrc2 = 2 << 1 | 1 << 7; // two user registers, the workgroup's id
  K.Rsrc3 = 7;
  K.Properties = 1 << 3 | (Lanes == 32) << 10;
  K.KernargSize = 8;
  constexpr uint64_t Agent = 100;
  mock::State &S = mock::state();
  void *Argument = Words.data();
  {
    std::lock_guard Lock(S.mutex);
    S.memory[reinterpret_cast<uintptr_t>(Words.data())] = {
        Words.size() * 4, Agent * 10, {Agent}};
    S.memory[reinterpret_cast<uintptr_t>(&Argument)] = {8, 10, {Agent}};
    ++S.memoryVersion;
  }
  Architecture Arch = Architecture::of(Processor);
  xcc::rt::aql::DispatchPacket P{};
  P.gridSize[0] = Groups * Threads;
  P.workgroupSize[0] = uint16_t(Threads);
  P.gridSize[1] = P.gridSize[2] = P.workgroupSize[1] = P.workgroupSize[2] = 1;
  P.groupSegmentSize = LdsBytes;
  P.privateSegmentSize = ScratchBytes;
  P.kernargAddress = &Argument;
  std::unique_ptr<Program> Loaded(Program::ofCode(K, Code, Arch, Agent));
  bool Good = true;
  {
    Dispatch D(*Loaded, *static_cast<KernelDescriptor *>(Loaded->address(0)),
               "snippet", P, Agent, &P, sizeof(P), Set);
    std::atomic<bool> Never = false;
    try {
      D.run(Never);
    } catch (const Stop &Why) {
      Report = D.report(Why);
      Good = false;
    }
    Notes = D.Notes;
  }
  std::lock_guard Lock(S.mutex);
  S.memory.erase(reinterpret_cast<uintptr_t>(Words.data()));
  S.memory.erase(reinterpret_cast<uintptr_t>(&Argument));
  ++S.memoryVersion;
  return Good;
}

} // namespace amdgcn
