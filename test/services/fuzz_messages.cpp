// Services and messages of any bytes
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whatever a device sends, a service reads nothing outside of the message and
// answers. Left out are those that are meant to change the machine.

#include "rpc/services/services_impl.h"

#include <cstdlib>

using namespace xcc::services;

namespace {
constexpr Service Services[] = {
    ServicePrint,   ServiceFormat,    ServiceWrite,       ServiceClose,
    ServiceRead,    ServiceReadLine,  ServiceUnread,      ServiceSeek,
    ServiceTell,    ServiceFileState, ServiceEnvironment, ServiceTime,
    ServiceClock,   ServiceAllocate,  ServiceFree,        ServiceUsable,
    ServiceHostCall};

/// Touches all of its segments.
void touch(xcc_segment *S) {
  for (; !(S->direction & SegmentNull); ++S)
    for (uint64_t I = 0; I < S->size; I += 64)
      ++static_cast<char *>(S->data)[I];
}
const xcc_host_entry Entry = {1, touch, "touch"};
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  static xcc_services *Host = [] {
    auto *S = new xcc_services;
    S->Options.allocate = [](size_t N, size_t, void *) {
      return N < 65536 ? malloc(N) : nullptr;
    };
    S->Options.free = [](void *P, void *) { free(P); };
    S->Options.find_host_entry = [](uint64_t Id, void *) {
      return Id == 0 ? &Entry : nullptr;
    };
    return S;
  }();
  static uint64_t Null = Host->Files.add(fopen("/dev/null", "r+"));
  if (Size < 2)
    return 0;
  Service Op = Services[Data[0] % std::size(Services)];
  const size_t Lanes = Data[1] % 3 + 1;
  std::string_view Rest(reinterpret_cast<const char *>(Data) + 2, Size - 2);
  // A copy for each lane, so that a byte too far is seen.
  std::vector<std::string> In(Lanes), Out(Lanes);
  std::vector<Lane> All(Lanes);
  for (size_t I = 0; I != Lanes; ++I) {
    size_t Share = Rest.size() / (Lanes - I);
    In[I] = Rest.substr(0, Share);
    In[I].shrink_to_fit();
    Rest.remove_prefix(Share);
    All[I].Rest = Reader(In[I]);
    All[I].Out = &Out[I];
    if (!All[I].Rest.read(All[I].Head))
      return 0;
    // Not to the fuzzer's own files.
    if (Op == ServicePrint)
      All[I].Head.C &= ~uint64_t(PrintDescriptor);
    if (Op != ServiceFormat && Op != ServiceHostCall && Op != ServiceTime)
      if (All[I].Head.A <= FileError)
        All[I].Head.A = Null;
    // The entry stops at a null segment, so there has to be one.
    if (Op == ServiceHostCall && All[I].Head.A == 0) {
      std::string_view Table = All[I].Rest.rest();
      bool Ends = false;
      for (uint64_t S = 0; S < All[I].Head.B && (S + 1) * 16 <= Table.size();
           ++S)
        Ends |= Table[S * 16 + 8] & SegmentNull;
      if (!Ends)
        All[I].Head.A = 1;
    }
  }
  (Host->*xcc_services::find(Op))(All);
  if (Op == ServiceClose)
    Null = Host->Files.add(fopen("/dev/null", "r+"));
  for (size_t I = 0; I != Lanes; ++I)
    if (Op == ServiceAllocate && !All[I].Answer.Error) {
      Host->Memory.remove(uint64_t(All[I].Answer.Result));
      free(reinterpret_cast<void *>(All[I].Answer.Result));
    }
  return 0;
}
