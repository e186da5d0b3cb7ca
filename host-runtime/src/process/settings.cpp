// Numeric environment variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "settings.h"
#include "devices/kinds.h"
#include "generation/generator.h"
#include "services/service_policy.h"

#include <charconv>
#include <cstdlib>
#include <cstring>

namespace xcc::rt {

xcc_status readSetting(const NumberSetting &s, uint64_t fallback,
                       uint64_t &out) {
  out = fallback;
  const char *text = secure_getenv(s.name);
  if (!text || !*text)
    return XCC_SUCCESS;
  const char *end = text + strlen(text);
  uint64_t wanted;
  auto [stop, error] = std::from_chars(text, end, wanted);
  if (error != std::errc() || stop != end || wanted < s.least ||
      wanted > s.most)
    return fail(XCC_ERROR_INVALID_VALUE,
                "%s=%s: expected a number%s from %llu to %llu", s.name, text,
                s.bytes ? " of bytes" : "",
                static_cast<unsigned long long>(s.least),
                static_cast<unsigned long long>(s.most));
  out = wanted;
  return XCC_SUCCESS;
}

uint64_t noticeAfter() {
  uint64_t seconds;
  if (readSetting(NoticeAfter, 10, seconds) != XCC_SUCCESS)
    seconds = 10;
  return seconds * 1'000'000'000;
}

uint64_t exitTimeout() {
  uint64_t seconds;
  if (readSetting(ExitWait, 10, seconds) != XCC_SUCCESS)
    seconds = 10;
  return seconds * 1'000'000'000;
}

uint64_t initialiserLimit() {
  uint64_t seconds;
  if (readSetting(InitialiserLimit, 60, seconds) != XCC_SUCCESS)
    seconds = 60;
  return seconds;
}

xcc_status checkSettings() {
  uint64_t unused;
  for (const DeviceKind &k : deviceKinds())
    for (const NumberSetting &s : k.settings)
      XCC_TRY(readSetting(s, 0, unused));
  XCC_TRY(readSetting(DeviceHeap, 0, unused));
  XCC_TRY(readSetting(CallPorts, 1, unused));
  XCC_TRY(readSetting(NoticeAfter, 10, unused));
  XCC_TRY(readSetting(ExitWait, 10, unused));
  XCC_TRY(readSetting(InitialiserLimit, 60, unused));
  XCC_TRY(checkJitSetting());
  return denyByEnvironment();
}

} // namespace xcc::rt
