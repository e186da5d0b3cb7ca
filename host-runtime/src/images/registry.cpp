// From a linked unit to a loaded kernel
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "registry.h"
#include "../process/log.h"
#include "../services/host_services.h"
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
    Device *On;
    Image *Code;
  };
  struct Slot {
    void **Address;
    const xcc_kernel_info *Info;
  };
  std::vector<Loaded> Images; // at most one for each device
  std::vector<Slot> Slots;    // to clear when the unit goes
  /// Kernels on devices that descriptors have no slot for.
  std::map<std::pair<const xcc_kernel_info *, int>, const Kernel *> Others;
};
} // namespace

/// Guards every unit's state: loading is rare and seldom concurrent.
static std::mutex UnitMutex;
/// Stands in state for a unit that was unloaded.
static char Unloaded;

static xcc_status checkUnit(const xcc_binary *Unit, const ErrorSite &Site) {
  if (!Unit)
    return fail(XCC_ERROR_INVALID_KERNEL, Site,
                "kernel '%s' was linked without xcc, so its device code is "
                "not in the program; link with xcc",
                Site.Kernel);
  if (Unit->abi_version != XCC_ABI_VERSION)
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "the program was linked for version %u of xcc's ABI, this "
                "runtime has version %u; rebuild with one xcc",
                Unit->abi_version, XCC_ABI_VERSION);
  return XCC_SUCCESS;
}

/// Picks the image that suits the device best.
static xcc_status chooseImage(const xcc_binary &Unit, Device &On,
                              const ErrorSite &Site, OffloadImage &Best) {
  OffloadReader Reader(sectionOf(Unit));
  OffloadImage Candidate;
  int BestRank = 0;
  std::string Have;
  while (Reader.next(Candidate)) {
    const char *Missing = nullptr;
    int Rank = On.suits(Candidate, Missing);
    if (Rank > BestRank) {
      BestRank = Rank;
      Best = Candidate;
    }
    if (!Have.empty())
      Have += ", ";
    Have += *Candidate.Arch ? Candidate.Arch : "(no arch)";
    if (Missing && Rank == 0)
      Have = Have + " (needs " + Missing + ")";
  }
  if (Reader.error())
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "the embedded device code of kernel '%s' is damaged: the "
                ".llvm.offloading section %s; rebuild the program",
                Site.Kernel, Reader.error());
  if (BestRank)
    return XCC_SUCCESS;
  xcc_device_properties P{};
  On.properties(P);
  return fail(XCC_ERROR_NO_IMAGE, Site,
              "kernel '%s' has no image that device %d (%s, %s) can run; the "
              "program holds %s; rebuild with -offload-arch=%s",
              Site.Kernel, On.ordinal(), On.id(), P.arch,
              Have.empty() ? "no images" : Have.c_str(), P.arch);
}

static xcc_status checkImage(const OffloadImage &Image, const ErrorSite &Site) {
  if (std::string_view(Image.Abi) != std::to_string(XCC_ABI_VERSION))
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "the %s image of kernel '%s' is for version '%s' of xcc's ABI, "
                "this runtime has version %u; rebuild with one xcc",
                Image.Arch, Site.Kernel, Image.Abi, XCC_ABI_VERSION);
  if (!Image.intact())
    return fail(XCC_ERROR_INVALID_IMAGE, Site,
                "the %s image of kernel '%s' is damaged: its bytes hash to "
                "%016llx, not to '%s'; rebuild the program",
                Image.Arch, Site.Kernel,
                static_cast<unsigned long long>(hashOf(Image.Data)),
                Image.Hash);
  return XCC_SUCCESS;
}

/// The unit's image on the device, loaded if need be.
static xcc_status imageOf(const xcc_binary &Unit, UnitState &State, Device &On,
                          const ErrorSite &Site, Image *&Out) {
  for (const UnitState::Loaded &L : State.Images)
    if (L.On == &On) {
      Out = L.Code;
      return XCC_SUCCESS;
    }
  OffloadImage Best;
  XCC_TRY(chooseImage(Unit, On, Site, Best));
  XCC_TRY(checkImage(Best, Site));
  XCC_TRY(On.loadImage(Best, &Out));
  XCC_LOG(Load, "device %d: loaded the %s image, %llu bytes", On.ordinal(),
          Best.Arch, static_cast<unsigned long long>(Best.Data.size()));
  if (xcc_status S = connectImage(On, *Out); S != XCC_SUCCESS) {
    On.unloadImage(Out);
    return S;
  }
  State.Images.push_back({&On, Out});
  return XCC_SUCCESS;
}

xcc_status loadKernel(const xcc_kernel_info &Info, Device &On,
                      const Kernel **Out) {
  ErrorSite Site{Info.name, nullptr, 0, On.ordinal()};
  XCC_TRY(checkUnit(Info.binary, Site));
  if (!Info.symbol || !Info.slots)
    return fail(XCC_ERROR_INVALID_KERNEL, Site,
                "the descriptor of kernel '%s' is incomplete", Site.Kernel);
  xcc_binary &Unit = *Info.binary;
  void **Slot = On.ordinal() < int(XCC_KERNEL_SLOTS) ? &Info.slots[On.ordinal()]
                                                     : nullptr;
  std::lock_guard Lock(UnitMutex);
  if (Unit.state == &Unloaded)
    return fail(XCC_ERROR_INVALID_KERNEL, Site,
                "kernel '%s' was launched after its program or library was "
                "unloaded",
                Site.Kernel);
  try {
    if (!Unit.state)
      Unit.state = new UnitState;
    auto &State = *static_cast<UnitState *>(Unit.state);
    *Out = Slot ? static_cast<const Kernel *>(*Slot)
                : State.Others[{&Info, On.ordinal()}];
    if (*Out)
      return XCC_SUCCESS; // another thread was faster
    State.Slots.reserve(State.Slots.size() + 1);
    Image *Code;
    XCC_TRY(imageOf(Unit, State, On, Site, Code));
    XCC_TRY(On.findKernel(*Code, Info, Out));
    if (Slot)
      State.Slots.push_back({Slot, &Info});
    else
      State.Others[{&Info, On.ordinal()}] = *Out;
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, Site,
                "out of memory while loading kernel '%s'", Site.Kernel);
  }
  // Pairs with the acquire in the launch: the kernel is complete.
  if (Slot)
    std::atomic_ref(*Slot).store(const_cast<Kernel *>(*Out),
                                 std::memory_order_release);
  return XCC_SUCCESS;
}

} // namespace xcc::rt

using namespace xcc::rt;

void xcc_binary_register(xcc_binary *Unit) {
  // A record of another version may have no link to write.
  if (Unit && Unit->abi_version == XCC_ABI_VERSION)
    rememberUnit(*Unit);
}

void xcc_binary_unload(xcc_binary *Unit) {
  if (!Unit || forked())
    return;
  if (Unit->abi_version == XCC_ABI_VERSION)
    forgetUnit(*Unit);
  std::lock_guard Lock(UnitMutex);
  void *Old = Unit->state;
  Unit->state = &Unloaded;
  if (!Old || Old == &Unloaded)
    return;
  auto *State = static_cast<UnitState *>(Old);
  for (const UnitState::Slot &S : State->Slots)
    std::atomic_ref(*S.Address).store(nullptr, std::memory_order_relaxed);
  for (const UnitState::Loaded &L : State->Images) {
    // After a fork there is nobody to wait for, and nothing worth freeing.
    if (!started())
      break;
    L.On->drain();
    L.On->unloadImage(L.Code);
    XCC_LOG(Load, "device %d: unloaded an image", L.On->ordinal());
  }
  delete State;
}

xcc_status xcc_binary_visit_images(const xcc_binary *Unit,
                                   int (*Visit)(const xcc_image_info *, void *),
                                   void *User) {
  if (!Unit || !Visit)
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_binary_visit_images: an argument is null");
  OffloadReader Reader(sectionOf(*Unit));
  OffloadImage I;
  while (Reader.next(I)) {
    xcc_image_info Info{I.Data.data(), I.Data.size(), I.Triple,
                        I.Arch,        I.Hash,        I.Kernels};
    if (Visit(&Info, User))
      return XCC_SUCCESS;
  }
  if (Reader.error())
    return fail(XCC_ERROR_INVALID_IMAGE, "the .llvm.offloading section %s",
                Reader.error());
  return XCC_SUCCESS;
}
