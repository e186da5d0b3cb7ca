// Runs ptxas and parses its output
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ptxas.h"
#include "support/Files.h"
#include "support/Processes.h"
#include "support/ResultCache.h"
#include "toolkit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xcc::nvptx {

/// The number before `what` in a line such as "8 bytes stack frame, ...".
static uint32_t numberBefore(StringRef line, StringRef what) {
  size_t at = line.find(what);
  if (at == StringRef::npos)
    return 0;
  StringRef head = line.take_front(at).rtrim();
  size_t digits = head.find_last_not_of("0123456789");
  uint32_t number = 0;
  head.drop_front(digits == StringRef::npos ? 0 : digits + 1)
      .getAsInteger(10, number);
  return number;
}

std::map<std::string, Usage> readUsage(StringRef text) {
  std::map<std::string, Usage> all;
  Usage *current = nullptr;
  SmallVector<StringRef> lines;
  text.split(lines, '\n');
  for (StringRef line : lines) {
    if (size_t at = line.find("Compiling entry function '");
        at != StringRef::npos) {
      StringRef name = line.drop_front(at).split('\'').second;
      current = &all[name.split('\'').first.str()];
    } else if (line.contains("Function properties for")) {
      StringRef name = line.rsplit(' ').second.trim();
      auto found = all.find(name.str());
      current = found == all.end() ? nullptr : &found->second;
    } else if (current && line.contains("bytes stack frame")) {
      current->stack = numberBefore(line, "bytes stack frame");
      current->spillStores = numberBefore(line, "bytes spill stores");
      current->spillLoads = numberBefore(line, "bytes spill loads");
    } else if (current && line.contains("Used ")) {
      current->registers = numberBefore(line, "registers");
      current->shared = numberBefore(line, "bytes smem");
    }
  }
  return all;
}

namespace {

/// The inputs of ptxas. The program has no build ID, but its size or time
/// changes when it is replaced.
CacheKey keyOf(ArrayRef<std::string> programs, StringRef ptx, StringRef arch,
               const DeviceCodegenOptions &options) {
  CacheKey key("cubin 1");
  key.add(arch);
  key.add(options.optLevel);
  key.add(options.debugInfo);
  key.add(programs.size());
  for (const std::string &program : programs) {
    sys::fs::file_status file;
    key.add(program);
    if (!sys::fs::status(program, file)) {
      key.add(file.getSize());
      key.add(file.getLastModificationTime().time_since_epoch().count());
    }
  }
  key.add(ptx);
  return key;
}

/// The contents of a cache entry: the length of the messages, the messages, and
/// the cubin.
SmallString<0> written(StringRef messages, StringRef cubin) {
  char size[8];
  support::endian::write64le(size, messages.size());
  SmallString<0> bytes(StringRef(size, sizeof(size)));
  bytes += messages;
  bytes += cubin;
  return bytes;
}

std::optional<Assembled> readAssembled(StringRef bytes) {
  if (bytes.size() < 8)
    return std::nullopt;
  uint64_t size = support::endian::read64le(bytes.data());
  bytes = bytes.drop_front(8);
  if (size > bytes.size())
    return std::nullopt;
  Assembled result;
  result.usage = readUsage(bytes.take_front(size));
  result.cubin = MemoryBuffer::getMemBufferCopy(bytes.drop_front(size));
  return result;
}

} // namespace

Expected<Assembled> assemble(StringRef ptx, StringRef arch,
                             const DeviceCodegenOptions &options) {
  Assembled result;
  std::vector<std::string> programs = assemblers(options);
  if (programs.empty())
    return result;
  std::optional<CacheKey> key;
  if (options.cache) {
    key.emplace(keyOf(programs, ptx, arch, options));
    if (auto stored = options.cache->find(*key))
      if (auto assembled = readAssembled(stored->getBuffer()))
        return std::move(*assembled);
  }
  auto files = createTemporaries("xcc-device", {"ptx", "cubin", "txt"});
  if (!files)
    return files.takeError();
  StringRef input = (*files)[0].path(), output = (*files)[1].path(),
            messages = (*files)[2].path();
  if (Error error = writeFile(input, [&](raw_ostream &os) { os << ptx; }))
    return createStringError("cannot write '" + input +
                             "': " + toString(std::move(error)));
  for (const std::string &program : programs) {
    SmallVector<StringRef> args = {program, "-v", "-arch", arch, "-o", output};
    std::string level = "-O" + utostr(options.optLevel);
    args.push_back(level);
    if (options.debugInfo)
      args.push_back(options.optLevel ? "-lineinfo" : "-g");
    args.push_back(input);
    std::string failure;
    std::optional<StringRef> redirects[] = {StringRef(""), messages, messages};
    int code = executeAndWait(program, args, redirects, &failure);
    auto said = MemoryBuffer::getFile(messages);
    StringRef text = said ? (*said)->getBuffer() : StringRef();
    if (code == 0) {
      auto cubin = MemoryBuffer::getFile(output, false, false);
      if (!cubin)
        return createStringError("cannot read what '" + program +
                                 "' wrote: " + cubin.getError().message());
      result.cubin = MemoryBuffer::getMemBufferCopy((*cubin)->getBuffer());
      result.usage = readUsage(text);
      if (key)
        options.cache->store(*key, written(text, result.cubin->getBuffer()));
      return result;
    }
    // This ptxas is too old or too new for the arch.
    if (text.contains("is not defined for option 'gpu-name'") ||
        text.contains("Unsupported .version") ||
        text.contains("Unsupported .target"))
      continue;
    if (code < 0 && text.empty())
      return createStringError("cannot run '" + program + "': " + failure);
    // The output also contains the lines of -v.
    std::string errors;
    for (StringRef line : split(text, '\n'))
      if (!line.contains("info    :") && !line.starts_with("    "))
        errors += (line.trim() + "\n").str();
    return createStringError("'" + program + "' refused the PTX for " + arch +
                             ":\n" + StringRef(errors).rtrim());
  }
  return result;
}

double occupancy(Arch arch, unsigned threads, const Usage &usage) {
  Multiprocessor has = multiprocessorOf(arch);
  unsigned warps = divideCeil(threads, 32u);
  // Each warp gets registers in units of 256, from a total of 65536.
  unsigned perWarp =
      std::max<unsigned>(alignTo(usage.registers * 32u, 256u), 256u);
  unsigned blocks = std::min(has.blocks, has.warps / warps);
  blocks = std::min(blocks, 65536 / perWarp / warps);
  if (usage.shared)
    blocks = std::min(blocks, has.shared / (usage.shared + 1024));
  return double(blocks * warps) / has.warps;
}

} // namespace xcc::nvptx
