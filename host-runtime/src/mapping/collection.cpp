// The memory to which a launch refers, as the caller names it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "mapping/collection.h"
#include "devices/allocations.h"
#include "errors/sentence.h"
#include "mapping/elsewhere.h"
#include "mapping/grown.h"
#include "mapping/returned.h"
#include "process/thread_state.h"

#include <algorithm>
#include <new>

namespace xcc::rt {

uint32_t Paths::add(uint32_t parent, const char *name, uint64_t index) {
  nodes.push_back({name, index, parent});
  return uint32_t(nodes.size() - 1);
}

/// Adds a parameter's name from the descriptor. Adds nothing for a closure,
/// because its captures have names.
static void addParameter(Sentence &to, const xcc_kernel_info *info,
                         uint64_t index) {
  const xcc_param_info *p = info && info->params && index < info->param_count
                                ? &info->params[index]
                                : nullptr;
  if (p && p->kind == XCC_PARAM_CLOSURE)
    return;
  if (p && *p->name)
    to.add("%s", p->name);
  else
    to.add("parameter %llu", static_cast<unsigned long long>(index + 1));
}

static std::string parameterName(const xcc_kernel_info *info, uint64_t index) {
  SentenceOf<512> name;
  addParameter(name, info, index);
  return name.text();
}

/// Is it the kernel inside parallel_for?
static bool isParallelFor(const xcc_kernel_info *info) {
  return info && info->name &&
         std::string_view(info->name).starts_with("xcc::parallel_for<");
}

bool Paths::write(Sentence &to, uint32_t node,
                  const xcc_kernel_info *info) const {
  // If the path is deeper, only its inner part is written.
  constexpr size_t Most = 256;
  uint32_t path[Most];
  size_t depth = 0;
  for (; node != Root && depth != Most; node = nodes[node].parent)
    path[depth++] = node;
  const char *begin = to.end();
  for (size_t i = depth; i--;) {
    const Node &n = nodes[path[i]];
    const bool empty = to.end() == begin;
    const auto index = static_cast<unsigned long long>(n.index);
    if (n.name) {
      // Skip the user's closure inside parallel_for's: the user wrote no name.
      if (!*n.name || (empty && i && isParallelFor(info) && i + 2 == depth))
        continue;
      to.add("%s%s", empty ? "" : ".", n.name);
    } else if (n.parent != Root) {
      to.add("[%llu]", index);
    } else if (info) {
      addParameter(to, info, n.index);
    } else {
      to.add("object %llu", index + 1);
    }
  }
  return to.end() != begin;
}

std::string Paths::text(uint32_t node, const xcc_kernel_info *info) const {
  SentenceOf<3072> out;
  write(out, node, info);
  return out.text();
}

std::string subjectOf(const MappingPlace &place) {
  std::string where;
  if (place.file)
    where =
        std::string(" (") + place.file + ":" + std::to_string(place.line) + ")";
  return (place.info ? std::string("launch of '") + place.info->name + "'"
                     : "mapping") +
         where;
}

} // namespace xcc::rt

using namespace xcc::rt;

/// Lists with a larger capacity are freed.
static constexpr size_t MostKept = 10'000;

void MappingLists::clear() {
  ranges.clear();
  addresses.clear();
  asked.clear();
  paths.clear();
  entered.clear();
  begins.clear();
  rangeOf.clear();
  empty.clear();
  emptySorted = true;
}

size_t MappingLists::capacity() const {
  return ranges.capacity() + addresses.capacity() + asked.capacity() +
         paths.capacity() + entered.capacity() + begins.capacity() +
         empty.capacity();
}

xcc_mapping *xcc_mapping::make(Device &on, Queue &queue) try {
  if (xcc_mapping *m = std::exchange(threadState().mapping, nullptr)) {
    MappingLists lists = std::move(*m);
    m->~xcc_mapping();
    return new (m) xcc_mapping(on, queue, std::move(lists));
  }
  return new xcc_mapping(on, queue, {});
} catch (const std::bad_alloc &) {
  return nullptr;
}

void xcc_mapping::release(xcc_mapping *m) {
  if (!m)
    return;
  m->visit.end();
  ThreadState &thread = threadState();
  if (thread.mapping || m->capacity() > MostKept) {
    delete m;
    return;
  }
  m->clear();
  thread.mapping = m;
}

uint32_t xcc_mapping::here() {
  if (!entered.empty() && entered.back().node != ~0u)
    return entered.back().node;
  uint32_t node = Paths::Root;
  for (Entered &l : entered) {
    if (l.node == ~0u)
      l.node = paths.add(node, l.name, l.index);
    node = l.node;
  }
  return node;
}

void xcc_mapping::enter(const char *name, uint64_t index) {
  try {
    entered.push_back({name, index, ~0u});
  } catch (const std::bad_alloc &) {
    outOfMemory = true;
  }
}

void xcc_mapping::leave() {
  if (!entered.empty() && !outOfMemory)
    entered.pop_back();
}

void xcc_mapping::reject(const char *why) {
  try {
    if (rejection.empty())
      rejection = nameOf(here()) + " " + why;
  } catch (const std::bad_alloc &) {
    outOfMemory = true;
  }
}

/// Can kernels of the device access the memory in place? \p other is set to the
/// memory's device if it is of another kind, so that it cannot be mapped.
static bool isReached(Device &on, const void *begin, Device *&other,
                      bool &unknown) {
  other = nullptr;
  unknown = false;
  FoundAllocation a;
  if (!findAllocation(begin, a) ||
      reinterpret_cast<uintptr_t>(begin) == a.begin + a.size)
    return on.reaches(begin) ? (unknown = true) : false;
  if (isVisible(a, on))
    return true;
  if (!isLocked(a.kind) && !a.on->kind().host)
    other = a.on;
  return false;
}

/// Copies an object back, because the visitor looks at it next.
void xcc_mapping::settleObject(uintptr_t first, uint64_t allocated) {
  visit.end(); // a device that hides originals has the lock
  xcc_status status = bringHomeForVisit(on, first, allocated, !kernel);
  visit.resume(on);
  if (settled == XCC_SUCCESS)
    settled = status;
  // Objects named from now on are up to date; check those named before.
  if (kernel && returned != objectsReturned()) {
    std::lock_guard lock(mappingMutex);
    older = hasOutdatedObjects(*this);
    returned = objectsReturned();
  }
}

void xcc_mapping::restart() {
  clear();
  rejection.clear();
  older = false;
  returned = objectsReturned();
  visit.resume(on);
}

bool xcc_mapping::addRange(const void *begin, uint64_t bytes,
                           uint64_t allocated, uint32_t flags,
                           xcc_mapping_visitor *visitor) {
  allocated = std::max(bytes, allocated);
  if (grown)
    return grown->range(begin, bytes, allocated, flags);
  if (!begin || outOfMemory || !rejection.empty())
    return false;
  auto first = reinterpret_cast<uintptr_t>(begin);
  if (!allocated) {
    addEmpty(first);
    return false;
  }
  if (allocated > UINTPTR_MAX - first) {
    reject("reaches past the end of the address space");
    return false;
  }
  if (!(flags & (XCC_MAP_IN | XCC_MAP_OUT | XCC_MAP_KEEP)))
    flags |= XCC_MAP_IN | XCC_MAP_OUT;
  try {
    auto [number, added] = begins.add(first);
    if (added) {
      rangeOf.push_back(~0u);
      Device *other;
      bool unknown;
      if (isReached(on, begin, other, unknown) || other) {
        repeats &= !unknown;
        if (FoundAllocation a; findAllocation(begin, a) &&
                               a.kind == MemoryKind::Registered &&
                               allocated > a.begin + a.size - first)
          reject("is registered in part; register all of it, or none");
        if (other)
          reject((std::string("is memory of another kind of device, ") +
                  other->id())
                     .c_str());
        return false;
      }
      if (objectsChange.load(std::memory_order_acquire)) [[unlikely]]
        settleObject(first, allocated);
      ranges.push_back({first, bytes, allocated, flags, here(), visitor,
                        flags & XCC_MAP_FOREIGN ? allocator : nullptr});
      rangeOf[number] = uint32_t(ranges.size() - 1);
      return true;
    }
    if (rangeOf[number] == ~0u)
      return false;
    NamedRange &r = ranges[rangeOf[number]];
    constexpr uint32_t bit = XCC_MAP_SINGLE;
    bool more = bytes > r.bytes || allocated > r.allocated ||
                (flags & ~r.flags & ~(bit | XCC_MAP_NAMED));
    // XCC_MAP_SINGLE comes from the longer of the two ranges.
    uint32_t single = bit & (allocated == r.allocated  ? flags & r.flags
                             : allocated > r.allocated ? flags
                                                       : r.flags);
    if (!r.visitor || (visitor && bytes > r.bytes))
      r.visitor = visitor;
    r.bytes = std::max(r.bytes, bytes);
    r.allocated = std::max(r.allocated, allocated);
    r.flags = ((r.flags | flags) & ~bit) | single;
    return more;
  } catch (const std::bad_alloc &) {
    outOfMemory = true;
    return false;
  }
}

void xcc_mapping::addEmpty(uintptr_t at) {
  try {
    emptySorted = empty.empty() || (emptySorted && empty.back() <= at);
    empty.push_back(at);
  } catch (const std::bad_alloc &) {
    outOfMemory = true;
  }
}

bool xcc_mapping::isEmptyRange(uintptr_t at) {
  if (!emptySorted)
    std::sort(empty.begin(), empty.end());
  emptySorted = true;
  return std::binary_search(empty.begin(), empty.end(), at);
}

void xcc_mapping::addAddress(const void *location, uint32_t kind) {
  if (outOfMemory)
    return;
  if (grown)
    return grown->address(location, kind);
  try {
    addresses.push_back({reinterpret_cast<uintptr_t>(location), kind, here()});
  } catch (const std::bad_alloc &) {
    outOfMemory = true;
  }
}

void xcc_mapping::ask(const void *object, uint64_t bytes) {
  if (!object || bytes > UINT32_MAX)
    repeats = false;
  if (!repeats)
    return;
  try {
    asked.push_back({reinterpret_cast<uintptr_t>(object), uint32_t(bytes),
                     uint32_t(addresses.size())});
  } catch (const std::bad_alloc &) {
    outOfMemory = true;
  }
}

xcc_status xcc_mapping::checkRejected() const {
  if (settled != XCC_SUCCESS)
    return settled;
  if (rejection.empty())
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_VALUE, site(), "%s on device %d (%s): %s",
              subject().c_str(), on.ordinal(), on.id(), rejection.c_str());
}

std::string xcc_mapping::nameOf(uint32_t path) const {
  std::string text = paths.text(path, place.info);
  return text.empty() ? "an argument" : "'" + text + "'";
}

void xcc_mapping::writeName(Sentence &to, uint32_t path) const {
  to.add("'");
  if (!paths.write(to, path, place.info))
    to.add("an argument");
  to.add("'");
}

std::string xcc_mapping::nameAt(uintptr_t location, uint32_t path) const {
  std::string text = paths.text(path, place.info);
  if (!text.empty())
    return "'" + text + "'";
  // The path has no name, but the descriptor may list the argument.
  uint64_t offset = location - reinterpret_cast<uintptr_t>(kernarg);
  const xcc_kernel_info *info = place.info;
  if (info && offset < kernargSize)
    for (uint32_t i = 0; info->params && i != info->param_count; ++i) {
      const xcc_param_info &p = info->params[i];
      if (offset - p.offset >= p.size)
        continue;
      if (p.kind != XCC_PARAM_CLOSURE)
        return "'" + parameterName(info, i) + "'";
      for (uint32_t c = 0; info->captures && c != info->capture_count; ++c)
        if (offset - p.offset - info->captures[c].offset <
            info->captures[c].size)
          return std::string("'") + info->captures[c].name + "'";
    }
  return "an argument";
}

ErrorSite xcc_mapping::site() const {
  return {place.info ? place.info->name : nullptr, place.file, place.line,
          on.ordinal()};
}
