// Opcodes of xcc's own services
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The opcodes are in the range 1 to 0x7fff, which is reserved for xcc.
// services/messages.h describes the messages. A released opcode keeps its
// meaning.

#ifndef XCC_RPC_OPCODES_H
#define XCC_RPC_OPCODES_H

#include <stdint.h>

namespace xcc::services {

enum Service : uint32_t {
  // Text
  ServicePrint = 0x10,  ///< printf to a file: a packed format and arguments
  ServiceFormat = 0x11, ///< snprintf: the reply is the text
  ServiceWrite = 0x12,  ///< bytes to a file
  ServiceScan = 0x13,   ///< scanf: the reply is the values

  // Files
  ServiceOpen = 0x20,
  ServiceClose = 0x21,
  ServiceRead = 0x22,
  ServiceReadLine = 0x23,
  ServiceUnread = 0x24,
  ServiceSeek = 0x25,
  ServiceTell = 0x26,
  ServiceFlush = 0x27,
  ServiceFileState = 0x28, ///< feof, ferror, clearerr
  ServiceRemove = 0x29,
  ServiceRename = 0x2a,
  ServiceReopen = 0x2b,     ///< freopen
  ServiceSetBuffer = 0x2c,  ///< setvbuf
  ServiceTemporary = 0x2d,  ///< tmpfile, tmpnam
  ServiceSystemFile = 0x2e, ///< POSIX calls on descriptors and paths

  // The process
  ServiceExit = 0x40,
  ServiceSystem = 0x41,
  ServiceEnvironment = 0x42, ///< getenv
  ServiceTime = 0x43,        ///< clock_gettime
  ServiceClock = 0x44,       ///< clock
  ServiceCalendar = 0x45,    ///< localtime, mktime, strftime
  ServiceHostName = 0x46,    ///< gethostname

  // The host's memory, when the device's heap is exhausted
  ServiceAllocate = 0x50,
  ServiceFree = 0x51,
  ServiceUsable = 0x52, ///< the size of such a block

  // Functions of the program
  ServiceHostCall = 0x60,
};

} // namespace xcc::services
#endif // XCC_RPC_OPCODES_H
