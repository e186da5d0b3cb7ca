// Finding and loading the kernel of a descriptor
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "registry.h"
#include "common/kernel_checks.h"
#include "devices/allocations.h"
#include "duplicate_kernels.h"
#include "generation/code_cache.h"
#include "generation/generator.h"
#include "image_choice.h"
#include "imports.h"
#include "initialisers.h"
#include "process/log.h"
#include "process/trace.h"
#include "services/host_services.h"
#include "units.h"

#include <atomic>
#include <cstdio>
#include <memory>
#include <new>
#include <string>
#include <utility>
#include <vector>

namespace xcc::rt {

constinit std::mutex unitMutex;
std::condition_variable &initialised() {
  // Never freed, because threads may launch until the process ends.
  static auto &some = *new std::condition_variable;
  return some;
}
char unloadedUnit;

xcc_status checkDescriptor(const xcc_kernel_info *info) {
  if (!info)
    return fail(XCC_ERROR_INVALID_KERNEL, "the kernel descriptor is null");
  if (info->magic != XCC_KERNEL_MAGIC)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "the kernel descriptor was not made by xcc; take it from "
                "kernel_info_for");
  if (info->abi_version != XCC_ABI_VERSION)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "the kernel descriptor is for version %u of xcc's ABI, this "
                "runtime has version %u; rebuild with one xcc",
                info->abi_version, XCC_ABI_VERSION);
  return XCC_SUCCESS;
}

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

static xcc_status libraryImage(xcc_binary &unit, Device &on,
                               const ErrorSite &site, UnitState::Loaded *&out);

/// Writes the addresses of libraries' variables into an image. Loads the
/// libraries' images first.
static xcc_status connectLibraries(UnitState::Loaded &image, Image &code,
                                   const OffloadImage &source,
                                   const ErrorSite &site) {
  Device &on = *image.on;
  std::vector<ImportedLibrary> libraries = readImports(source);
  for (const ImportedLibrary &library : libraries)
    warnOfOthers(library, source);
  std::vector<void *> addresses;
  for (const ImportedLibrary &library : libraries) {
    if (library.variables.empty())
      continue;
    xcc_binary *unit;
    XCC_TRY(findLibrary(library, site, unit));
    UnitState::Loaded *other = nullptr;
    static unsigned depth = 0; // guarded by the lock
    if (depth == 64)
      return fail(XCC_ERROR_INVALID_IMAGE, site,
                  "libraries use each other's variables in a cycle");
    ++depth;
    xcc_status s = libraryImage(*unit, on, site, other);
    --depth;
    if (s != XCC_SUCCESS) {
      std::string why = xcc_error_last();
      return fail(s, site, "kernel '%s' uses '%s' of the library %s: %s",
                  site.kernel, library.variables[0].name.c_str(),
                  library.name.c_str(), why.c_str());
    }
    image.libraries.push_back(other);
    XCC_TRY(findVariables(library, on, *other->code, other->exports, site,
                          addresses));
  }
  if (addresses.empty())
    return XCC_SUCCESS;
  return writeImports(on, code, addresses, site);
}

/// Loads an image on its device.
static xcc_status load(xcc_binary &unit, UnitState::Loaded &image,
                       const OffloadImage &source, const ErrorSite &site) {
  Device &on = *image.on;
  Image *code = nullptr;
  uint64_t begin = trace::enabled() ? trace::now() : 0;
  XCC_TRY(on.loadImage(source, &code));
  if (begin)
    trace::add({"load image", "load", begin, trace::now(), 0, 0, 0, false});
  char how[64] = "";
  const char *what = image.variant ? "specialised, " : "";
  if (image.generated && image.generated->found)
    snprintf(how, sizeof(how), " (%sgenerated before, found in %.1f ms)", what,
             image.generated->milliseconds);
  else if (image.generated)
    snprintf(how, sizeof(how), " (%sgenerated here in %.0f ms)", what,
             image.generated->milliseconds);
  XCC_LOG(Load, "device %d: loaded the %s image, %llu bytes%s", on.ordinal(),
          source.arch, static_cast<unsigned long long>(source.data.size()),
          how);
  if (*source.lacks)
    XCC_LOG(Load, "device %d: that code does not use %s", on.ordinal(),
            source.lacks);
  xcc_status s = connectImage(on, *code);
  if (s == XCC_SUCCESS)
    s = connectLibraries(image, *code, source, site);
  if (s == XCC_SUCCESS)
    s = image.initialisers.find(on, *code, source, unit,
                                image.generated ? image.generated->makes : "");
  if (s != XCC_SUCCESS) {
    on.unloadImage(code);
    return s;
  }
  image.code = code;
  image.exports = source.exports;
  image.state = image.initialisers.any() || !image.libraries.empty()
                    ? UnitState::Loaded::Fresh
                    : UnitState::Loaded::Usable;
  return XCC_SUCCESS;
}

/// Generates the image's code and loads it. Releases the lock meanwhile, so
/// that other threads can load theirs; threads that need this image wait.
static xcc_status generate(std::unique_lock<std::mutex> &lock, xcc_binary &unit,
                           UnitState::Loaded &image,
                           const OffloadImage &portable,
                           const ErrorSite &site) {
  image.state = UnitState::Loaded::Generating;
  auto make = [&](bool anew) {
    std::unique_ptr<GeneratedImage> made;
    lock.unlock();
    xcc_status s;
    try {
      made = std::make_unique<GeneratedImage>();
      s = generateImage(portable, image.group, image.variant, *image.on, anew,
                        *made);
    } catch (const std::bad_alloc &) {
      s = fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory while its code was "
                                        "generated");
    }
    lock.lock();
    if (s == XCC_SUCCESS) {
      image.generated = std::move(made);
      s = load(unit, image, image.generated->image, site);
    }
    return s;
  };
  xcc_status s = make(false);
  // A result from disk may not match the loaded images: generate it again.
  if (s != XCC_SUCCESS && image.generated && image.generated->found) {
    forget(image.generated->text);
    s = make(true);
  }
  if (s != XCC_SUCCESS) {
    image.state = UnitState::Loaded::Failed;
    image.status = s;
    try {
      image.why = xcc_error_last();
    } catch (const std::bad_alloc &) {
    }
  }
  initialised().notify_all();
  return s;
}

/// Finds or loads a library's image, which has the variables that others use.
static xcc_status libraryImage(xcc_binary &unit, Device &on,
                               const ErrorSite &site, UnitState::Loaded *&out) {
  if (!unit.state)
    unit.state = new UnitState;
  auto &state = *static_cast<UnitState *>(unit.state);
  OffloadImage best;
  XCC_TRY(choiceOf(unit, state, on, site, best));
  if (best.portable())
    return fail(XCC_ERROR_NO_IMAGE, site,
                "its image for device %d (%s) is a portable one, which shares "
                "no variables; rebuild it with the device's --offload-arch=",
                on.ordinal(), on.id());
  for (const std::unique_ptr<UnitState::Loaded> &l : state.images)
    if (l->on == &on && l->group == -1) {
      out = l.get();
      return XCC_SUCCESS;
    }
  auto made = std::make_unique<UnitState::Loaded>(&on, -1);
  state.images.reserve(state.images.size() + 1);
  XCC_TRY(load(unit, *made, best, site));
  out = made.get();
  state.images.push_back(std::move(made));
  return XCC_SUCCESS;
}

/// Finds or loads the image with the kernel for the device. The result may be
/// an image that another thread is generating, or that failed.
static xcc_status imageOf(std::unique_lock<std::mutex> &lock, xcc_binary &unit,
                          UnitState &state, const xcc_kernel_info &info,
                          Device &on, const ErrorSite &site,
                          UnitState::Loaded *&out) {
  OffloadImage best;
  const Variant *variant = variantOf(info);
  if (variant)
    XCC_TRY(portableFor(unit, info, on, site, best));
  else
    XCC_TRY(choiceOf(unit, state, on, site, best));
  int group = -1;
  if (best.portable() && (group = groupOf(best, info.symbol)) < 0)
    return notInImage(info, best.arch, "its table does not name it", site);
  for (const std::unique_ptr<UnitState::Loaded> &l : state.images)
    if (l->on == &on && l->group == group && l->variant == variant) {
      out = l.get();
      return XCC_SUCCESS;
    }
  state.images.reserve(state.images.size() + 1);
  auto made = std::make_unique<UnitState::Loaded>(&on, group, variant);
  out = made.get();
  if (!best.portable())
    XCC_TRY(load(unit, *made, best, site));
  state.images.push_back(std::move(made));
  if (best.portable())
    (void)generate(lock, unit, *out, best, site); // the caller sees its state
  return XCC_SUCCESS;
}

/// Runs the image's initialisers, or waits for the thread that does. Releases
/// the lock meanwhile, because they may take long and may call the host.
static xcc_status initialise(std::unique_lock<std::mutex> &lock,
                             UnitState::Loaded &image, const ErrorSite &site) {
  using Loaded = UnitState::Loaded;
  initialised().wait(lock, [&] { return image.state != Loaded::Generating; });
  if (image.state == Loaded::Usable)
    return XCC_SUCCESS;
  for (Loaded *library : std::vector<Loaded *>(image.libraries))
    XCC_TRY(initialise(lock, *library, site));
  if (image.state == Loaded::Fresh && !image.initialisers.any())
    image.state = Loaded::Usable;
  if (image.state == Loaded::Usable)
    return XCC_SUCCESS;
  if (image.state != Loaded::Failed)
    XCC_TRY(mayWait("a launch that runs the initialisers of global variables"));
  initialised().wait(lock, [&] { return image.state != Loaded::Initialising; });
  if (image.state == Loaded::Fresh) {
    image.state = Loaded::Initialising;
    lock.unlock();
    xcc_status s = image.initialisers.run(*image.on, site.kernel);
    lock.lock();
    image.state = s == XCC_SUCCESS ? Loaded::Usable : Loaded::Failed;
    if (s != XCC_SUCCESS) {
      image.status = s;
      image.why = xcc_error_last();
    }
    initialised().notify_all();
  }
  if (image.state == Loaded::Usable)
    return XCC_SUCCESS;
  return fail(image.status, site, "kernel '%s' cannot run: %s", site.kernel,
              image.why.c_str());
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
  std::unique_lock lock(unitMutex);
  if (unit.state == &unloadedUnit)
    return fail(XCC_ERROR_INVALID_KERNEL, site,
                "kernel '%s' was launched after its program or library was "
                "unloaded",
                site.kernel);
  try {
    if (!unit.state)
      unit.state = new UnitState;
    if (unit.kind == XCC_BINARY_DUPLICATES)
      separateDuplicate(info);
    auto &state = *static_cast<UnitState *>(unit.state);
    *out = slot ? static_cast<const Kernel *>(*slot)
                : state.others[{&info, on.ordinal()}];
    if (*out)
      return XCC_SUCCESS; // another thread has loaded it
    UnitState::Loaded *image;
    XCC_TRY(imageOf(lock, unit, state, info, on, site, image));
    XCC_TRY(initialise(lock, *image, site));
    // Another thread may have loaded it while the lock was released.
    if (slot && (*out = static_cast<const Kernel *>(*slot)))
      return XCC_SUCCESS;
    XCC_TRY(on.findKernel(*image->code, info, out));
    if (slot)
      state.slots.push_back({slot, &info});
    else
      state.others[{&info, on.ordinal()}] = *out;
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, site,
                "out of memory while loading kernel '%s'", site.kernel);
  }
  // Pairs with the acquire in the launch, which then sees a complete kernel.
  if (slot)
    std::atomic_ref(*slot).store(const_cast<Kernel *>(*out),
                                 std::memory_order_release);
  return XCC_SUCCESS;
}

bool rememberVariable(const xcc_kernel_info &info, Device &on, void *address,
                      size_t size) {
  std::lock_guard lock(unitMutex);
  auto &state = *static_cast<UnitState *>(info.binary->state);
  int group = -1;
  for (const UnitState::Choice &c : state.choices)
    if (c.on == &on && c.image.portable())
      group = groupOf(c.image, info.symbol);
  for (auto &image : state.images)
    if (image->on == &on && image->group == group && !image->variant) {
      try {
        image->variables.push_back(address);
      } catch (const std::bad_alloc &) {
        return false;
      }
      return rememberAllocation(address, {size, &on, MemoryKind::Variable});
    }
  return true;
}

} // namespace xcc::rt
