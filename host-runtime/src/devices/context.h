// The process's devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's only global object. The first call that needs a device makes
// it, and it lives until the process ends. It registers an exit handler that
// stops workers and writes the trace. A program that launches nothing pays
// nothing.

#ifndef XCC_SRC_DEVICES_CONTEXT_H
#define XCC_SRC_DEVICES_CONTEXT_H

#include "device.h"

namespace xcc::rt {
struct Recording;
}

/// The object behind the C interface's stream.
struct xcc_stream {
  xcc::rt::Device *on;
  xcc::rt::Queue *work;
  /// The recording while the stream is recorded as a graph
  /// (graphs/recording.h), else null.
  std::atomic<xcc::rt::Recording *> recording{nullptr};
};

namespace xcc::rt {

/// The device with that ordinal; -1 is the current one.
xcc_status findDevice(int ordinal, Device *&out);
xcc_status currentDevice(Device *&out);
/// All devices, by ordinal, valid until the process ends.
xcc_status listDevices(std::span<Device *const> &out);
/// A stream's queue, or the current device's default queue for null. The first
/// form fails while the stream is recorded, with an error that names \p call.
/// The second form returns the recording instead.
xcc_status queueOf(xcc_stream *stream, Device *&on, Queue *&out,
                   const char *call = nullptr);
xcc_status queueOf(xcc_stream *stream, Device *&on, Queue *&out,
                   Recording *&recording);

/// How many streams are being recorded. The checks below matter only then.
extern std::atomic<uint32_t> recordings;
/// Fails if the calling thread records a stream: the default stream would not
/// be recorded, and a wait would not wait for the recorded work.
[[gnu::cold]] xcc_status checkDefaultStream();
[[gnu::cold]] xcc_status checkNotRecording(const char *call);
[[gnu::cold]] xcc_status rejectRecorded(xcc_stream &stream, const char *call);
inline xcc_status mayDoNow(const char *call) {
  return recordings.load(std::memory_order_relaxed) ? checkNotRecording(call)
                                                    : XCC_SUCCESS;
}

/// Reports the failure a queue or device has pending, if any.
[[nodiscard]] inline xcc_status report(xcc_error *pending) {
  return pending ? failWith(pending) : XCC_SUCCESS;
}

/// For a wait for the whole device, which has ended: its failure or that of a
/// destroyed stream. Null if there is none.
xcc_error *takeDeviceErrors(Device &d);
/// The same for a copy that waits.
xcc_error *takeOwnErrors(Device &d);

/// Has any device been used? If not, there is nothing to wait for.
bool started();

/// Is this the child of a process that had used its devices? The child has none
/// of the runtime's threads, and locks of other threads may be held forever.
bool forked();

/// Does the process exit while a kernel still runs? Nothing waits for the
/// kernel, and nothing that it may use is freed.
bool leftBehind();
/// Called when main returns \p status, before its objects are destroyed.
void mainReturns(int status);
/// Called before the main thread waits for a whole device, or for one queue.
/// After main's end this function waits, for at most XCC_EXIT_WAIT without
/// progress. Then a message names the work that does not end, and the process
/// exits.
void endOrExit(Device &d, Queue *only = nullptr);
/// Frees what the runtime holds when it is unloaded. Does nothing if the
/// process exits.
void discardAtUnload();

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_CONTEXT_H
