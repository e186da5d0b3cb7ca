// From a linked unit to a loaded kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "registry.h"
#include "mapping/settle.h"
#include "process/log.h"
#include "process/trace.h"
#include "services/host_services.h"
#include "units.h"

#include <atomic>
#include <cstdio>
#include <map>
#include <mutex>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace xcc::rt {

namespace {
/// What xcc_binary::state points to. Made by the unit's first launch.
struct UnitState {
  struct Loaded {
    Device *on;
    Image *code;
  };
  struct Slot {
    void **address;
    const xcc_kernel_info *info;
  };
  std::vector<Loaded> images; // at most one for each device
  std::vector<Slot> slots;    // to clear when the unit goes
  /// Kernels on devices that descriptors have no slot for.
  std::map<std::pair<const xcc_kernel_info *, int>, const Kernel *> others;
};
} // namespace

/// Guards every unit's state: loading is rare and seldom concurrent.
static std::mutex unitMutex;
/// Stands in state for a unit that was unloaded.
static char unloaded;

static xcc_status checkUnit(const xcc_binary *unit, const ErrorSite &site) {
  if (!unit)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "kernel '%s' was linked without xcc, so its device code is "
                "not in the program; link with xcc",
                site.kernel);
  if (unit->abi_version != XCC_ABI_VERSION)
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the program was linked for version %u of xcc's ABI, this "
                "runtime has version %u; rebuild with one xcc",
                unit->abi_version, XCC_ABI_VERSION);
  return XCC_SUCCESS;
}

/// Picks the image that suits the device best.
static xcc_status chooseImage(const xcc_binary &unit, Device &on,
                              const ErrorSite &site, OffloadImage &best) {
  OffloadReader reader(sectionOf(unit));
  OffloadImage candidate;
  int bestRank = 0;
  std::string have;
  while (reader.next(candidate)) {
    const char *missing = nullptr;
    int rank = on.suits(candidate, missing);
    if (rank > bestRank) {
      bestRank = rank;
      best = candidate;
    }
    if (!have.empty())
      have += ", ";
    have += *candidate.arch ? candidate.arch : "(no arch)";
    if (missing && rank == 0)
      have = have + " (needs " + missing + ")";
  }
  if (reader.error())
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the embedded device code of kernel '%s' is damaged: the "
                ".llvm.offloading section %s; rebuild the program",
                site.kernel, reader.error());
  if (bestRank)
    return XCC_SUCCESS;
  xcc_device_properties p{};
  on.properties(p);
  return fail(XCC_ERROR_NO_IMAGE, site,
              "kernel '%s' has no image that device %d (%s, %s) can run; the "
              "program holds %s; rebuild with -offload-arch=%s",
              site.kernel, on.ordinal(), on.id(), p.arch,
              have.empty() ? "no images" : have.c_str(), p.arch);
}

static xcc_status checkImage(const OffloadImage &image, const ErrorSite &site) {
  if (std::string_view(image.abi) != std::to_string(XCC_ABI_VERSION))
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the %s image of kernel '%s' is for version '%s' of xcc's ABI, "
                "this runtime has version %u; rebuild with one xcc",
                image.arch, site.kernel, image.abi, XCC_ABI_VERSION);
  if (!image.intact())
    return fail(XCC_ERROR_INVALID_IMAGE, site,
                "the %s image of kernel '%s' is damaged: its bytes hash to "
                "%016llx, not to '%s'; rebuild the program",
                image.arch, site.kernel,
                static_cast<unsigned long long>(hashOf(image.data)),
                image.hash);
  return XCC_SUCCESS;
}

/// The unit's image on the device, loaded if need be.
static xcc_status imageOf(const xcc_binary &unit, UnitState &state, Device &on,
                          const ErrorSite &site, Image *&out) {
  for (const UnitState::Loaded &l : state.images)
    if (l.on == &on) {
      out = l.code;
      return XCC_SUCCESS;
    }
  OffloadImage best;
  XCC_TRY(chooseImage(unit, on, site, best));
  XCC_TRY(checkImage(best, site));
  uint64_t begin = trace::enabled() ? trace::now() : 0;
  XCC_TRY(on.loadImage(best, &out));
  if (begin)
    trace::add({"load image", "load", begin, trace::now(), 0, 0, 0, false});
  XCC_LOG(Load, "device %d: loaded the %s image, %llu bytes", on.ordinal(),
          best.arch, static_cast<unsigned long long>(best.data.size()));
  if (xcc_status s = connectImage(on, *out); s != XCC_SUCCESS) {
    on.unloadImage(out);
    return s;
  }
  state.images.push_back({&on, out});
  return XCC_SUCCESS;
}

xcc_status loadKernel(const xcc_kernel_info &info, Device &on,
                      const Kernel **out) {
  ErrorSite site{info.name, nullptr, 0, on.ordinal()};
  XCC_TRY(checkUnit(info.binary, site));
  if (!info.symbol || !info.slots)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "the descriptor of kernel '%s' is incomplete", site.kernel);
  xcc_binary &unit = *info.binary;
  void **slot = on.ordinal() < int(XCC_KERNEL_SLOTS) ? &info.slots[on.ordinal()]
                                                     : nullptr;
  std::lock_guard lock(unitMutex);
  if (unit.state == &unloaded)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "kernel '%s' was launched after its program or library was "
                "unloaded",
                site.kernel);
  try {
    if (!unit.state)
      unit.state = new UnitState;
    auto &state = *static_cast<UnitState *>(unit.state);
    *out = slot ? static_cast<const Kernel *>(*slot)
                : state.others[{&info, on.ordinal()}];
    if (*out)
      return XCC_SUCCESS; // another thread was faster
    state.slots.reserve(state.slots.size() + 1);
    Image *code;
    XCC_TRY(imageOf(unit, state, on, site, code));
    XCC_TRY(on.findKernel(*code, info, out));
    if (slot)
      state.slots.push_back({slot, &info});
    else
      state.others[{&info, on.ordinal()}] = *out;
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, site,
                "out of memory while loading kernel '%s'", site.kernel);
  }
  // Pairs with the acquire in the launch: the kernel is complete.
  if (slot)
    std::atomic_ref(*slot).store(const_cast<Kernel *>(*out),
                                 std::memory_order_release);
  return XCC_SUCCESS;
}

} // namespace xcc::rt

using namespace xcc::rt;

void xcc_binary_register(xcc_binary *unit) {
  // A record of another version may have no link to write.
  if (unit && unit->abi_version == XCC_ABI_VERSION)
    rememberUnit(*unit);
}

void xcc_binary_unload(xcc_binary *unit) {
  if (!unit || forked())
    return;
  if (unit->abi_version == XCC_ABI_VERSION)
    forgetUnit(*unit);
  std::lock_guard lock(unitMutex);
  void *old = unit->state;
  unit->state = &unloaded;
  if (!old || old == &unloaded)
    return;
  auto *state = static_cast<UnitState *>(old);
  for (const UnitState::Slot &s : state->slots)
    std::atomic_ref(*s.address).store(nullptr, std::memory_order_relaxed);
  for (const UnitState::Loaded &l : state->images) {
    // After a fork there is nobody to wait for, and nothing worth freeing.
    if (!started())
      break;
    l.on->drain();
    (void)settle(*l.on); // names that it holds are the unit's
    forgetLaunches(*l.on);
    l.on->unloadImage(l.code);
    XCC_LOG(Load, "device %d: unloaded an image", l.on->ordinal());
  }
  delete state;
}

xcc_status xcc_binary_visit_images(const xcc_binary *unit,
                                   int (*visit)(const xcc_image_info *, void *),
                                   void *user) {
  if (!unit || !visit)
    return failNull("xcc_binary_visit_images", "an argument");
  OffloadReader reader(sectionOf(*unit));
  OffloadImage i;
  while (reader.next(i)) {
    xcc_image_info info{i.data.data(), i.data.size(), i.triple,
                        i.arch,        i.hash,        i.kernels};
    if (visit(&info, user))
      return XCC_SUCCESS;
  }
  if (reader.error())
    return fail(XCC_ERROR_INVALID_IMAGE, "the .llvm.offloading section %s",
                reader.error());
  return XCC_SUCCESS;
}
