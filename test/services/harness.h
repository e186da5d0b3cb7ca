// A device in the process that serves it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#ifndef XCC_TEST_SERVICES_HARNESS_H
#define XCC_TEST_SERVICES_HARNESS_H

#include "device.h"
#include "rpc/services/services.h"

#include <functional>
#include <gtest/gtest.h>
#include <memory>
#include <string>
#include <vector>

namespace xcc::test {

/// Why a simulated thread trapped.
struct Trapped {
  bool did = false;
  unsigned kind = 0, line = 0;
  std::string text, file;
};

/// Runs device code on this thread until it ends or traps.
Trapped onDevice(const std::function<void()> &code);

/// Runs it on each lane of a warp that mask names; in the binary without
/// simulated lanes, on one lane after the other.
void onWarp(uint64_t mask, const std::function<void(uint32_t lane)> &code);
bool hasWarps();

/// A server with the services, and an image that knows it.
class Services : public testing::Test {
protected:
  void SetUp() override { start({}); }
  void TearDown() override { stop(); }

  struct Setup {
    uint32_t ports = 8;
    uint64_t heapSize = 16 << 20;
    bool hostMemory = true;
  };
  void start(const Setup &s);
  void stop();

  /// A new file's name, and what is in a file.
  std::string temporary();
  static std::string contents(const std::string &name);

  xcc_rpc_server *server = nullptr;
  xcc_services *host = nullptr;
  void *heapMemory = nullptr;
  uint64_t heapSize = 0;

private:
  std::vector<char> local;
  std::vector<std::string> names;
};

/// Entries for host_call, by id.
extern std::vector<xcc_host_entry> hostEntries;
/// Blocks that the host has given out and not got back.
size_t hostBlocks();

} // namespace xcc::test
#endif // XCC_TEST_SERVICES_HARNESS_H
