// Services and messages of any bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a device sends, a service reads nothing outside of the message and
// answers. Services that would change the machine are left out.

#include "rpc/services/services_impl.h"

#include <cstdlib>

using namespace xcc::services;

namespace {
constexpr Service Services[] = {
#define XCC_OPCODE(name, number, function) Service##name,
#include "rpc/opcodes.def"
};

/// What would change the machine or end the process.
bool isLeftOut(Service service) {
  switch (service) {
  case ServiceOpen:
  case ServiceReopen:
  case ServiceRemove:
  case ServiceRename:
  case ServiceTemporary:
  case ServiceSystemFile:
  case ServiceExit:
  case ServiceSystem:
    return true;
  default:
    return false;
  }
}

/// Touches all of its segments.
void touch(xcc_segment *s) {
  for (; !(s->direction & SegmentNull); ++s)
    for (uint64_t i = 0; i < s->size; i += 64)
      ++static_cast<char *>(s->data)[i];
}
const xcc_host_entry Entry = {1, touch, "touch"};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static xcc_services *host = [] {
    auto *s = new xcc_services;
    s->options.allocate = [](size_t n, size_t, void *) {
      return n < 65536 ? malloc(n) : nullptr;
    };
    s->options.free = [](void *p, void *) { free(p); };
    s->options.find_host_entry = [](uint64_t id, void *) {
      return id == 0 ? &Entry : nullptr;
    };
    return s;
  }();
  static uint64_t null = host->files.add(fopen("/dev/null", "r+"));
  if (size < 2)
    return 0;
  const Service op = Services[data[0] % std::size(Services)];
  if (isLeftOut(op))
    return 0;
  const size_t lanes = data[1] % 3 + 1;
  std::string_view rest(reinterpret_cast<const char *>(data) + 2, size - 2);
  // A copy for each lane, so that a byte too far is seen.
  std::vector<std::string> in(lanes), out(lanes);
  std::vector<Lane> all(lanes);
  for (size_t i = 0; i != lanes; ++i) {
    size_t share = rest.size() / (lanes - i);
    in[i] = rest.substr(0, share);
    in[i].shrink_to_fit();
    rest.remove_prefix(share);
    all[i].rest = Reader(in[i]);
    all[i].out = &out[i];
    if (!all[i].rest.read(all[i].head))
      return 0;
    // Not to the fuzzer's own files.
    if (op == ServicePrint)
      all[i].head.c &= ~uint64_t(PrintDescriptor);
    if (op != ServiceFormat && op != ServiceHostCall && op != ServiceTime)
      if (all[i].head.a <= FileError)
        all[i].head.a = null;
    // The entry stops at a null segment, so there has to be one.
    if (op == ServiceHostCall && all[i].head.a == 0) {
      std::string_view table = all[i].rest.rest();
      bool ends = false;
      for (uint64_t s = 0; s < all[i].head.b && (s + 1) * 16 <= table.size();
           ++s)
        ends |= table[s * 16 + 8] & SegmentNull;
      if (!ends)
        all[i].head.a = 1;
    }
  }
  (host->*xcc_services::find(op))(all);
  if (op == ServiceClose)
    null = host->files.add(fopen("/dev/null", "r+"));
  for (size_t i = 0; i != lanes; ++i)
    if (op == ServiceAllocate && !all[i].answer.error)
      // A block has a header in front of it.
      free(reinterpret_cast<void *>(
          host->memory.remove(uint64_t(all[i].answer.result))));
  return 0;
}
