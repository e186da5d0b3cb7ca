// What a program keeps device code from
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Denied is decided here, before a service sees a request, by what the request
// says. What is open was allowed when it was opened.

#include "services_impl.h"

#include <cerrno>

using namespace xcc::services;

/// What the standard files need; others nothing.
static uint32_t ofFile(uint64_t Handle) {
  return Handle == FileIn                           ? XCC_SERVICES_INPUT
         : Handle == FileOut || Handle == FileError ? XCC_SERVICES_OUTPUT
                                                    : 0;
}

uint32_t xcc_services::needs(uint32_t Opcode, const Lane &L) {
  switch (Opcode) {
  case ServicePrint:
    if (L.Head.C & PrintDescriptor)
      return L.Head.A == 1 || L.Head.A == 2 ? XCC_SERVICES_OUTPUT
                                            : XCC_SERVICES_WRITE_FILES;
    return ofFile(L.Head.A);
  case ServiceWrite:
  case ServiceClose:
  case ServiceRead:
  case ServiceReadLine:
  case ServiceUnread:
  case ServiceSeek:
  case ServiceTell:
    return ofFile(L.Head.A);
  case ServiceOpen: {
    // The mode follows the name. "r" alone, with 'b' or 'e', only reads.
    Reader Rest = L.Rest;
    std::string_view Name;
    if (!Rest.bytes(L.Head.A, Name))
      return 0; // refused for that
    std::string_view Mode = Rest.rest();
    return Mode.starts_with('r') && Mode.find('+') == Mode.npos
               ? XCC_SERVICES_READ_FILES
               : XCC_SERVICES_WRITE_FILES;
  }
  case ServiceRemove:
  case ServiceRename:
    return XCC_SERVICES_WRITE_FILES;
  case ServiceEnvironment:
    return XCC_SERVICES_ENVIRONMENT;
  case ServiceExit:
  case ServiceSystem:
    return XCC_SERVICES_PROCESS;
  case ServiceHostCall:
    return XCC_SERVICES_HOST_CALLS;
  default: // text, time, memory, and what a file or the streams are like
    return 0;
  }
}

size_t xcc_services::refuseDenied(uint32_t Opcode, std::vector<Lane> &All) {
  const uint32_t Denied = Options.denied ? Options.denied(Options.context) : 0;
  if (!Denied) [[likely]]
    return All.size();
  std::vector<Lane> Refused;
  std::erase_if(All, [&](const Lane &L) {
    const bool Is = needs(Opcode, L) & Denied;
    if (Is)
      Refused.push_back(L);
    return Is;
  });
  const size_t Allowed = All.size();
  for (Lane &L : Refused) {
    L.fail(Opcode == ServiceEnvironment ? 0 : EPERM);
    if (Opcode == ServiceHostCall)
      *L.Out = "a call of a host function: the program denies device code its "
               "functions (xcc_services_deny)";
    All.push_back(L);
  }
  return Allowed;
}
