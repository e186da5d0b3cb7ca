// Recording a launch: XCC_RECORD=DIRECTORY[:KERNEL[:NUMBER]]
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The folder has all memory that the launch could access, so that xcc-replay
// can run the launch again elsewhere (launch_files.h,
// docs/internals/replay.md). Only the user may read it, because it contains the
// program's memory.

#ifndef XCC_SRC_RECORDS_LAUNCH_RECORDER_H
#define XCC_SRC_RECORDS_LAUNCH_RECORDER_H

#include "devices/device.h"

namespace xcc::rt::records {

/// Is XCC_RECORD set? The answer does not change.
bool asked();

/// Reads XCC_RECORD, and makes Device::launch call launchRecorded(). Fails if
/// the value is invalid.
xcc_status start();

/// Adds or removes memory of a device that is not in the table of allocations.
void note(const Device &on, const void *memory, size_t bytes);
void forget(const void *memory);

/// At the end of the process: reports if no launch was recorded.
void finish();

} // namespace xcc::rt::records
#endif // XCC_SRC_RECORDS_LAUNCH_RECORDER_H
