// Facts about the pointers of a launch
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "pointer_facts.h"
#include "devices/allocations.h"

#include <cstring>

namespace xcc::rt {

/// The most bytes that a device loads at once.
static constexpr uint32_t Alignment = 16;

PointerPlaces::PointerPlaces(const xcc_kernel_info &kernel) {
  auto add = [&](uint32_t offset, bool shared) {
    if (count != Most)
      places[count++] = {offset, shared};
  };
  for (uint32_t i = 0; i != kernel.param_count; ++i)
    if (const xcc_param_info &p = kernel.params[i];
        p.kind == XCC_PARAM_POINTER && p.size == sizeof(void *))
      add(p.offset, false);
  const bool closure =
      kernel.param_count && kernel.params[0].kind == XCC_PARAM_CLOSURE;
  for (uint32_t i = 0; i != kernel.capture_count; ++i)
    if (const xcc_capture_info &c = kernel.captures[i];
        c.kind == XCC_PARAM_POINTER && !c.by_reference &&
        c.size == sizeof(void *))
      add(c.offset, closure && c.offset < kernel.params[0].size);
}

void PointerPlaces::read(const void *kernarg, uintptr_t *to) const {
  for (unsigned i = 0; i != count; ++i)
    memcpy(&to[i], static_cast<const char *>(kernarg) + places[i].offset,
           sizeof(*to));
}

std::vector<PointerFact> PointerPlaces::factsOf(const uintptr_t *pointers,
                                                const Device &on) const {
  uintptr_t begins[Most];
  unsigned allocations = 0;
  std::vector<PointerFact> facts;
  for (unsigned i = 0; i != count; ++i) {
    uintptr_t begin;
    if (!findEnclosing(pointers[i], on, begin))
      continue;
    unsigned number = 0;
    while (number != allocations && begins[number] != begin)
      ++number;
    if (number == allocations)
      begins[allocations++] = begin;
    facts.push_back({places[i].offset, number + 1,
                     pointers[i] % Alignment ? 1 : Alignment,
                     places[i].shared});
  }
  return facts;
}

std::vector<PointerFact> pointerFacts(const xcc_kernel_info &kernel,
                                      const void *kernarg, const Device &on) {
  const PointerPlaces places(kernel);
  uintptr_t pointers[PointerPlaces::Most];
  places.read(kernarg, pointers);
  return places.factsOf(pointers, on);
}

std::string textOf(const std::vector<PointerFact> &facts) {
  std::string text;
  for (const PointerFact &fact : facts)
    text += " " + std::to_string(fact.offset) + (fact.shared ? "*" : ":") +
            std::to_string(fact.allocation) + "/" +
            std::to_string(fact.alignment);
  return text;
}

} // namespace xcc::rt
