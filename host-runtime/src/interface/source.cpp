// Compiled source in the C interface
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "devices/context.h"
#include "generation/source_module.h"
#include "images/units.h"
#include "process/log.h"
#include "services/host_services.h"

#include <new>

using namespace xcc::rt;

static xcc_status checkOptions(const char *text, uint64_t size,
                               const xcc_source_options *options) {
  if (!text && size)
    return failNull("xcc_source_compile", "text");
  if (!options)
    return failNull("xcc_source_compile", "options");
  if (options->size != sizeof(xcc_source_options))
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_source_compile: the options are of %u bytes, this "
                "runtime's of %zu; rebuild with one xcc",
                options->size, sizeof(xcc_source_options));
  if (!(options->seconds >= 0))
    return fail(XCC_ERROR_INVALID_VALUE,
                "xcc_source_compile: %g is no number of seconds",
                options->seconds);
  if ((options->argument_count && !options->arguments) ||
      (options->header_count && !options->headers) ||
      (options->kernel_count && !options->kernels))
    return failNull("xcc_source_compile", "a list of the options");
  for (uint64_t i = 0; i != options->argument_count; ++i)
    if (!options->arguments[i])
      return failNull("xcc_source_compile", "an argument");
  for (uint64_t i = 0; i != options->kernel_count; ++i)
    if (!options->kernels[i])
      return failNull("xcc_source_compile", "a kernel's name");
  for (uint64_t i = 0; i != options->header_count; ++i)
    if (!options->headers[i].name ||
        (!options->headers[i].text && options->headers[i].size))
      return failNull("xcc_source_compile", "a header");
  return XCC_SUCCESS;
}

xcc_status xcc_source_compile(const char *text, uint64_t size,
                              const xcc_source_options *options,
                              xcc_source **source) {
  if (!source)
    return failNull("xcc_source_compile", "source");
  *source = nullptr;
  XCC_TRY(checkOptions(text, size, options));
  XCC_TRY(mayWait("xcc::jit::compile_source"));
  Device *on;
  XCC_TRY(currentDevice(on));
  const char *name =
      options->name && *options->name ? options->name : "the source";
  try {
    CompiledSource compiled;
    XCC_TRY(compileSource({text, size}, *options, *on, compiled));
    bool good = compiled.images.size() != 0;
    // Moving the vector keeps its bytes in place, so references stay valid.
    *source = new xcc_source{1, {std::move(compiled), name}};
    if (good) {
      rememberUnit((*source)->module.unit());
      return XCC_SUCCESS;
    }
    const SourceTable &table = (*source)->module.table();
    const SourceDiagnostic *first = nullptr;
    unsigned errors = 0;
    for (const SourceDiagnostic &d : table.diagnostics) {
      errors += d.level == XCC_SOURCE_ERROR;
      if (!first && d.level == XCC_SOURCE_ERROR)
        first = &d;
    }
    if (!first)
      return fail(XCC_ERROR_INVALID_SOURCE, "%s does not compile", name);
    std::string more =
        errors > 1 ? " (and " + std::to_string(errors - 1) + " more)" : "";
    if (first->file.empty())
      return fail(XCC_ERROR_INVALID_SOURCE, "%s does not compile: %s%s", name,
                  first->message.c_str(), more.c_str());
    return fail(XCC_ERROR_INVALID_SOURCE, "%s does not compile: %s:%u:%u: %s%s",
                name, first->file.c_str(), first->line, first->column,
                first->message.c_str(), more.c_str());
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory while %s was compiled",
                name);
  }
}

xcc_source *xcc_source_retain(xcc_source *source) {
  if (source)
    source->count.fetch_add(1, std::memory_order_relaxed);
  return source;
}

void xcc_source_release(xcc_source *source) {
  if (!source || source->count.fetch_sub(1, std::memory_order_acq_rel) != 1)
    return;
  if (!forked() && mayWait("xcc_source_release") != XCC_SUCCESS) {
    // The source's kernels may be waiting for this very thread.
    XCC_LOG(Load, "a compiled source stays loaded: it was released by a "
                  "function that a kernel called");
    return;
  }
  xcc_binary_unload(&source->module.unit());
  delete source;
}

const char *xcc_source_log(const xcc_source *source, uint64_t *count) {
  if (count)
    *count = source ? source->module.table().diagnostics.size() : 0;
  return source ? source->module.table().log.c_str() : "";
}

void xcc_source_get_diagnostic(const xcc_source *source, uint64_t index,
                               xcc_source_diagnostic *out) {
  if (!out)
    return;
  *out = {"", "", 0, 0, 0, 0};
  if (!source || index >= source->module.table().diagnostics.size())
    return;
  const SourceDiagnostic &d = source->module.table().diagnostics[index];
  *out = {d.message.c_str(), d.file.c_str(), d.line, d.column, d.level, 0};
}

xcc_status xcc_source_kernel(const xcc_source *source, const char *name,
                             const xcc_source_type *types, uint32_t count,
                             const xcc_kernel_info **kernel) {
  if (!source || !name || !kernel)
    return failNull("xcc_source_kernel", "an argument");
  *kernel = nullptr;
  try {
    return source->module.findKernel(name, types, count, kernel);
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for kernel '%s'", name);
  }
}

xcc_status xcc_source_check(const xcc_source *source,
                            const xcc_kernel_info *kernel,
                            const xcc_source_type *types, uint32_t count) {
  if (!source || !kernel || (count && !types))
    return failNull("xcc_source_check", "an argument");
  try {
    return source->module.check(kernel, types, count, /*exactly=*/false);
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for kernel '%s'",
                kernel->name);
  }
}

xcc_status xcc_source_variable(const xcc_source *source, const char *name,
                               const xcc_source_type *type,
                               const xcc_kernel_info **place) {
  if (!source || !name || !place)
    return failNull("xcc_source_variable", "an argument");
  *place = nullptr;
  try {
    return source->module.findVariable(name, type, place);
  } catch (const std::bad_alloc &) {
    return fail(XCC_ERROR_OUT_OF_MEMORY, "out of memory for variable '%s'",
                name);
  }
}

const xcc_kernel_info *xcc_source_get_kernel(const xcc_source *source,
                                             uint64_t index) {
  return source ? source->module.kernel(index) : nullptr;
}
