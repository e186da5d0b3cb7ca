// Runs a few lines of assembly
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "lab.h"
#include "lanes.h"
#include "test/mock/hsa/state.h"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <gtest/gtest.h>
#include <sstream>
#include <unistd.h>

namespace amdgcn {

static std::string assemble(const std::string &processor, unsigned lanes,
                            const std::string &source) {
  std::string name =
      testing::TempDir() + "/snippet." + std::to_string(getpid());
  std::ofstream(name) << source;
  std::string command = XCC_TEST_LLVM_MC
                        " -triple=amdgcn-amd-amdhsa --show-encoding -mcpu=" +
                        processor +
                        (processor.starts_with("gfx1") && lanes == 64
                             ? " -mattr=+wavefrontsize64,-wavefrontsize32 "
                             : " ") +
                        name;
  FILE *pipe = popen(command.c_str(), "r");
  std::string bytes;
  for (char line[1000]; fgets(line, sizeof(line), pipe);) {
    char *at = strstr(line, "encoding: [");
    if (!at)
      continue;
    for (at += 11; *at != ']' && *at; ++at)
      if (at[0] == '0' && at[1] == 'x')
        bytes += char(strtoul(at, &at, 16)), --at;
  }
  EXPECT_EQ(pclose(pipe), 0) << source;
  unlink(name.c_str());
  return bytes;
}

bool Lab::run(const std::string &snippet) {
  Lab plain = *this;
  if (!runOnce(snippet))
    return false;
  const bool had = std::exchange(wide, false);
  const bool good = plain.runOnce(snippet);
  wide = had;
  if (good && plain.words == words)
    return true;
  report = "without vectors the result is another one";
  return false;
}

bool Lab::runOnce(const std::string &snippet) {
  bool old = processor.starts_with("gfx9") || processor.starts_with("gfx10");
  std::string store = old ? "global_store_dword" : "global_store_b32";
  std::string load = old ? "global_load_dword" : "global_load_b32";
  std::string loadScalar = old ? "s_load_dwordx2" : "s_load_b64";
  // Branches need labels to be resolved, which an encoding does not show:
  // snippets count words.
  std::string source =
      loadScalar + " s[2:3], s[0:1], 0x0\n" + "v_and_b32 v0, 0x3ff, v0\n" +
      "v_lshlrev_b32 v1, 2, v0\n" + load + " v2, v1, s[2:3]\n" + snippet +
      "\n" + store + " v1, v2, s[2:3]\ns_endpgm\n";
  std::string code = assemble(processor, lanes, source);
  KernelDescriptor k{};
  k.entryOffset = sizeof(k);
  k.rsrc1 = 15 | 0xf0 << 12; // registers; denormals as in C++
  k.rsrc2 = 2 << 1 | 1 << 7; // two user registers, the workgroup's id
  k.rsrc3 = 7;
  k.properties = 1 << 3 | (lanes == 32) << 10;
  k.kernargSize = 8;
  constexpr uint64_t agent = 100;
  mock::State &s = mock::state();
  void *argument = words.data();
  {
    std::lock_guard lock(s.mutex);
    s.memory[reinterpret_cast<uintptr_t>(words.data())] = {
        words.size() * 4, agent * 10, {agent}};
    s.memory[reinterpret_cast<uintptr_t>(&argument)] = {8, 10, {agent}};
    ++s.memoryVersion;
  }
  Architecture arch = Architecture::of(processor);
  xcc::rt::aql::DispatchPacket p{};
  p.gridSize[0] = groups * threads;
  p.workgroupSize[0] = uint16_t(threads);
  p.gridSize[1] = p.gridSize[2] = p.workgroupSize[1] = p.workgroupSize[2] = 1;
  p.groupSegmentSize = ldsBytes;
  p.privateSegmentSize = scratchBytes;
  p.kernargAddress = &argument;
  std::unique_ptr<Program> loaded(Program::ofCode(k, code, arch, agent));
  bool good = true;
  {
    Dispatch d(*loaded, loaded->address(0), "snippet", p, agent, &p, sizeof(p),
               set);
    std::atomic<bool> never = false;
    try {
      d.run(never);
    } catch (const Stop &why) {
      report = d.report(why);
      good = false;
    }
    notes = d.notes;
  }
  std::lock_guard lock(s.mutex);
  s.memory.erase(reinterpret_cast<uintptr_t>(words.data()));
  s.memory.erase(reinterpret_cast<uintptr_t>(&argument));
  ++s.memoryVersion;
  return good;
}

} // namespace amdgcn
