// The mapping functions of the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/context.h"
#include "devices/unwritten_wait.h"
#include "mapping/grown.h"
#include "mapping/mapped_launch.h"
#include "mapping/scope.h"

#include <memory>
#include <new>

using namespace xcc::rt;

int xcc_mapping_range(xcc_mapping *m, const void *begin, uint64_t bytes,
                      uint64_t allocated, uint32_t flags) {
  return m && m->addRange(begin, bytes, allocated, flags);
}

int xcc_mapping_objects(xcc_mapping *m, const void *begin, uint64_t bytes,
                        uint64_t allocated, uint32_t flags,
                        xcc_mapping_visitor *visitor) {
  return m && m->addRange(begin, bytes, allocated, flags, visitor);
}

void xcc_mapping_allocator(xcc_mapping *m,
                           const xcc_mapping_allocator_functions *functions) {
  if (m)
    m->allocator = functions;
}

void *xcc_mapping_home(xcc_mapping *m, const void *at) {
  void *same = const_cast<void *>(at);
  return m && m->grown ? m->grown->home(same) : same;
}

void xcc_mapping_within(xcc_mapping *m, void *location, const void *object,
                        uint64_t bytes) {
  if (m && m->grown)
    m->grown->within(location, object, bytes);
}

int xcc_mapping_away(xcc_mapping *m, const void *object, uint64_t bytes) {
  return m && m->grown && m->grown->isAway(object, bytes);
}

void xcc_mapping_address(xcc_mapping *m, const void *location, uint32_t kind) {
  if (m)
    m->addAddress(location, kind);
}

void xcc_mapping_enter(xcc_mapping *m, const char *name, uint64_t index) {
  if (m)
    m->enter(name, index);
}

void xcc_mapping_leave(xcc_mapping *m) {
  if (m)
    m->leave();
}

void xcc_mapping_refuse(xcc_mapping *m, const char *why) {
  if (m)
    m->reject(why);
}

void xcc_mapping_depends(xcc_mapping *m, const void *object, uint64_t bytes) {
  if (m)
    m->ask(object, bytes);
}

static xcc_status launchNamed(xcc_mapping *m, bool *again) {
  if (!m || !m->kernel) {
    xcc_mapping::release(m);
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_mapping_launch: the mapping is not a launch's");
  }
  xcc_status status = launchMapped(m, again);
  if (again && *again)
    m->restart();
  else
    xcc_mapping::release(m);
  return status;
}

xcc_status xcc_mapping_launch(xcc_mapping *m) {
  return launchNamed(m, nullptr);
}

xcc_status xcc_mapping_launch_visited(xcc_mapping **m) {
  if (!m)
    return failNull("xcc_mapping_launch_visited", "mapping");
  bool again = false;
  xcc_status status = launchNamed(*m, &again);
  if (!again)
    *m = nullptr;
  return status;
}

void xcc_mapping_cancel(xcc_mapping *m) { xcc_mapping::release(m); }

//===----------------------------------------------------------------------===//
// Scopes
//===----------------------------------------------------------------------===//

xcc_status xcc_mapping_begin(xcc_stream *stream, const char *file,
                             uint32_t line, xcc_mapping **out) {
  if (!out)
    return fail(XCC_ERROR_INVALID_VALUE, "xcc_mapping_begin: mapping is null");
  *out = nullptr;
  Device *d;
  Queue *q;
  XCC_TRY(queueOf(stream, d, q));
  if (d->sharesHostMemory())
    return XCC_SUCCESS;
  *out = xcc_mapping::make(*d, *q);
  if (!*out)
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a mapping");
  (*out)->place = {nullptr, file, line};
  return XCC_SUCCESS;
}

xcc_status xcc_mapping_hold(xcc_mapping *m, xcc_scope **scope) {
  if (!m && scope) {
    Device *d;
    XCC_TRY(currentDevice(d));
    *scope = new (std::nothrow) xcc_scope{d, nullptr, {}, {}};
    return *scope ? XCC_SUCCESS
                  : fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for a scope");
  }
  if (!m || m->kernel || !scope) {
    xcc_mapping::release(m);
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_mapping_hold: the mapping is none that "
                "xcc_mapping_begin gave, or scope is null");
  }
  xcc_status status = holdMapped(*m, *scope);
  xcc_mapping::release(m);
  return status;
}

uint64_t xcc_held_range(const void *at, void **begin) {
  Device *d;
  if (!anyMapped.load(std::memory_order_acquire) ||
      currentDevice(d) != XCC_SUCCESS || d->sharesHostMemory())
    return 0;
  return heldAround(*d, at, begin);
}

xcc_status xcc_mapping_update(xcc_mapping *m, uint32_t direction) {
  const bool held = direction & XCC_MAP_HELD;
  direction &= ~uint32_t(XCC_MAP_HELD);
  if (!m && (direction == XCC_MAP_IN || (held && !started())))
    return XCC_SUCCESS;
  if (!m && direction == XCC_MAP_OUT) {
    Device *d;
    XCC_TRY(currentDevice(d));
    d->drain();
    return XCC_SUCCESS;
  }
  if (!m || m->kernel ||
      (direction != XCC_MAP_IN && direction != XCC_MAP_OUT)) {
    xcc_mapping::release(m);
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_mapping_update: the mapping is none that "
                "xcc_mapping_begin gave, or the direction is neither "
                "XCC_MAP_IN nor XCC_MAP_OUT");
  }
  xcc_status status = updateMapped(*m, direction, held);
  xcc_mapping::release(m);
  return status;
}

xcc_status xcc_scope_end(xcc_scope *scope) {
  if (!scope)
    return XCC_SUCCESS;
  ImplicitWait waits(*scope->on, "the end of an xcc::map");
  return endScope(scope);
}

void xcc_scope_release(xcc_scope *scope) {
  if (!scope)
    return;
  Device &on = *scope->on;
  endOrExit(on);
  ImplicitWait waits(on, "the end of an xcc::map");
  if (endScope(scope) != XCC_SUCCESS)
    on.orphans.add(keepLastError(), threadNumber());
}

namespace {
/// The arrays that the xcc_data functions take.
struct Arrays {
  uint32_t count;
  void *const *bases;
  void *const *pointers;
  const uint64_t *sizes;
  const uint32_t *flags;
  const char *const *names;
};
} // namespace

static constexpr uint32_t KnownFlags = XCC_MAP_IN | XCC_MAP_OUT | XCC_MAP_KEEP |
                                       XCC_MAP_OBJECTS | XCC_MAP_CONST |
                                       XCC_MAP_SINGLE | XCC_MAP_NAMED;

/// Does an address at \p at lie within one of the ranges?
static bool isWithinRanges(const Arrays &a, const void *at) {
  auto address = reinterpret_cast<uintptr_t>(at);
  for (uint32_t i = 0; i != a.count; ++i) {
    uintptr_t offset = address - reinterpret_cast<uintptr_t>(a.pointers[i]);
    if (offset < a.sizes[i] && a.sizes[i] - offset >= sizeof(void *))
      return true;
  }
  return false;
}

/// Collects the ranges. \p out is null if there is nothing to do. \p only: skip
/// ranges without this direction; 0: take all.
static xcc_status collect(const char *call, xcc_stream *stream, const Arrays &a,
                          uint32_t only, std::unique_ptr<xcc_mapping> &out) {
  if (a.count && (!a.pointers || !a.sizes))
    return fail(XCC_ERROR_INVALID_VALUE, "%s: pointers or sizes is null", call);
  for (uint32_t i = 0; i != a.count; ++i) {
    if (!a.pointers[i] && a.sizes[i])
      return fail(XCC_ERROR_INVALID_VALUE,
                  "%s: pointers[%u] is null, and sizes[%u] is %llu", call, i, i,
                  static_cast<unsigned long long>(a.sizes[i]));
    if (a.flags && a.flags[i] & ~uint32_t(KnownFlags))
      return fail(XCC_ERROR_INVALID_VALUE,
                  "%s: flags[%u] is %#x, which has "
                  "bits that are no xcc_map_flags",
                  call, i, a.flags[i]);
    if (a.bases && a.bases[i] && !isWithinRanges(a, a.bases[i]))
      return fail(XCC_ERROR_INVALID_VALUE,
                  "%s: bases[%u] is in none of the ranges", call, i);
  }
  xcc_mapping *m;
  XCC_TRY(xcc_mapping_begin(stream, nullptr, 0, &m));
  out.reset(m);
  for (uint32_t i = 0; m && i != a.count; ++i) {
    uint32_t flags = a.flags ? a.flags[i] : 0;
    if (!flags)
      flags = XCC_MAP_IN | XCC_MAP_OUT;
    if (only && !(flags & only))
      continue;
    m->enter(a.names ? a.names[i] : nullptr, i);
    m->addRange(a.pointers[i], a.sizes[i], a.sizes[i], flags);
    if (a.bases && a.bases[i])
      m->addAddress(a.bases[i], XCC_ADDRESS_POINTER);
    m->leave();
  }
  return XCC_SUCCESS;
}

xcc_status xcc_data_begin(xcc_stream *stream, uint32_t count,
                          void *const *bases, void *const *pointers,
                          const uint64_t *sizes, const uint32_t *flags,
                          const char *const *names) {
  std::unique_ptr<xcc_mapping> m;
  XCC_TRY(collect("xcc_data_begin", stream,
                  {count, bases, pointers, sizes, flags, names}, 0, m));
  xcc_scope *scope = nullptr;
  if (m)
    XCC_TRY(holdMapped(*m, scope, true));
  delete scope; // xcc_data_end finds the entries by their addresses
  return XCC_SUCCESS;
}

xcc_status xcc_data_update(xcc_stream *stream, uint32_t count,
                           void *const *bases, void *const *pointers,
                           const uint64_t *sizes, const uint32_t *flags,
                           const char *const *names) {
  for (uint32_t direction : {XCC_MAP_OUT, XCC_MAP_IN}) {
    std::unique_ptr<xcc_mapping> m;
    XCC_TRY(collect("xcc_data_update", stream,
                    {count, bases, pointers, sizes, flags, names}, direction,
                    m));
    if (m)
      XCC_TRY(updateMapped(*m, direction));
    else
      XCC_TRY(xcc_mapping_update(nullptr, direction));
  }
  return XCC_SUCCESS;
}

xcc_status xcc_data_end(xcc_stream *stream, uint32_t count, void *const *bases,
                        void *const *pointers, const uint64_t *sizes,
                        const uint32_t *flags, const char *const *names) {
  std::unique_ptr<xcc_mapping> m;
  XCC_TRY(collect("xcc_data_end", stream,
                  {count, bases, pointers, sizes, flags, names}, 0, m));
  xcc_scope *scope = nullptr;
  if (m)
    XCC_TRY(findBegun(*m, scope));
  else
    XCC_TRY(xcc_mapping_hold(nullptr, &scope));
  return xcc_scope_end(scope);
}
