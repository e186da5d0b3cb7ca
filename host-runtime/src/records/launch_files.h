// The folder of a recorded launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// XCC_RECORD writes the folder, xcc-replay reads it. launch.json describes the
// launch. For each other file it has the number of bytes and a hash (hashOf, 16
// hexadecimal digits). "before" holds the ranges of memory one after another,
// and "after" has the same order:
//
//     images      OffloadBinary objects: all images of the linked unit
//     arguments   the kernarg segment
//     before      memory before the launch
//     after       memory after it; absent if the launch failed

#ifndef XCC_SRC_RECORDS_LAUNCH_FILES_H
#define XCC_SRC_RECORDS_LAUNCH_FILES_H

namespace xcc::rt::records {

/// "format" in launch.json; changes if old readers cannot read it.
inline constexpr int Format = 1;

inline constexpr char Description[] = "launch.json";
inline constexpr char Images[] = "images";
inline constexpr char Arguments[] = "arguments";
inline constexpr char Before[] = "before";
inline constexpr char After[] = "after";

/// "outcome" in launch.json.
inline constexpr char Unknown[] = "unknown"; ///< the process ended early
inline constexpr char Ended[] = "ended";
inline constexpr char Failed[] = "failed";

/// "kind" of a range of memory: device memory, or host memory that the device
/// can access.
inline constexpr char OfDevice[] = "device";
inline constexpr char OfHost[] = "host";

} // namespace xcc::rt::records
#endif // XCC_SRC_RECORDS_LAUNCH_FILES_H
