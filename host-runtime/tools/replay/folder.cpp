// A recorded launch, as its folder has it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "folder.h"
#include "formats/bytes.h"
#include "formats/files.h"
#include "records/launch_files.h"

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <cstring>
#include <nlohmann/json.hpp>
#include <sys/stat.h>
#include <unistd.h>

namespace replay {

using namespace xcc::rt;
using Json = nlohmann::ordered_json;

uint64_t Launch::bytes() const {
  uint64_t all = 0;
  for (const Range &r : memory)
    all += r.bytes;
  return all;
}

std::string readFile(const std::string &path) {
  FILE *in = fopen(path.c_str(), "rbe");
  if (!in)
    throw Failure(path + ": " + strerror(errno));
  std::string out;
  char buffer[1 << 16];
  errno = 0;
  while (size_t n = fread(buffer, 1, sizeof(buffer), in))
    out.append(buffer, n);
  const int failed = ferror(in) ? (errno ? errno : EIO) : 0;
  fclose(in);
  if (failed)
    throw Failure(path + ": " + strerror(failed));
  return out;
}

static std::string hexadecimal(uint64_t number) {
  char text[24];
  snprintf(text, sizeof(text), "0x%llx",
           static_cast<unsigned long long>(number));
  return text;
}

static std::string hashText(const std::string &data) {
  char text[17];
  snprintf(
      text, sizeof(text), "%016llx",
      static_cast<unsigned long long>(hashOf(Bytes(data.data(), data.size()))));
  return text;
}

static uint64_t parseHexadecimal(const std::string &text) {
  uint64_t number = 0;
  const char *begin = text.c_str(), *end = begin + text.size();
  auto [stop, error] = text.starts_with("0x")
                           ? std::from_chars(begin + 2, end, number, 16)
                           : std::from_chars_result{begin, std::errc(1)};
  if (error != std::errc() || stop != end)
    throw Failure("'" + text + "' is no address");
  return number;
}

//===----------------------------------------------------------------------===//
// Reading
//===----------------------------------------------------------------------===//

/// A file that launch.json tells of.
static std::string readPart(const std::string &path, const char *name,
                            const Json &files) {
  if (!files.contains(name))
    return "";
  const Json &said = files.at(name);
  std::string data = readFile(path + "/" + name);
  if (data.size() != said.at("bytes").get<uint64_t>() ||
      hashText(data) != said.at("hash").get<std::string>())
    throw Failure("the record is damaged: " + path + "/" + name + " has " +
                  std::to_string(data.size()) + " bytes with the hash " +
                  hashText(data) + ", and launch.json says " +
                  said.at("bytes").dump() + " with " +
                  said.at("hash").get<std::string>());
  return data;
}

static void readMemory(const Json &list, Launch &out) {
  uint64_t end = 0, offset = 0;
  for (const Json &one : list) {
    Range r;
    r.begin = parseHexadecimal(one.at("address"));
    r.bytes = one.at("bytes");
    r.ofHost = one.at("kind").get<std::string>() == records::OfHost;
    r.offset = offset;
    if (r.begin < end || !r.bytes || r.bytes > ~r.begin)
      throw Failure("its ranges of memory are not in order");
    end = r.begin + r.bytes;
    offset += r.bytes;
    out.memory.push_back(r);
  }
}

static void parseDescription(const Json &all, Launch &out) {
  if (all.at("format") != records::Format)
    throw Failure("it has format " + all.at("format").dump() +
                  ", and this xcc-replay reads format " +
                  std::to_string(records::Format));
  out.outcome = all.at("outcome");
  const Json &kernel = all.at("kernel"), &launch = all.at("launch");
  out.kernel = kernel.at("name");
  out.symbol = kernel.at("symbol");
  out.kernelFile = kernel.at("file");
  out.kernelLine = kernel.at("line");
  out.kernargAlignment = kernel.at("kernarg_alignment");
  out.fingerprint = parseHexadecimal(kernel.at("fingerprint"));
  out.grid = launch.at("grid");
  out.block = launch.at("block");
  out.shared = launch.at("shared");
  out.cooperative = launch.at("cooperative") != 0;
  out.loop = launch.at("loop") != 0;
  out.heap = launch.at("heap") != 0;
  out.file = launch.at("file");
  out.line = launch.at("line");
  out.device = all.at("device").at("id");
  out.arch = all.at("device").at("arch");
  readMemory(all.at("memory"), out);
}

Launch readFolder(const std::string &path) {
  const std::string file = path + "/" + records::Description;
  const std::string text = readFile(file);
  Launch out;
  try {
    const Json all = Json::parse(text);
    parseDescription(all, out);
    const Json &files = all.at("files");
    out.images = readPart(path, records::Images, files);
    out.arguments = readPart(path, records::Arguments, files);
    out.before = readPart(path, records::Before, files);
    out.after = readPart(path, records::After, files);
  } catch (const Json::exception &e) {
    throw Failure(file + " is no record of a launch: " + e.what());
  } catch (const Failure &e) {
    const std::string why = e.what();
    throw Failure(why.find(path) == why.npos ? file + ": " + why : why);
  }
  if (out.before.size() != out.bytes() ||
      (out.hasAfter() && out.after.size() != out.bytes()))
    throw Failure("the record is damaged: " + path +
                  " has less memory than launch.json says");
  return out;
}

//===----------------------------------------------------------------------===//
// Writing
//===----------------------------------------------------------------------===//

static void writeFile(const std::string &path, const std::string &data) {
  std::string temporary = path;
  const int file = makeTemporary(temporary);
  NoSizeSignal here;
  bool good = file >= 0 && fchmod(file, 0600) == 0 &&
              writeAll(file, Bytes(data.data(), data.size()));
  int reason = errno;
  if (file >= 0)
    close(file);
  good = good && rename(temporary.c_str(), path.c_str()) == 0;
  if (good)
    return;
  if (file >= 0)
    unlink(temporary.c_str());
  throw Failure("cannot write " + path + ": " + strerror(reason));
}

static Json partJson(const std::string &data) {
  return {{"bytes", data.size()}, {"hash", hashText(data)}};
}

static Json describe(const Launch &l) {
  Json memory = Json::array();
  for (const Range &r : l.memory)
    memory.push_back(
        {{"address", hexadecimal(r.begin)},
         {"bytes", r.bytes},
         {"kind", r.ofHost ? records::OfHost : records::OfDevice}});
  Json files = {{records::Images, partJson(l.images)},
                {records::Arguments, partJson(l.arguments)},
                {records::Before, partJson(l.before)}};
  if (l.hasAfter())
    files[records::After] = partJson(l.after);
  return {{"format", records::Format},
          {"outcome", l.outcome},
          {"kernel",
           {{"name", l.kernel},
            {"symbol", l.symbol},
            {"file", l.kernelFile},
            {"line", l.kernelLine},
            {"kernarg_size", l.arguments.size()},
            {"kernarg_alignment", l.kernargAlignment},
            {"fingerprint", hexadecimal(l.fingerprint)}}},
          {"launch",
           {{"grid", l.grid},
            {"block", l.block},
            {"shared", l.shared},
            {"cooperative", int(l.cooperative)},
            {"loop", int(l.loop)},
            {"heap", int(l.heap)},
            {"file", l.file},
            {"line", l.line}}},
          {"device", {{"id", l.device}, {"arch", l.arch}}},
          {"files", files},
          {"memory", memory}};
}

void writeFolder(const std::string &path, const Launch &l) {
  writeFile(path + "/" + records::Before, l.before);
  if (l.hasAfter())
    writeFile(path + "/" + records::After, l.after);
  writeFile(path + "/" + records::Description,
            describe(l).dump(1, ' ', false, Json::error_handler_t::replace) +
                "\n");
}

} // namespace replay
