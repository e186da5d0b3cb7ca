// Services that a program denies device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Denial is decided here, from the request, before a service sees it. An open
// file or descriptor was allowed when it was opened.

#include "services_impl.h"

#include <cerrno>
#include <fcntl.h>

using namespace xcc::services;

/// The permissions that a file requires; files other than the standard ones
/// require none.
static uint32_t ofFile(uint64_t handle) {
  return handle == FileIn                           ? XCC_SERVICES_INPUT
         : handle == FileOut || handle == FileError ? XCC_SERVICES_OUTPUT
                                                    : 0;
}

static uint32_t ofMode(std::string_view mode) {
  // Only "r", with 'b' or 'e', is read-only.
  return mode.starts_with('r') && mode.find('+') == mode.npos
             ? XCC_SERVICES_READ_FILES
             : XCC_SERVICES_WRITE_FILES;
}

static uint32_t ofDescriptor(uint64_t descriptor, uint32_t otherwise) {
  return descriptor == 0                      ? XCC_SERVICES_INPUT
         : descriptor == 1 || descriptor == 2 ? XCC_SERVICES_OUTPUT
                                              : otherwise;
}

static uint32_t ofSystemFile(const Lane &l) {
  switch (l.head.a) {
  case CallOpen:
    return (l.head.b & O_ACCMODE) == O_RDONLY &&
                   !(l.head.b & (O_CREAT | O_TRUNC))
               ? XCC_SERVICES_READ_FILES
               : XCC_SERVICES_WRITE_FILES;
  case CallRead:
    return ofDescriptor(l.head.b, XCC_SERVICES_READ_FILES);
  case CallWrite:
    return ofDescriptor(l.head.b, XCC_SERVICES_WRITE_FILES);
  case CallSeek:
    return ofDescriptor(l.head.b >> 32, XCC_SERVICES_READ_FILES);
  case CallFileOf:
    return ofDescriptor(l.head.b, ofMode(l.rest.rest()));
  case CallAccess:
  case CallCurrentDirectory:
  case CallStatus:
  case CallLinkStatus:
  case CallDescriptorStatus:
    return XCC_SERVICES_READ_FILES;
  case CallClose:
  case CallUnlink:
  case CallMakeDirectory:
  case CallRemoveDirectory:
  case CallDuplicate:
  case CallDuplicateTo:
  case CallTruncate:
    return XCC_SERVICES_WRITE_FILES;
  case CallChangeDirectory:
    return XCC_SERVICES_PROCESS;
  default:
    return 0;
  }
}

// Without a default, so that the compiler names a service that is missing here.
#pragma GCC diagnostic push
#pragma GCC diagnostic error "-Wswitch"
uint32_t xcc_services::needs(uint32_t opcode, const Lane &l) {
  switch (Service(opcode)) {
  case ServicePrint:
    if (l.head.c & PrintDescriptor)
      return l.head.a == 1 || l.head.a == 2 ? XCC_SERVICES_OUTPUT
                                            : XCC_SERVICES_WRITE_FILES;
    return ofFile(l.head.a);
  case ServiceWrite:
  case ServiceClose:
  case ServiceRead:
  case ServiceReadLine:
  case ServiceUnread:
  case ServiceSeek:
  case ServiceTell:
    return ofFile(l.head.a);
  case ServiceOpen: {
    // The mode follows the name.
    Reader rest = l.rest;
    std::string_view name;
    if (!rest.bytes(l.head.a, name))
      return 0; // the service refuses the request as invalid
    return ofMode(rest.rest());
  }
  case ServiceReopen: {
    Reader rest = l.rest;
    std::string_view name;
    if (!rest.bytes(l.head.b, name))
      return 0;
    return ofFile(l.head.a) | ofMode(rest.rest());
  }
  case ServiceScan:
    return l.head.c & ScanText ? 0 : ofFile(l.head.a);
  case ServiceSetBuffer:
    return ofFile(l.head.a);
  case ServiceTemporary:
    return XCC_SERVICES_WRITE_FILES;
  case ServiceSystemFile:
    return ofSystemFile(l);
  case ServiceRemove:
  case ServiceRename:
    return XCC_SERVICES_WRITE_FILES;
  case ServiceEnvironment:
  case ServiceHostName:
    return XCC_SERVICES_ENVIRONMENT;
  case ServiceExit:
  case ServiceSystem:
    return XCC_SERVICES_PROCESS;
  case ServiceHostCall:
    return XCC_SERVICES_HOST_CALLS;
  // Text, time, memory, and the state of files and streams.
  case ServiceFormat:
  case ServiceFlush:
  case ServiceFileState:
  case ServiceTime:
  case ServiceClock:
  case ServiceCalendar:
  case ServiceAllocate:
  case ServiceFree:
  case ServiceUsable:
    return 0;
  }
  return 0; // no service: the server answers with an error
}
#pragma GCC diagnostic pop

size_t xcc_services::rejectDenied(uint32_t opcode, std::vector<Lane> &all) {
  const uint32_t denied = options.denied ? options.denied(options.context) : 0;
  if (!denied) [[likely]]
    return all.size();
  std::vector<Lane> refused;
  std::erase_if(all, [&](const Lane &l) {
    const bool is = needs(opcode, l) & denied;
    if (is)
      refused.push_back(l);
    return is;
  });
  const size_t allowed = all.size();
  for (Lane &l : refused) {
    l.fail(opcode == ServiceEnvironment ? 0 : EPERM);
    if (opcode == ServiceHostCall)
      *l.out = "a call of a host function: the program denies device code its "
               "functions (xcc_services_deny)";
    all.push_back(l);
  }
  return allowed;
}
