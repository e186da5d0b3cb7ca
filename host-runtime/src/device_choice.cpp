// Which device a program uses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "device_choice.h"
#include "images/units.h"
#include "process/log.h"

#include <charconv>
#include <cstdlib>

namespace xcc::rt {

namespace {
/// XCC_DEVICE taken apart.
struct Setting {
  const Backend *Kind = nullptr; ///< null when there is no such kind
  int Index = 0;                 ///< -1 when it is no number
};
} // namespace

static Setting parse(std::string_view Text) {
  size_t Colon = Text.find(':');
  std::string_view Name = Text.substr(0, Colon);
  if (Name == "cpu")
    Name = "host";
  Setting S;
  for (const Backend &B : backends())
    if (Name == B.Kind)
      S.Kind = &B;
  if (Colon != std::string_view::npos) {
    std::string_view Digits = Text.substr(Colon + 1);
    const char *End = Digits.data() + Digits.size();
    auto [Stop, Bad] = std::from_chars(Digits.data(), End, S.Index);
    if (Bad != std::errc() || Stop != End || S.Index < 0)
      S.Index = -1;
  }
  return S;
}

void findDevices(DeviceList &Out) {
  if (const char *Text = secure_getenv("XCC_DEVICE"))
    Out.Wanted = Text;
  const Backend *Named = parse(Out.Wanted).Kind;
  for (const Backend &B : backends()) {
    FoundKind K{&B, true, nullptr, int(Out.Devices.size()), 0};
    // A GPU's driver takes long to start: not without a reason.
    K.Asked = B.Host || &B == Named || programHolds(B.TriplePrefix);
    if (K.Asked)
      K.Broken = B.findDevices(Out.Devices);
    for (size_t I = K.First; I != Out.Devices.size(); ++I)
      Out.Devices[I]->identify(B, K.Count++, int(I));
    Out.Kinds.push_back(K);
    if (K.Broken)
      XCC_LOG(Load, "no %s device: %s", B.Name, xcc_error_message(K.Broken));
    else if (K.Asked && !K.Count)
      XCC_LOG(Load, "no %s device: this machine has none", B.Name);
  }
}

/// "cuda:0 (NVIDIA H100, sm_90), host (..., x86-64-v3)".
static std::string describeDevices(const DeviceList &List, bool Names) {
  std::string Out;
  for (Device *D : List.Devices) {
    if (!Out.empty())
      Out += ", ";
    Out += D->id();
    xcc_device_properties P{};
    D->properties(P);
    if (Names)
      Out = Out + " (" + P.name + ", " + P.arch + ")";
  }
  return Out;
}

/// "cuda, cuda:N, hsa, hsa:N or host".
static std::string settings() {
  std::string Out;
  for (const Backend &B : backends()) {
    if (!Out.empty())
      Out += B.Host ? " or " : ", ";
    Out += B.Kind;
    if (!B.Host)
      Out = Out + ", " + B.Kind + ":N";
  }
  return Out;
}

xcc_error *checkWanted(const DeviceList &List) {
  Setting S = parse(List.Wanted);
  if (List.Wanted.empty() || (S.Kind && S.Index >= 0))
    return nullptr;
  return makeError(XCC_ERROR_INVALID_DEVICE, {},
                   "XCC_DEVICE=%s: no such device; available: %s (settings "
                   "are %s)",
                   List.Wanted.c_str(), describeDevices(List, false).c_str(),
                   settings().c_str());
}

/// Finds what XCC_DEVICE names.
static xcc_error *chooseWanted(const DeviceList &List, int &Ordinal) {
  if (xcc_error *Bad = checkWanted(List))
    return Bad;
  const char *Text = List.Wanted.c_str();
  Setting S = parse(List.Wanted);
  for (const FoundKind &K : List.Kinds) {
    if (K.Kind != S.Kind)
      continue;
    if (S.Index < K.Count) {
      Ordinal = K.First + S.Index;
      return nullptr;
    }
    if (K.Broken)
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "XCC_DEVICE=%s: %s; available: %s", Text,
                       xcc_error_message(K.Broken),
                       describeDevices(List, false).c_str());
    if (!K.Count)
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "XCC_DEVICE=%s: this machine has no %s device; "
                       "available: %s",
                       Text, K.Kind->Name,
                       describeDevices(List, false).c_str());
    if (K.Count == 1)
      return makeError(XCC_ERROR_INVALID_DEVICE, {},
                       "XCC_DEVICE=%s: this machine has 1 %s device, %s", Text,
                       K.Kind->Name, List.Devices[K.First]->id());
    return makeError(XCC_ERROR_INVALID_DEVICE, {},
                     "XCC_DEVICE=%s: this machine has %d %s devices, %s to %s",
                     Text, K.Count, K.Kind->Name, List.Devices[K.First]->id(),
                     List.Devices[K.First + K.Count - 1]->id());
  }
  return makeError(XCC_ERROR_INVALID_DEVICE, {},
                   "XCC_DEVICE=%s: no such device", Text);
}

/// No device has an image of every unit.
static xcc_error *noneSuits(const DeviceList &List) {
  std::string Reasons, Archs;
  for (const FoundKind &K : List.Kinds)
    if (K.Broken && !K.Kind->Host)
      Reasons = Reasons + "; no " + K.Kind->Name +
                " device: " + xcc_error_message(K.Broken);
  for (Device *D : List.Devices) {
    xcc_device_properties P{};
    D->properties(P);
    Archs += (Archs.empty() ? "-offload-arch=" : " or -offload-arch=");
    Archs += P.arch;
  }
  return makeError(XCC_ERROR_NO_IMAGE, {},
                   "no device of this machine has an image of all of the "
                   "program: it holds %s; the machine has %s%s; rebuild with "
                   "%s",
                   archsHeld(List.Devices).c_str(),
                   describeDevices(List, true).c_str(), Reasons.c_str(),
                   Archs.c_str());
}

xcc_error *chooseDevice(const DeviceList &List, int &Ordinal) {
  if (!List.Wanted.empty())
    return chooseWanted(List, Ordinal);
  bool Empty = archsHeld({}).empty();
  for (Device *D : List.Devices) {
    // A program without images has no use for a GPU.
    if (Empty ? !D->kind().Host : !suitsEveryUnit(*D)) {
      XCC_LOG(Load, "device %d (%s) passed over: it cannot run all images",
              D->ordinal(), D->id());
      continue;
    }
    Ordinal = D->ordinal();
    return nullptr;
  }
  return noneSuits(List);
}

} // namespace xcc::rt
