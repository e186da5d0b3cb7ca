// The process's devices
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime's only global object. It is made by the first call that needs a
// device, lives until the process ends, and is torn down (workers stopped,
// trace written) by an exit handler registered when it is made, so a program
// that launches nothing pays nothing.

#ifndef XCC_SRC_DEVICES_CONTEXT_H
#define XCC_SRC_DEVICES_CONTEXT_H

#include "device.h"

namespace xcc::rt {
struct Recording;
}

/// What the C interface calls a stream.
struct xcc_stream {
  xcc::rt::Device *on;
  xcc::rt::Queue *work;
  /// While it is recorded as a graph (graphs/recording.h), else null.
  std::atomic<xcc::rt::Recording *> recording{nullptr};
};

namespace xcc::rt {

/// The device with that ordinal; -1 is the current one.
xcc_status findDevice(int ordinal, Device *&out);
xcc_status currentDevice(Device *&out);
/// All of them, by ordinal; for as long as the process lives.
xcc_status listDevices(std::span<Device *const> &out);
/// A stream's queue, or the current device's default queue for null. Fails while
/// the stream is recorded, in the name of \p call, which nothing can be part of
/// but what asks for \p recording: it is set then.
xcc_status queueOf(xcc_stream *stream, Device *&on, Queue *&out,
                   const char *call = nullptr);
xcc_status queueOf(xcc_stream *stream, Device *&on, Queue *&out,
                   Recording *&recording);

/// How many streams are being recorded. The next functions matter only if some are.
extern std::atomic<uint32_t> recordings;
/// Fails where the calling thread records a stream: what is put in the default
/// one would not be recorded, and a wait waits for none of it.
[[gnu::cold]] xcc_status checkDefaultStream();
[[gnu::cold]] xcc_status checkNotRecording(const char *call);
[[gnu::cold]] xcc_status refuseRecorded(xcc_stream &stream, const char *call);
inline xcc_status mayDoNow(const char *call) {
  return recordings.load(std::memory_order_relaxed) ? checkNotRecording(call)
                                                    : XCC_SUCCESS;
}

/// Reports the failure a queue or device has pending, if any.
[[nodiscard]] inline xcc_status report(xcc_error *pending) {
  return pending ? failWith(pending) : XCC_SUCCESS;
}

/// For a wait for the whole device, which has ended: its failure or that of a
/// stream that is no more. Null when there is none.
xcc_error *hearErrors(Device &d);
/// The same for a copy that waits.
xcc_error *takeOwnErrors(Device &d);

/// True once a device was used: before that there is nothing to wait for.
bool started();

/// Is this the child of a process that had used its devices? It has none of
/// the runtime's threads, and other threads' locks may be held for good.
bool forked();

/// Does the process exit while a kernel still runs? Nothing waits for it, and
/// nothing that it may use is given back.
bool leftBehind();
/// main returns with that status: its objects are destroyed now.
void mainReturns(int status);
/// Called before the main thread waits for a whole device, or for one queue. After
/// main's end it waits here, for at most XCC_EXIT_WAIT without progress: then a
/// message names the work that does not end, and the process exits.
void endOrExit(Device &d, Queue *only = nullptr);
/// The last of the runtime's code runs: gives back what it has, unless the
/// process exits.
void discardAtUnload();

} // namespace xcc::rt
#endif // XCC_SRC_DEVICES_CONTEXT_H
