// Messages of the services
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every service is one round trip: each lane sends a request with send_n and
// receives a reply. Both begin with a few words; bytes follow.
//
//     request   | A | B | C | bytes ...        most fit into one packet
//     reply     | Result | Error | bytes ...   Error is an errno
//
//   service       A            B             C           bytes          reply's
//   Print         file         format size   PrintFlags  format, args
//   Format        most bytes   format size   PrintFlags  format, args   text
//   Write         file                                   bytes
//   Scan          file or 0    format size   ScanFlags   format, text   stores
//   Open          name size                              name, mode
//   Close, Tell   file
//   Read          file         most bytes                               bytes
//   ReadLine      file         most bytes                               bytes
//   Unread        file         byte
//   Seek          file         offset        whence
//   Flush         file or 0
//   FileState     file         FileQuery
//   Remove                                               name
//   Rename        name size                              name, new name
//   Reopen        file         name size     1: no name  name, mode
//   SetBuffer     file         mode          size
//   Temporary     0: a file, 1: a name                                  name
//   SystemFile    SystemFileCall  B             C           see there
//   Exit          status       ExitKind
//   System        0: no text                             text
//   Environment   EnvironmentCall                        name           value
//   Time          clock id                               (Result: seconds,
//                                                         B: ns)      8 bytes
//   Clock
//   Calendar      CalendarCall time                      Calendar,      Calendar,
//                                                        zone, 0,       zone or
//                                                        format         text
//   HostName                                                            name
//   Allocate      size         alignment                 (Result: address)
//   Free, Usable  address
//   HostCall      id           segments                  sizes and directions,
//                                                        input bytes    output
//                                                                       bytes
//                 id           segments      CallShares  address of the
//                                                        xcc_segments
//
// The arguments of a print, in the order of the format:
//
//     | word |                   a number, a character, an address
//     | word | word |            a long double of 16 bytes (PrintX87)
//     | size | bytes ...         text; NullText: a null pointer
//     | count | 4 bytes each     wide text
//
// The values that a scan stores, in the order of the format:
//
//     | ScanStore | bytes ...
//
// All lanes often have the same format. Then only the lowest lane of the call
// sends it, and the others set PrintSameFormat.

#ifndef XCC_SERVICES_MESSAGES_H
#define XCC_SERVICES_MESSAGES_H

#include <stdint.h>

namespace xcc::services {

struct Request {
  uint64_t a, b, c;
};
static_assert(sizeof(Request) == 24);

struct Reply {
  int64_t result;
  int64_t error;
};
static_assert(sizeof(Reply) == 16);

enum PrintFlags : uint64_t {
  PrintSameFormat = 1, ///< the lowest lane's format applies
  PrintX87 = 2,        ///< long double takes two words
  PrintDescriptor = 4, ///< A is a file descriptor
};
inline constexpr uint64_t NullText = ~uint64_t(0);

enum ScanFlags : uint64_t {
  ScanText = 1, ///< scan the text after the format, not a file
  ScanX87 = 2,  ///< long double takes 16 bytes, of which 10 are used
};
/// A value to store for scanf: the number of the pointer argument, from 0, and
/// the number of bytes that follow.
struct ScanStore {
  uint32_t argument;
  uint32_t allocate; ///< 1: allocate memory and store its address instead
  uint64_t size;
};
static_assert(sizeof(ScanStore) == 16);

/// struct tm of the GNU C library on 64-bit machines, without the zone's name,
/// which is a separate text in messages.
struct Calendar {
  int32_t second, minute, hour, day, month, year, weekday, yearday, daylight;
  int32_t unused;
  int64_t offset;
};
static_assert(sizeof(Calendar) == 48);
enum CalendarCall : uint64_t {
  CalendarLocal = 0,     ///< localtime
  CalendarGreenwich,     ///< gmtime
  CalendarMakeLocal,     ///< mktime
  CalendarMakeGreenwich, ///< timegm
  CalendarFormat,        ///< strftime
};

/// A of a SystemFile request. B and C are the numeric arguments of the POSIX
/// function, in its order. The bytes are the name, or the data to write.
enum SystemFileCall : uint64_t {
  CallOpen = 0,
  CallClose,
  CallRead, ///< at most MaxTransfer bytes, which are the reply's bytes
  CallWrite,
  CallSeek, ///< B: descriptor (upper half) and whence; C: offset
  CallAccess,
  CallUnlink,
  CallMakeDirectory,
  CallRemoveDirectory,
  CallChangeDirectory,
  CallCurrentDirectory, ///< the reply's bytes
  CallIsTerminal,
  CallProcess, ///< getpid
  CallDuplicate,
  CallDuplicateTo,
  CallDescriptorOf, ///< fileno: B is a file's handle
  CallFileOf,       ///< fdopen: the bytes are the mode; returns a handle
  CallStatus,       ///< stat: the reply's bytes are the host's struct stat
  CallLinkStatus,
  CallDescriptorStatus,
  CallTruncate, ///< ftruncate
};

/// Handles that exist from the start; Open returns others.
enum StandardFile : uint64_t { FileIn = 1, FileOut = 2, FileError = 3 };

enum FileQuery : uint64_t { QueryEnd = 0, QueryError = 1, QueryClear = 2 };

/// EnvironmentSecure: does the process have more rights than its user? 0 or 1.
enum EnvironmentCall : uint64_t { EnvironmentValue = 0, EnvironmentSecure = 1 };

enum ExitKind : uint64_t { ExitNormal = 0, ExitAtOnce = 1, ExitAbort = 2 };

/// The most bytes of one Read, ReadLine or Write; the device repeats the call.
inline constexpr uint64_t MaxTransfer = uint64_t(1) << 20;

/// One entry of a HostCall's table; direction is as in xcc_segment.
struct SegmentHeader {
  uint64_t size, direction;
};
static_assert(sizeof(SegmentHeader) == 16);
/// C of a HostCall: device and host share memory, and the entry gets the
/// caller's own segments.
enum HostCallFlags : uint64_t { CallShares = 1 };
enum SegmentDirection : uint64_t {
  SegmentIn = 1,
  SegmentOut = 2,
  SegmentNull = 4
};

/// Error numbers (Linux) that the device's side uses.
enum Errno : int {
  ErrDenied = 1,
  ErrNoEntry = 2,
  ErrIO = 5,
  ErrBadFile = 9,
  ErrNoMemory = 12,
  ErrInvalid = 22,
  ErrNoService = 38,
  ErrOverflow = 75,
};

} // namespace xcc::services
#endif // XCC_SERVICES_MESSAGES_H
