// What a program's loader is told
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "options.h"

#include <charconv>
#include <cstdlib>
#include <string_view>

namespace xcc::program {

const char *const OptionsHelp = R"(
  --blocks=X[,Y[,Z]]      Run main in so many blocks of threads (1)
  --threads=X[,Y[,Z]]     of so many threads each, each a call of its own (1)
  --stack-size=BYTES      Stack of each thread; K, M and G are units
  --heap-size=BYTES       Memory for malloc, on devices with memory of their own
  --device=NAME           host, cuda, cuda:1, hsa, ... (as XCC_DEVICE)
  --rpc-ports=N           How many calls of the host may be in progress at a time
  --timeout=SECONDS       End the program after that time, with status 124
  --env NAME=VALUE        Add to the program's environment; may be repeated
  --print-resource-usage  Print what the program's kernels take of the device
)";

bool Options::single() const {
  for (int i = 0; i != 3; ++i)
    if (blocks[i] != 1 || threads[i] != 1)
      return false;
  return true;
}

namespace {

bool readNumber(std::string_view text, uint64_t most, uint64_t &out) {
  auto [stop, error] = std::from_chars(text.begin(), text.end(), out);
  return error == std::errc() && stop == text.end() && out <= most;
}

bool readShape(std::string_view text, uint32_t (&out)[3]) {
  for (int i = 0; i != 3; ++i) {
    size_t comma = text.find(',');
    uint64_t value;
    if (!readNumber(text.substr(0, comma), 0x7fffffff, value) || !value)
      return false;
    out[i] = uint32_t(value);
    if (comma == text.npos)
      return true;
    text.remove_prefix(comma + 1);
  }
  return false;
}

bool readBytes(std::string_view text, uint64_t &out) {
  unsigned shift = 0;
  if (!text.empty())
    switch (text.back()) {
    case 'k':
    case 'K':
      shift = 10;
      break;
    case 'm':
    case 'M':
      shift = 20;
      break;
    case 'g':
    case 'G':
      shift = 30;
      break;
    }
  if (shift)
    text.remove_suffix(1);
  if (!readNumber(text, (uint64_t(1) << 40) >> shift, out))
    return false;
  out <<= shift;
  return true;
}

/// The value of an option that is so called, joined by '=' or the next argument.
class Reader {
public:
  Reader(const std::vector<std::string> &args) : args(args) {}

  size_t at = 0;
  std::string error;

  bool take(const char *name, std::string_view &value) {
    std::string_view arg = args[at], wanted = name;
    if (!arg.starts_with(wanted))
      return false;
    arg.remove_prefix(wanted.size());
    if (arg.empty()) {
      if (at + 1 == args.size()) {
        error = std::string(name) + " needs a value";
        value = {};
        return true;
      }
      value = args[++at];
      return true;
    }
    if (arg.front() != '=')
      return false;
    value = arg.substr(1);
    return true;
  }

  void wrong(const char *name, std::string_view value, const char *expected) {
    if (error.empty())
      error = std::string(name) + "=" + std::string(value) + ": expected " +
              expected;
  }

private:
  const std::vector<std::string> &args;
};

} // namespace

size_t parse(const std::vector<std::string> &args, Options &o,
             std::string &error) {
  Reader reader(args);
  for (; reader.at < args.size() && reader.error.empty(); ++reader.at) {
    const std::string &arg = args[reader.at];
    std::string_view value;
    uint64_t number = 0;
    if (arg == "--") {
      ++reader.at;
      break;
    }
    if (arg.empty() || arg[0] != '-' || arg == "-")
      break;
    if (reader.take("--blocks", value)) {
      if (!readShape(value, o.blocks))
        reader.wrong("--blocks", value, "X[,Y[,Z]], each at least 1");
    } else if (reader.take("--threads", value)) {
      if (!readShape(value, o.threads))
        reader.wrong("--threads", value, "X[,Y[,Z]], each at least 1");
    } else if (reader.take("--stack-size", value)) {
      if (!readBytes(value, o.stack) || !o.stack)
        reader.wrong("--stack-size", value, "a number of bytes");
    } else if (reader.take("--heap-size", value)) {
      if (readBytes(value, number))
        o.heap = std::to_string(number);
      else
        reader.wrong("--heap-size", value, "a number of bytes");
    } else if (reader.take("--device", value)) {
      o.device = value;
    } else if (reader.take("--rpc-ports", value)) {
      if (readNumber(value, 4096, number) && number)
        o.ports = std::to_string(number);
      else
        reader.wrong("--rpc-ports", value, "a number from 1 to 4096");
    } else if (reader.take("--timeout", value)) {
      std::string text(value);
      char *end = nullptr;
      o.timeout = strtod(text.c_str(), &end);
      if (text.empty() || *end || !(o.timeout > 0 && o.timeout < 1e9))
        reader.wrong("--timeout", value, "seconds, more than 0");
    } else if (reader.take("--env", value)) {
      if (value.find('=') == value.npos || value.front() == '=')
        reader.wrong("--env", value, "NAME=VALUE");
      o.environment.emplace_back(value);
    } else if (arg == "--print-resource-usage") {
      o.resources = true;
    } else if (arg == "--help" || arg == "-h") {
      o.help = true;
    } else if (arg == "--version") {
      o.version = true;
    } else {
      reader.error = "unknown option '" + arg + "'";
    }
  }
  error = reader.error;
  return reader.at;
}

std::vector<std::string> words(const char *text) {
  std::vector<std::string> list;
  std::string word;
  bool any = false;
  char quote = 0;
  for (; *text; ++text) {
    if (*text == '\\' && text[1] && quote != '\'') {
      word += *++text;
      any = true;
    } else if (quote ? *text == quote : *text == '\'' || *text == '"') {
      quote = quote ? 0 : *text;
      any = true;
    } else if (!quote && (*text == ' ' || *text == '\t' || *text == '\n')) {
      if (any)
        list.push_back(word);
      word.clear();
      any = false;
    } else {
      word += *text;
      any = true;
    }
  }
  if (any)
    list.push_back(word);
  return list;
}

} // namespace xcc::program
