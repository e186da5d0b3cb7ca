// Numbers that the environment sets
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "settings.h"
#include "../backends.h"
#include "../services/service_policy.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace xcc::rt {

xcc_status readSetting(const NumberSetting &S, uint64_t Default,
                       uint64_t &Out) {
  Out = Default;
  const char *Text = secure_getenv(S.Name);
  if (!Text || !*Text)
    return XCC_SUCCESS;
  const char *End = Text + strlen(Text);
  uint64_t Wanted;
  auto [Stop, Error] = std::from_chars(Text, End, Wanted);
  if (Error != std::errc() || Stop != End || Wanted < S.Least ||
      Wanted > S.Most)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s=%s: expected a number%s from %llu to %llu", S.Name, Text,
                S.Bytes ? " of bytes" : "",
                static_cast<unsigned long long>(S.Least),
                static_cast<unsigned long long>(S.Most));
  Out = Wanted;
  return XCC_SUCCESS;
}

xcc_status checkSettings() {
  uint64_t Unused;
  for (const Backend &B : backends())
    for (const NumberSetting &S : B.Settings)
      XCC_TRY(readSetting(S, 0, Unused));
  XCC_TRY(readSetting(DeviceHeap, 0, Unused));
  return denyByEnvironment();
}

} // namespace xcc::rt
