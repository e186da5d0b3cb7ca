// One launch as a folder: XCC_RECORD=DIRECTORY[:KERNEL[:NUMBER]]
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder has all that the launch could reach, so that xcc-replay can run it
// again elsewhere (launch_files.h, docs/internals/replay.md). Only the user may
// read it: it holds what the program had in its memory.

#ifndef XCC_SRC_RECORDS_LAUNCH_RECORDER_H
#define XCC_SRC_RECORDS_LAUNCH_RECORDER_H

#include "devices/device.h"

namespace xcc::rt::records {

/// Does XCC_RECORD ask for a launch? The process's setting: it does not change.
bool asked();

/// Reads XCC_RECORD, and lets Device::launch call launchRecorded(). Fails if it is
/// not what it has to be.
xcc_status start();

/// Memory of a device that the table of allocations does not have.
void note(const Device &on, const void *memory, size_t bytes);
void forget(const void *memory);

/// At the process's end: tells if there was no such launch.
void finish();

} // namespace xcc::rt::records
#endif // XCC_SRC_RECORDS_LAUNCH_RECORDER_H
