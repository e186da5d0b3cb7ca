// A compiled source as a linked unit
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "source_module.h"
#include "errors/error.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace xcc::rt {

SourceModule::SourceModule(CompiledSource &&compiled, const char *name)
    : source(std::move(compiled)), name(name) {
  record.abi_version = XCC_ABI_VERSION;
  record.kind = XCC_BINARY_SOURCE;
  record.images_begin = source.images.data();
  record.images_end = source.images.data() + source.images.size();
  for (const SourceKernel &kernel : source.table.kernels) {
    Described &made = kernels.emplace_back();
    made.source = &kernel;
    for (const SourceVariable &variable : source.table.variables)
      made.ofVariable |= variable.symbol == kernel.symbol;
    for (const SourceParam &p : kernel.params)
      made.params.push_back({p.name.c_str(), p.type.c_str(), p.size,
                             p.alignment, p.offset, p.kind});
    for (const SourceCapture &c : kernel.captures)
      made.captures.push_back({c.name.c_str(), c.type.c_str(), c.size, c.offset,
                               c.byReference, c.kind});
    xcc_kernel_info &info = made.info;
    info.magic = XCC_KERNEL_MAGIC;
    info.abi_version = XCC_ABI_VERSION;
    info.name = kernel.name.c_str();
    info.symbol = kernel.symbol.c_str();
    info.file = kernel.file.c_str();
    info.line = kernel.line;
    info.column = kernel.column;
    info.params = made.params.data();
    info.captures = made.captures.data();
    info.param_count = uint32_t(made.params.size());
    info.capture_count = uint32_t(made.captures.size());
    info.kernarg_size = kernel.kernargSize;
    info.kernarg_alignment = kernel.kernargAlignment;
    info.fingerprint = kernel.fingerprint;
    info.binary = &record;
    info.specialized = kernel.specialized.data();
    info.specialized_count = uint32_t(kernel.specialized.size());
    info.slots = made.slots;
  }
}

const xcc_kernel_info *SourceModule::kernel(uint64_t index) const {
  for (const Described &kernel : kernels)
    if (!kernel.ofVariable && index-- == 0)
      return &kernel.info;
  return nullptr;
}

const SourceModule::Described *
SourceModule::describedBy(const xcc_kernel_info *info) const {
  for (const Described &kernel : kernels)
    if (&kernel.info == info)
      return &kernel;
  return nullptr;
}

std::string SourceModule::listKernels() const {
  std::string list;
  for (const Described &kernel : kernels) {
    if (kernel.ofVariable)
      continue;
    list += (list.empty() ? "'" : ", '") + kernel.source->name + "'";
    for (const std::string &expression : kernel.source->expressions)
      if (expression != kernel.source->name)
        list += " (also '" + expression + "')";
  }
  return list.empty() ? "no kernels" : list;
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

static std::string readable(const char *mangled, uint32_t reference) {
  std::unique_ptr<char, void (*)(void *)> text(
      abi::__cxa_demangle(mangled, nullptr, nullptr, nullptr), free);
  std::string type = text ? text.get() : mangled;
  if (reference) {
    if (type.ends_with("*"))
      type.pop_back();
    type += reference == 1 ? "&" : "&&";
  }
  return type;
}

static std::string listTypes(const xcc_source_type *types, uint32_t count) {
  std::string list = "(";
  for (uint32_t i = 0; i != count; ++i)
    list += (i ? ", " : "") +
            (types[i].mangled ? readable(types[i].mangled, types[i].reference)
                              : std::to_string(types[i].size) + " bytes");
  return list + ")";
}

static std::string listTypes(const SourceKernel &kernel) {
  std::vector<xcc_source_type> types;
  for (const SourceParam &p : kernel.params)
    types.push_back({p.mangled.c_str(), p.size,
                     p.how == 'l'   ? 1u
                     : p.how == 'r' ? 2u
                                    : 0u});
  return listTypes(types.data(), uint32_t(types.size()));
}

/// Does the second pointer type only add const to the first?
static bool addsConst(std::string_view from, std::string_view to) {
  return from.starts_with('P') && to.starts_with("PK") &&
         from.substr(1) == to.substr(2);
}

static bool suits(const SourceParam &param, const xcc_source_type &type,
                  bool exactly) {
  if (param.size != type.size)
    return false;
  uint32_t reference = param.how == 'l' ? 1 : param.how == 'r' ? 2 : 0;
  if (exactly && reference != type.reference)
    return false;
  if (!exactly && reference)
    return false; // the type does not tell to what the reference would refer
  return !type.mangled || param.mangled == type.mangled ||
         (!exactly &&
          (addsConst(type.mangled, param.mangled) ||
           (!strcmp(type.mangled, "Dn") && param.mangled.starts_with('P'))));
}

xcc_status SourceModule::check(const xcc_kernel_info *kernel,
                               const xcc_source_type *types, uint32_t count,
                               bool exactly) const {
  const Described *described = describedBy(kernel);
  if (!described)
    return fail(XCC_ERROR_INVALID_KERNEL, "the kernel does not belong to %s",
                name.c_str());
  const SourceKernel &source = *described->source;
  bool same = source.params.size() == count;
  for (uint32_t i = 0; same && i != count; ++i)
    same = suits(source.params[i], types[i], exactly);
  if (same)
    return XCC_SUCCESS;
  return fail(XCC_ERROR_INVALID_KERNEL,
              exactly ? "kernel '%s' of %s has the parameters %s; given are %s"
                      : "kernel '%s' of %s has the parameters %s, and "
                        "arguments must have exactly these types; given are %s",
              source.name.c_str(), name.c_str(), listTypes(source).c_str(),
              listTypes(types, count).c_str());
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

xcc_status SourceModule::findKernel(const char *wanted,
                                    const xcc_source_type *types,
                                    uint32_t count,
                                    const xcc_kernel_info **out) const {
  const Described *found = nullptr;
  bool several = false;
  auto take = [&](const Described &kernel) {
    several |= found && found != &kernel;
    found = &kernel;
  };
  for (const Described &kernel : kernels) {
    if (kernel.ofVariable)
      continue;
    bool is = kernel.source->name == wanted || kernel.source->symbol == wanted;
    for (const std::string &expression : kernel.source->expressions)
      is |= expression == wanted;
    if (is)
      take(kernel);
  }
  // The names of overloads include their parameters.
  if (!found && types)
    for (const Described &kernel : kernels) {
      const SourceKernel &k = *kernel.source;
      if (kernel.ofVariable || k.name.substr(0, k.name.find('(')) != wanted ||
          k.params.size() != count)
        continue;
      bool same = true;
      for (uint32_t i = 0; same && i != count; ++i)
        same = suits(k.params[i], types[i], /*exactly=*/true);
      if (same)
        take(kernel);
    }
  if (several)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "several kernels of %s are called '%s'; name the symbol of one",
                name.c_str(), wanted);
  if (!found)
    return fail(XCC_ERROR_INVALID_KERNEL,
                "%s has no kernel '%s'; it has %s. Kernels are the functions "
                "that the text defines, return void and have external linkage, "
                "and those that options::kernels names",
                name.c_str(), wanted, listKernels().c_str());
  if (types)
    if (xcc_status s = check(&found->info, types, count, /*exactly=*/true);
        s != XCC_SUCCESS)
      return s;
  *out = &found->info;
  return XCC_SUCCESS;
}

xcc_status SourceModule::findVariable(const char *wanted,
                                      const xcc_source_type *type,
                                      const xcc_kernel_info **place) const {
  std::string list;
  for (const SourceVariable &variable : source.table.variables) {
    list += (list.empty() ? "'" : ", '") + variable.name + "'";
    if (variable.name != wanted)
      continue;
    if (type && (type->size != variable.size ||
                 (type->mangled && variable.mangled != type->mangled)))
      return fail(XCC_ERROR_INVALID_VALUE,
                  "variable '%s' of %s is a %s of %llu bytes; given is %s of "
                  "%u bytes",
                  wanted, name.c_str(), variable.type.c_str(),
                  static_cast<unsigned long long>(variable.size),
                  type->mangled ? readable(type->mangled, 0).c_str()
                                : "an object",
                  type->size);
    for (const Described &kernel : kernels)
      if (kernel.source->symbol == variable.symbol) {
        *place = &kernel.info;
        return XCC_SUCCESS;
      }
  }
  return fail(XCC_ERROR_INVALID_VALUE,
              "%s has no variable '%s' that it defines with external linkage; "
              "it has %s",
              name.c_str(), wanted, list.empty() ? "none" : list.c_str());
}

} // namespace xcc::rt
