// Launches with mapped arguments
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/mapped_launch.h"
#include "devices/allocations.h"
#include "devices/unwritten_wait.h"
#include "graphs/recording.h"
#include "mapping/attach.h"
#include "mapping/busy.h"
#include "mapping/hidden.h"
#include "mapping/known.h"
#include "mapping/returned.h"
#include "mapping/settle.h"
#include "process/log.h"

#include <algorithm>
#include <cstring>
#include <new>
#include <optional>
#include <string_view>
#include <utility>

namespace xcc::rt {

[[gnu::cold]] static xcc_status outOfMemory(const xcc_mapping &m) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, m.site(),
              "%s: out of memory for mapping what it refers to",
              m.place.info ? m.place.info->name : "a mapping");
}

xcc_mapping *newLaunchMapping(Device &on, Queue &queue, const Kernel &kernel,
                              const xcc_launch_config &config,
                              const void *kernarg, size_t size) {
  xcc_mapping *m = xcc_mapping::make(on, queue);
  if (!m) {
    (void)fail(XCC_ERROR_OUT_OF_MEMORY,
               {kernel.info->name, config.file, config.line, on.ordinal()},
               "out of memory for a launch of '%s'", kernel.info->name);
    return nullptr;
  }
  m->kernel = &kernel;
  m->returned = objectsReturned();
  m->place = {kernel.info, config.file, config.line};
  m->config = config;
  m->kernarg = static_cast<const char *>(kernarg);
  m->kernargSize = size;
  return m;
}

/// A copy of the arguments, to be translated for the device.
namespace {
class Arguments {
public:
  Arguments(const void *kernarg, size_t size)
      : large(size > sizeof(small) ? new char[size] : nullptr) {
    if (size)
      memcpy(data(), kernarg, size);
  }
  char *data() { return large ? large.get() : small; }

private:
  std::unique_ptr<char[]> large;
  alignas(64) char small[512];
};
} // namespace

namespace {
/// Shares ownership of a mapping, which has the names of entries.
struct MappingOwner {
  MappingOwner() = default;
  MappingOwner(const MappingOwner &) = delete;
  ~MappingOwner() { xcc_mapping::release(mapping); }
  xcc_mapping *mapping = nullptr;
};
} // namespace

static xcc_status start(xcc_mapping &m, const char *kernarg) {
  return m.on.launch(m.queue, LaunchRequest::of(*m.kernel, m.config, kernarg));
}

/// Before a kernel that calls host functions: copies back what earlier kernels
/// of the stream wrote, because the functions may read it.
static xcc_status settleForHost(const Queue &queue, MappedMemory &memory) {
  auto isMine = [&](const Entry *e) {
    return !e->isHeld() &&
           std::any_of(e->uses.begin(), e->uses.end(),
                       [&](const Use &u) { return u.queue == &queue; });
  };
  auto &all = memory.inFlight;
  for (;;) {
    waitForBusy(memory);
    auto mine = std::find_if(all.begin(), all.end(), isMine);
    if (mine == all.end())
      return XCC_SUCCESS;
    XCC_TRY(settleEntry(memory, **mine));
  }
}

xcc_status expectHostCalls(Device &on, Queue &queue) {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  std::lock_guard lock(mappingMutex);
  if (memory)
    XCC_TRY(settleForHost(queue, *memory));
  queue.mayCallHost = true;
  return XCC_SUCCESS;
}

//===----------------------------------------------------------------------===//
// For graphs
//===----------------------------------------------------------------------===//

/// Translates an address among the arguments of a recorded launch. It must be
/// of device memory, because host memory is mapped for one launch only.
static xcc_status fixAddress(xcc_mapping &m, const NamedAddress &a,
                             uint64_t &value) {
  auto *pointer = reinterpret_cast<void *>(value);
  if (!value || a.kind & XCC_ADDRESS_NONE)
    return XCC_SUCCESS;
  FoundAllocation found;
  if (findAllocation(pointer, found) && isVisible(found, m.on)) {
    if (found.kind != MemoryKind::Host)
      return XCC_SUCCESS;
    void *seen;
    XCC_TRY(m.on.seenAt(reinterpret_cast<void *>(found.begin), seen));
    value = reinterpret_cast<uintptr_t>(seen) + (value - found.begin);
    return XCC_SUCCESS;
  }
  if (a.kind & XCC_ADDRESS_ROOM || m.isEmptyRange(value) ||
      m.on.reaches(pointer))
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_VALUE, m.site(),
              "%s cannot be part of a graph on device %d (%s): %s points to "
              "memory of the host, which is mapped for one launch; use an "
              "xcc::buffer",
              m.subject().c_str(), m.on.ordinal(), m.on.id(),
              m.nameAt(a.at, a.path).c_str());
}

static xcc_status recordMapped(xcc_mapping &m) {
  for (const NamedRange &r : m.ranges)
    return fail(XCC_ERROR_INVALID_VALUE, m.site(),
                "%s cannot be part of a graph on device %d (%s): %s is "
                "memory of the host, which is mapped for one launch; use an "
                "xcc::buffer",
                m.subject().c_str(), m.on.ordinal(), m.on.id(),
                m.nameOf(r.path).c_str());
  Arguments arguments(m.kernarg, m.kernargSize);
  for (const NamedAddress &a : m.addresses) {
    const uint64_t offset = a.at - reinterpret_cast<uintptr_t>(m.kernarg);
    if (offset >= m.kernargSize)
      continue;
    uint64_t value;
    memcpy(&value, m.kernarg + offset, sizeof(value));
    XCC_TRY(fixAddress(m, a, value));
    memcpy(arguments.data() + offset, &value, sizeof(value));
  }
  return m.recording->add(*m.kernel, m.config, arguments.data());
}

xcc_status launchMapped(xcc_mapping *&owned, bool *again) try {
  xcc_mapping &m = *owned;
  m.visit.end();
  if (m.outOfMemory)
    return outOfMemory(m);
  if (again && m.older) {
    *again = true;
    return XCC_SUCCESS;
  }
  XCC_TRY(m.checkRejected());
  if (m.recording) [[unlikely]]
    return recordMapped(m) == XCC_SUCCESS ? XCC_SUCCESS
                                          : m.recording->rejected();
  std::lock_guard lock(mappingMutex);
  MappedMemory *memory = mappedMemory(m.on);
  if (!memory)
    return outOfMemory(m);
  const bool calledHost = m.queue.mayCallHost;
  if (m.kernel->callsHost) {
    XCC_TRY(settleForHost(m.queue, *memory));
    m.queue.mayCallHost = true;
  }
  if (m.ranges.empty() && m.addresses.empty())
    return start(m, m.kernarg);
  Arguments arguments(m.kernarg, m.kernargSize);
  std::shared_ptr<MappingOwner> owner;
  Attachment a(m, *memory);
  XCC_TRY(a.make(arguments.data(), again));
  if (again && *again)
    return XCC_SUCCESS;
  if (!a.newEntries().empty())
    owner = std::make_shared<MappingOwner>();
  // Host functions that earlier kernels call may still change the memory.
  if (calledHost && !a.newEntries().empty())
    m.queue.drain();
  XCC_TRY(a.order());
  XCC_TRY(a.copyIn());
  if (m.on.hidesOriginals()) {
    m.queue.drain(); // wait for the copies to the device
    Hidden hidden(m);
    // From the start: a kernel may fail before this thread waits for it.
    std::optional<NamesReadable> names(std::in_place);
    XCC_TRY(start(m, arguments.data()));
    ImplicitWait waits(m.on, "its launch, with XCC_CPU_SEPARATE=1,");
    m.queue.drain();
    names.reset();
    XCC_TRY(hidden.restore());
  } else {
    XCC_TRY(start(m, arguments.data()));
  }
  if (owner) {
    owner->mapping = std::exchange(owned, nullptr);
    for (Entry *e : a.newEntries())
      e->block->origin = {owner, &m};
  }
  a.commit();
  return XCC_SUCCESS;
} catch (const std::bad_alloc &) {
  return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for mapping what a "
                                       "launch refers to");
}

bool launchKnown(Device &on, Queue &queue, const Kernel &kernel,
                 const xcc_launch_config &config, const void *kernarg,
                 size_t size, bool described, xcc_status &status) try {
  MappedMemory *memory = on.mapped.load(std::memory_order_acquire);
  if (!memory || logs(LogCategory::Map))
    return false;
  std::lock_guard lock(mappingMutex);
  const KnownLaunch *known = memory->known->find(
      *memory, kernel, described, static_cast<const char *>(kernarg));
  if (!known || isElsewhere(*memory, known->entries()))
    return false;
  Arguments arguments(kernarg, size);
  known->translate(arguments.data());
  status = known->order(on, queue);
  if (status == XCC_SUCCESS)
    status =
        on.launch(queue, LaunchRequest::of(kernel, config, arguments.data()));
  if (status == XCC_SUCCESS)
    known->use(*memory, queue, {kernel.info, config.file, config.line});
  return true;
} catch (const std::bad_alloc &) {
  status = fail(XCC_ERROR_OUT_OF_MEMORY,
                {kernel.info->name, config.file, config.line, on.ordinal()},
                "out of memory for a launch of '%s'", kernel.info->name);
  return true;
}

/// May the elements of a pointer be constants of the program? Judged by the
/// type as spelled in the source.
static uint32_t elementsOf(const char *type) {
  const std::string_view text = type ? type : "";
  constexpr std::string_view Const = "const ";
  const size_t star = text.find('*');
  if (!text.starts_with(Const) || star == text.npos ||
      text.find_first_of("*(", star + 1) != text.npos)
    return 0;
  std::string_view name = text.substr(Const.size(), star - Const.size());
  while (name.ends_with(' '))
    name.remove_suffix(1);
  if (name == "void")
    return 0;
  constexpr std::string_view Numbers[] = {
      "char",           "signed char", "unsigned char",      "short",
      "unsigned short", "int",         "unsigned int",       "long",
      "unsigned long",  "long long",   "unsigned long long", "float",
      "double"};
  return XCC_ADDRESS_CONSTANT |
         (std::ranges::count(Numbers, name) ? XCC_ADDRESS_NUMBERS : 0);
}

/// Names the addresses that the descriptor lists.
static void describe(xcc_mapping &m) {
  const xcc_kernel_info &info = *m.place.info;
  for (uint32_t i = 0; info.params && i != info.param_count; ++i) {
    const xcc_param_info &p = info.params[i];
    const char *at = m.kernarg + p.offset;
    switch (p.kind) {
    case XCC_PARAM_POINTER:
      m.addAddress(at, XCC_ADDRESS_POINTER | elementsOf(p.type));
      break;
    case XCC_PARAM_SPAN:
      m.addAddress(at, XCC_ADDRESS_POINTER);
      break;
    case XCC_PARAM_REFERENCE:
      m.addAddress(at, XCC_ADDRESS_REFERENCE);
      break;
    case XCC_PARAM_CLOSURE:
      for (uint32_t c = 0; info.captures && c != info.capture_count; ++c) {
        const xcc_capture_info &capture = info.captures[c];
        if (capture.by_reference || capture.kind == XCC_PARAM_REFERENCE)
          m.addAddress(at + capture.offset, XCC_ADDRESS_REFERENCE);
        else if (capture.kind == XCC_PARAM_POINTER)
          m.addAddress(at + capture.offset,
                       XCC_ADDRESS_POINTER | elementsOf(capture.type));
        else if (capture.kind == XCC_PARAM_SPAN)
          m.addAddress(at + capture.offset, XCC_ADDRESS_POINTER);
      }
      break;
    default:
      break;
    }
  }
}

xcc_status recordDescribed(Recording &recording, const Kernel &kernel,
                           const xcc_launch_config &config, const void *kernarg,
                           size_t size) {
  xcc_mapping *m =
      newLaunchMapping(*recording.stream.on, *recording.stream.work, kernel,
                       config, kernarg, size);
  if (!m)
    return XCC_ERROR_OUT_OF_MEMORY;
  m->recording = &recording;
  describe(*m);
  xcc_status status = launchMapped(m);
  xcc_mapping::release(m);
  return status;
}

xcc_status launchDescribed(Device &on, Queue &queue, const Kernel &kernel,
                           const xcc_launch_config &config, const void *kernarg,
                           size_t size) {
  xcc_status status;
  if (launchKnown(on, queue, kernel, config, kernarg, size, true, status))
    return status;
  xcc_mapping *m = newLaunchMapping(on, queue, kernel, config, kernarg, size);
  if (!m)
    return XCC_ERROR_OUT_OF_MEMORY;
  m->repeats = m->described = true;
  describe(*m);
  status = launchMapped(m);
  xcc_mapping::release(m);
  return status;
}

} // namespace xcc::rt
