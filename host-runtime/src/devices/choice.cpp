// Which device a program uses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "choice.h"
#include "images/units.h"
#include "process/log.h"
#include "simulator.h"

#include <charconv>
#include <cstdlib>

namespace xcc::rt {

namespace {
/// The parts of XCC_DEVICE.
struct Setting {
  const DeviceKind *kind = nullptr; ///< null if there is no such kind
  int index = 0;                    ///< -1 if it is not a number
};
} // namespace

static Setting parse(std::string_view text) {
  size_t colon = text.find(':');
  std::string_view name = text.substr(0, colon);
  if (name == "cpu")
    name = "host";
  Setting s;
  for (const DeviceKind &b : deviceKinds())
    if (name == b.id)
      s.kind = &b;
  if (colon != std::string_view::npos) {
    std::string_view digits = text.substr(colon + 1);
    const char *end = digits.data() + digits.size();
    auto [stop, bad] = std::from_chars(digits.data(), end, s.index);
    if (bad != std::errc() || stop != end || s.index < 0)
      s.index = -1;
  }
  return s;
}

/// Adds the devices of a kind: the host, or the simulated ones that XCC_DEVICE
/// names.
static void findSimulated(DeviceList &out, FoundKind &k) {
  std::vector<std::string> archs;
  for (const std::string &arch : out.simulated)
    if (kindOfArch(arch) == k.kind)
      archs.push_back(arch);
  k.asked = k.kind->host || !archs.empty();
  if (!k.asked)
    return;
  void *library =
      k.kind->host ? nullptr : openSimulator(*k.kind, archs, k.broken);
  if (!k.broken)
    k.broken = k.kind->findDevices(out.devices, library);
  for (size_t i = size_t(k.first); i != out.devices.size(); ++i, ++k.count)
    if (k.kind->host)
      out.devices[i]->identify(*k.kind, k.count, int(i));
    else
      out.devices[i]->identifySimulated(*k.kind, archs[size_t(k.count)],
                                        int(i));
}

static void findSimulatedDevices(DeviceList &out) {
  if (out.simulated == std::vector<std::string>{"all"})
    out.simulated = archsToSimulate();
  for (const DeviceKind &b : deviceKinds()) {
    FoundKind k{&b, false, nullptr, int(out.devices.size()), 0};
    findSimulated(out, k);
    out.kinds.push_back(k);
  }
}

void findDevices(DeviceList &out) {
  if (const char *text = secure_getenv("XCC_DEVICE"))
    out.wanted = text;
  if (auto archs = simulatedArchs(out.wanted)) {
    out.simulated = std::move(*archs);
    return findSimulatedDevices(out);
  }
  const DeviceKind *named = parse(out.wanted).kind;
  for (const DeviceKind &b : deviceKinds()) {
    FoundKind k{&b, true, nullptr, int(out.devices.size()), 0};
    // Start a GPU's driver only when needed, because it takes long.
    k.asked = b.host || &b == named || programHolds(b.triplePrefix);
    if (k.asked)
      k.broken = b.findDevices(out.devices, nullptr);
    for (size_t i = k.first; i != out.devices.size(); ++i)
      out.devices[i]->identify(b, k.count++, int(i));
    out.kinds.push_back(k);
    if (k.broken)
      XCC_LOG(Load, "no %s device: %s", b.name, xcc_error_message(k.broken));
    else if (k.asked && !k.count)
      XCC_LOG(Load, "no %s device: this machine has none", b.name);
  }
}

/// "cuda:0 (NVIDIA H100, sm_90), host (..., x86-64-v3)".
static std::string describeDevices(const DeviceList &list, bool names) {
  std::string out;
  for (Device *d : list.devices) {
    if (!out.empty())
      out += ", ";
    out += d->id();
    xcc_device_properties p{};
    d->properties(p);
    if (names)
      out = out + " (" + p.name + ", " + p.arch + ")";
  }
  return out;
}

/// "cuda, cuda:N, hsa, hsa:N or host".
static std::string settings() {
  std::string out;
  for (const DeviceKind &b : deviceKinds()) {
    if (!out.empty())
      out += b.host ? " or " : ", ";
    out += b.id;
    if (!b.host)
      out = out + ", " + b.id + ":N";
  }
  return out + ", sim:ARCH for a simulated GPU";
}

/// Whether the program has device code. One that only allocates and copies
/// memory has none, and can use each device all the same.
static bool holdsAny() { return programHolds(""); }

/// Returns the error in the archs of "sim:...", or null.
static xcc_error *checkSimulated(const DeviceList &list) {
  if (list.simulated.empty())
    return makeError(
        XCC_ERROR_INVALID_DEVICE, {},
        holdsAny() ? "XCC_DEVICE=%s: the program has no code for GPUs; compile "
                     "it with --offload-arch=sm_90 or gfx1100"
                   : "XCC_DEVICE=%s: the program has no kernels, whose archs "
                     "would be simulated; name archs, as in sim:sm_90,gfx1100",
        list.wanted.c_str());
  for (const std::string &arch : list.simulated)
    if (!kindOfArch(arch))
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "XCC_DEVICE=%s: '%s' is no GPU's arch; write one such "
                       "as sim:sm_90 or sim:gfx1100, several with commas, or "
                       "sim:all",
                       list.wanted.c_str(), arch.c_str());
  return nullptr;
}

xcc_error *checkRequested(const DeviceList &list) {
  if (list.wanted.starts_with("sim:"))
    return checkSimulated(list);
  Setting s = parse(list.wanted);
  if (list.wanted.empty() || (s.kind && s.index >= 0))
    return nullptr;
  return makeError(XCC_ERROR_INVALID_DEVICE, {},
                   "XCC_DEVICE=%s: no such device; available: %s (settings "
                   "are %s)",
                   list.wanted.c_str(), describeDevices(list, false).c_str(),
                   settings().c_str());
}

/// Chooses the first simulated device that XCC_DEVICE names. Every arch named
/// has a device unless its simulator is broken.
static xcc_error *chooseSimulated(const DeviceList &list, int &ordinal) {
  const std::string id = "sim:" + list.simulated.front();
  for (Device *d : list.devices)
    if (d->id() == id) {
      ordinal = d->ordinal();
      return nullptr;
    }
  const DeviceKind &kind = *kindOfArch(list.simulated.front());
  if (holdsAny() && !programHolds(kind.triplePrefix))
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "XCC_DEVICE=%s: the program has no code for %s devices; "
                     "compile it with --offload-arch=%s",
                     list.wanted.c_str(), kind.name,
                     list.simulated.front().c_str());
  const char *why = "it cannot be simulated";
  for (const FoundKind &k : list.kinds)
    if (k.broken && k.kind == &kind)
      why = xcc_error_message(k.broken);
  return makeError(XCC_ERROR_INVALID_DEVICE, {}, "XCC_DEVICE=%s: %s",
                   list.wanted.c_str(), why);
}

/// Chooses the device that XCC_DEVICE names.
static xcc_error *chooseRequested(const DeviceList &list, int &ordinal) {
  if (xcc_error *bad = checkRequested(list))
    return bad;
  if (!list.simulated.empty())
    return chooseSimulated(list, ordinal);
  const char *text = list.wanted.c_str();
  Setting s = parse(list.wanted);
  for (const FoundKind &k : list.kinds) {
    if (k.kind != s.kind)
      continue;
    if (s.index < k.count) {
      ordinal = k.first + s.index;
      return nullptr;
    }
    if (k.broken)
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "XCC_DEVICE=%s: %s; available: %s", text,
                       xcc_error_message(k.broken),
                       describeDevices(list, false).c_str());
    if (!k.count)
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "XCC_DEVICE=%s: this machine has no %s device; "
                       "available: %s",
                       text, k.kind->name,
                       describeDevices(list, false).c_str());
    if (k.count == 1)
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "XCC_DEVICE=%s: this machine has 1 %s device, %s", text,
                       k.kind->name, list.devices[k.first]->id());
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "XCC_DEVICE=%s: this machine has %d %s devices, %s to %s",
                     text, k.count, k.kind->name, list.devices[k.first]->id(),
                     list.devices[k.first + k.count - 1]->id());
  }
  return makeError(XCC_ERROR_INVALID_DEVICE, {},
                   "XCC_DEVICE=%s: no such device", text);
}

/// The error when no device has an image of every unit.
static xcc_error *noSuitableDevice(const DeviceList &list) {
  std::string reasons, archs;
  for (const FoundKind &k : list.kinds)
    if (k.broken && !k.kind->host)
      reasons = reasons + "; no " + k.kind->name +
                " device: " + xcc_error_message(k.broken);
  for (Device *d : list.devices) {
    xcc_device_properties p{};
    d->properties(p);
    archs += (archs.empty() ? "--offload-arch=" : " or --offload-arch=");
    archs += p.arch;
  }
  if (const char *why = whyNotGenerated(list.devices))
    return makeError(XCC_ERROR_NO_IMAGE, {},
                     "no device of this machine has an image of all of the "
                     "program, which holds %s: %s",
                     archsHeld({}).c_str(), why);
  return makeError(XCC_ERROR_NO_IMAGE, {},
                   "no device of this machine has an image of all of the "
                   "program: it holds %s; the machine has %s%s; rebuild with "
                   "%s",
                   archsHeld(list.devices).c_str(),
                   describeDevices(list, true).c_str(), reasons.c_str(),
                   archs.c_str());
}

xcc_error *chooseDevice(const DeviceList &list, int &ordinal) {
  if (!list.wanted.empty())
    return chooseRequested(list, ordinal);
  bool empty = archsHeld({}).empty();
  for (Device *d : list.devices) {
    // A program without images needs no GPU.
    if (empty ? !d->kind().host : !runsEveryUnit(*d)) {
      XCC_LOG(Load, "device %d (%s) is skipped: it cannot run all images",
              d->ordinal(), d->id());
      continue;
    }
    ordinal = d->ordinal();
    return nullptr;
  }
  return noSuitableDevice(list);
}

} // namespace xcc::rt
