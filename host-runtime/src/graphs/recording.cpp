// Recording a stream as a graph
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "graphs/recording.h"

#include <algorithm>
#include <new>
#include <set>
#include <string>

namespace xcc::rt {

std::atomic<uint32_t> recordings{0};
static std::mutex listMutex;
/// Never freed: threads may record until the process ends.
static std::vector<Recording *> &all() {
  static auto &list = *new std::vector<Recording *>;
  return list;
}

Recording::~Recording() { xcc_error_release(failure); }

/// Copies a launch's file name, which may lie in a library that is unloaded.
static const char *keepFile(const char *file) {
  if (!file)
    return nullptr;
  static std::mutex mutex;
  static auto &files = *new std::set<std::string, std::less<>>;
  std::lock_guard lock(mutex);
  return files.emplace(file).first->c_str();
}

xcc_status Recording::add(Step step) try {
  std::lock_guard lock(mutex);
  steps.push_back(std::move(step));
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for recording a graph");
}

xcc_status Recording::add(const Kernel &kernel, const xcc_launch_config &config,
                          const void *kernarg) try {
  Step s;
  s.function = &kernel;
  s.unit = kernel.info->binary;
  std::copy_n(config.grid, 3, s.grid);
  std::copy_n(config.block, 3, s.block);
  s.sharedBytes = static_cast<uint32_t>(config.shared_bytes);
  s.cooperative = config.flags & XCC_LAUNCH_COOPERATIVE;
  s.loop = config.flags & XCC_LAUNCH_LOOP;
  s.file = keepFile(config.file);
  s.line = config.line;
  auto *bytes = static_cast<const char *>(kernarg);
  s.bytes.assign(bytes, bytes + kernel.kernargSize);
  return add(std::move(s));
} catch (const std::bad_alloc &) {
  return fail(
      XCC_ERROR_OUT_OF_MEMORY,
      {kernel.info->name, config.file, config.line, stream.on->ordinal()},
      "out of memory for recording a launch of '%s'", kernel.info->name);
}

xcc_status Recording::rejected() {
  std::lock_guard lock(mutex);
  xcc_error *why = xcc_error_capture();
  if (!failure)
    failure = xcc_error_retain(why);
  return why ? failWith(why) : XCC_ERROR_OUT_OF_MEMORY;
}

xcc_status beginRecording(xcc_stream &stream) try {
  std::lock_guard lock(listMutex);
  if (stream.recording.load())
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_graph_begin: the stream is being recorded already");
  all().reserve(all().size() + 1);
  auto *fresh = new Recording(stream, threadNumber());
  all().push_back(fresh);
  recordings.fetch_add(1);
  stream.recording.store(fresh, std::memory_order_release);
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for recording a graph");
}

/// Ends a recording. The caller holds the lock.
static std::unique_ptr<Recording> take(xcc_stream &stream) {
  Recording *r = stream.recording.exchange(nullptr);
  if (r) {
    std::erase(all(), r);
    recordings.fetch_sub(1);
  }
  return std::unique_ptr<Recording>(r);
}

xcc_status endRecording(xcc_stream &stream, std::unique_ptr<Recording> &out) {
  std::lock_guard lock(listMutex);
  Recording *r = stream.recording.load();
  if (!r)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_graph_end: the stream is not being recorded; "
                "xcc_graph_begin begins");
  if (r->thread != threadNumber())
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_graph_end: another thread began the recording of the "
                "stream, and must end it");
  out = take(stream);
  return XCC_SUCCESS;
}

void dropRecording(xcc_stream &stream) {
  if (!stream.recording.load(std::memory_order_acquire)) [[likely]]
    return;
  std::lock_guard lock(listMutex);
  take(stream);
}

/// Does the calling thread record a stream?
static bool threadRecords() {
  std::lock_guard lock(listMutex);
  return std::any_of(all().begin(), all().end(), [](const Recording *r) {
    return r->thread == threadNumber();
  });
}

xcc_status checkDefaultStream() {
  if (!threadRecords())
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_VALUE,
              "this thread records a graph, and work in the default stream "
              "would not be part of it: name the recorded stream, as in "
              "xcc::launch({{blocks}, {threads}, 0, stream}, ...)");
}

xcc_status checkNotRecording(const char *call) {
  if (!threadRecords())
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_VALUE,
              "%s cannot be part of the graph that this thread records: do it "
              "before the recording begins, or after its end",
              call);
}

xcc_status rejectRecorded(xcc_stream &stream, const char *call) {
  (void)fail(XCC_ERROR_INVALID_VALUE,
             {nullptr, nullptr, 0, stream.on->ordinal()},
             "%s: the stream is being recorded as a graph, which takes "
             "launches, copies and fills; do this before the recording begins, "
             "or after its end",
             call ? call : "a call in a stream");
  Recording *r = stream.recording.load(std::memory_order_acquire);
  return r ? r->rejected() : XCC_ERROR_INVALID_VALUE;
}

} // namespace xcc::rt
