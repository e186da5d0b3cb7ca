// Messages of traps in device code
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "trap_text.h"
#include "errors/thrown.h"
#include "rpc/services/thrown.h"
#include "xcc/abi.h"

#include <cstdio>
#include <cstring>
#include <string>

namespace xcc::rt {

/// Demangles the type's name at the start of \p text, up to ": ". Text that is
/// readable already stays unchanged.
static std::string readableException(const std::string &text) {
  const size_t colon = text.find(": ");
  std::string result = readableName(text.substr(0, colon));
  return colon == std::string::npos ? result : result + text.substr(colon);
}

static std::string describeThrown(const xcc_trap_note &note) {
  std::string text = note.has_type ? readableName(note.type) : "";
  if (note.has_text)
    text.append(": ").append(note.text);
  if (note.has_function)
    text.append(", thrown in ").append(readableName(note.function));
  return text;
}

void describeTrap(const xcc_trap_note &t, char *out, size_t size) {
  const char *text = t.has_text ? t.text : nullptr;
  switch (t.kind) {
  case XCC_CPU_TRAP_ASSERT:
    snprintf(out, size, "assertion failed: %s", text ? text : "(no text)");
    break;
  case XCC_CPU_TRAP_EXCEPTION:
  case XCC_CPU_TRAP_THROWN: {
    std::string thrown = t.kind == XCC_CPU_TRAP_THROWN
                             ? describeThrown(t)
                             : readableException(text ? text : "");
    snprintf(out, size, "an exception left the kernel: %s",
             thrown.empty() ? "of unknown type" : thrown.c_str());
    break;
  }
  case XCC_CPU_TRAP_PURE_CALL:
    snprintf(out, size, "a pure virtual function was called");
    break;
  default:
    snprintf(out, size, "the kernel aborted%s%s", text && *text ? ": " : "",
             text ? text : "");
  }
  size_t used = strlen(out);
  if (t.has_file && *t.file)
    snprintf(out + used, size - used, " (%s:%u)", t.file, t.line);
}

template <size_t Size>
static uint32_t keep(char (&to)[Size], const char *text) {
  if (text)
    snprintf(to, Size, "%s", text);
  return text != nullptr;
}

static void noteThrown(xcc_trap_note &note, const xcc_thrown &thrown) {
  note.has_type = keep(note.type, thrown.type);
  note.has_text = keep(note.text, thrown.what);
  note.known = thrown.known;
  memcpy(note.block, thrown.block, sizeof note.block);
  memcpy(note.thread, thrown.thread, sizeof note.thread);
  const xcc_throw_place *place = thrown.place;
  if (!place)
    return;
  note.has_function = keep(note.function, place->function);
  note.has_file = keep(note.file, place->file);
  note.line = place->line;
  if (!thrown.object || place->size > sizeof note.object)
    return;
  note.size = place->size;
  memcpy(note.object, thrown.object, note.size);
}

void noteTrap(xcc_trap_note &note, uint32_t kind, const char *text,
              const char *file, uint32_t line) {
  note.kind = kind;
  note.line = line;
  note.has_type = note.has_function = note.known = note.size = 0;
  note.has_file = keep(note.file, file);
  if (kind == XCC_CPU_TRAP_THROWN)
    noteThrown(note, *reinterpret_cast<const xcc_thrown *>(text));
  else
    note.has_text = keep(note.text, text);
}

} // namespace xcc::rt
