// Translates options of CUDA's compiler
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "NvccOptions.h"
#include "Options.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include <optional>

using namespace llvm;

namespace xcc {
namespace {

enum class Value : uint8_t {
  None,    ///< `-G`
  Behind,  ///< `-ccbin g++`, `-ccbin=g++`
  Joined,  ///< `-rdc=true`
  Optional ///< `-Xptxas=-v`, `-Werror all-warnings`: one of a few words
};
enum class Meaning : uint8_t {
  Nothing,
  Ours,    ///< replaced by `instead`, without the value
  Before,  ///< replaced by `instead` and the value, in one word
  Each,    ///< each part of the value between commas, after `instead`
  Rejected ///< an error; `instead` says why
};
struct NvccOption {
  StringRef name; ///< without one or two dashes
  Value value;
  Meaning meaning;
  StringRef instead = "";
};

constexpr NvccOption Known[] = {
    // --offload-arch= selects the devices instead.
    {"arch", Value::Behind, Meaning::Nothing},
    {"gpu-architecture", Value::Behind, Meaning::Nothing},
    {"code", Value::Behind, Meaning::Nothing},
    {"gpu-code", Value::Behind, Meaning::Nothing},
    {"gencode", Value::Behind, Meaning::Nothing},
    {"generate-code", Value::Behind, Meaning::Nothing},
    // For the host's compiler and the linker.
    {"Xcompiler", Value::Behind, Meaning::Each},
    {"compiler-options", Value::Behind, Meaning::Each},
    {"Xlinker", Value::Behind, Meaning::Each, "-Xlinker"},
    {"linker-options", Value::Behind, Meaning::Each, "-Xlinker"},
    {"ccbin", Value::Behind, Meaning::Nothing},
    {"compiler-bindir", Value::Behind, Meaning::Nothing},
    // For NVIDIA's assembler and other tools.
    {"Xptxas", Value::Behind, Meaning::Nothing},
    {"ptxas-options", Value::Behind, Meaning::Nothing},
    {"Xnvlink", Value::Behind, Meaning::Nothing},
    {"nvlink-options", Value::Behind, Meaning::Nothing},
    {"Xcudafe", Value::Behind, Meaning::Nothing},
    {"Xfatbin", Value::Behind, Meaning::Nothing},
    {"fatbin-options", Value::Behind, Meaning::Nothing},
    {"Xarchive", Value::Behind, Meaning::Nothing},
    {"maxrregcount", Value::Behind, Meaning::Nothing},
    {"cudart", Value::Behind, Meaning::Nothing},
    {"cudadevrt", Value::Behind, Meaning::Nothing},
    {"threads", Value::Behind, Meaning::Nothing},
    {"t", Value::Behind, Meaning::Nothing},
    {"split-compile", Value::Behind, Meaning::Nothing},
    {"diag-suppress", Value::Behind, Meaning::Nothing},
    {"diag-error", Value::Behind, Meaning::Nothing},
    {"diag-warn", Value::Behind, Meaning::Nothing},
    {"default-stream", Value::Behind, Meaning::Nothing},
    // Behaviour that xcc always has.
    {"rdc", Value::Joined, Meaning::Nothing},
    {"relocatable-device-code", Value::Joined, Meaning::Nothing},
    {"extended-lambda", Value::None, Meaning::Nothing},
    {"expt-extended-lambda", Value::None, Meaning::Nothing},
    {"expt-relaxed-constexpr", Value::None, Meaning::Nothing},
    {"forward-unknown-to-host-compiler", Value::None, Meaning::Nothing},
    {"forward-unknown-to-host-linker", Value::None, Meaning::Nothing},
    {"extra-device-vectorization", Value::None, Meaning::Nothing},
    {"restrict", Value::None, Meaning::Nothing},
    {"ewp", Value::None, Meaning::Nothing},
    {"Wno-deprecated-gpu-targets", Value::None, Meaning::Nothing},
    {"Wreorder", Value::None, Meaning::Ours, "-Wreorder"},
    {"Wdefault-stream-launch", Value::None, Meaning::Nothing},
    {"Wext-lambda-captures-this", Value::None, Meaning::Nothing},
    {"Wmissing-launch-bounds", Value::None, Meaning::Nothing},
    {"display-error-number", Value::None, Meaning::Nothing},
    {"no-display-error-number", Value::None, Meaning::Nothing},
    {"clean-targets", Value::None, Meaning::Nothing},
    // Permissions to be less exact, and one option to be exact.
    {"use_fast_math", Value::None, Meaning::Ours, "-fapprox-func"},
    {"ftz", Value::Joined, Meaning::Nothing},
    {"prec-div", Value::Joined, Meaning::Nothing},
    {"prec-sqrt", Value::Joined, Meaning::Nothing},
    {"fmad=true", Value::None, Meaning::Nothing},
    {"fmad=false", Value::None, Meaning::Ours, "-ffp-contract=off"},
    // nvcc's names for options that Clang or xcc has.
    {"lineinfo", Value::None, Meaning::Ours, "-gline-tables-only"},
    {"generate-line-info", Value::None, Meaning::Ours, "-gline-tables-only"},
    {"G", Value::None, Meaning::Ours, "-g"},
    {"device-debug", Value::None, Meaning::Ours, "-g"},
    {"dc", Value::None, Meaning::Ours, "-c"},
    {"dw", Value::None, Meaning::Ours, "-c"},
    {"device-c", Value::None, Meaning::Ours, "-c"},
    {"compile", Value::None, Meaning::Ours, "-c"},
    {"res-usage", Value::None, Meaning::Ours, "-foffload-resource-usage"},
    {"resource-usage", Value::None, Meaning::Ours, "-foffload-resource-usage"},
    {"disable-warnings", Value::None, Meaning::Ours, "-w"},
    {"shared", Value::None, Meaning::Ours, "-shared"},
    {"dryrun", Value::None, Meaning::Ours, "-###"},
    {"keep", Value::None, Meaning::Ours, "-save-temps"},
    {"std", Value::Behind, Meaning::Before, "-std="},
    {"optimize", Value::Behind, Meaning::Before, "-O"},
    {"output-file", Value::Behind, Meaning::Before, "-o"},
    {"library", Value::Behind, Meaning::Before, "-l"},
    {"library-path", Value::Behind, Meaning::Before, "-L"},
    {"include-path", Value::Behind, Meaning::Before, "-I"},
    {"pre-include", Value::Behind, Meaning::Before, "-include"},
    {"Werror", Value::Optional, Meaning::Ours, "-Werror"},
    // Outputs that only one vendor's devices can read.
    {"ptx", Value::None, Meaning::Rejected, "PTX"},
    {"cubin", Value::None, Meaning::Rejected, "code of one GPU"},
    {"fatbin", Value::None, Meaning::Rejected, "code of one vendor's GPUs"},
    {"optix-ir", Value::None, Meaning::Rejected, "code of one vendor's GPUs"},
    {"ltoir", Value::None, Meaning::Rejected, "code of one vendor's GPUs"},
    {"dlink", Value::None, Meaning::Rejected, "a device link of its own"},
    {"device-link", Value::None, Meaning::Rejected, "a device link of its own"},
};

/// Whether the toolkit's library is replaced by xcc's headers.
bool isOwnLibrary(StringRef name) {
  return name == "cudart" || name == "cudart_static" || name == "cuda" ||
         name == "cudadevrt" || name == "nvToolsExt" || name == "curand";
}

bool isWarningKind(StringRef word) {
  return word == "all-warnings" || word == "cross-execution-space-call" ||
         word == "reorder" || word == "default-stream-launch" ||
         word == "ext-lambda-captures-this" ||
         word == "deprecated-declarations";
}

struct Found {
  const NvccOption *option;
  std::optional<StringRef> value; ///< joined by "="
};
/// The nvcc option that a word is or begins with.
std::optional<Found> find(StringRef word) {
  if (!word.consume_front("-"))
    return std::nullopt;
  word.consume_front("-");
  for (const NvccOption &each : Known) {
    StringRef rest = word;
    if (!rest.consume_front(each.name))
      continue;
    if (rest.empty() && each.value != Value::Joined)
      return Found{&each, std::nullopt};
    if (each.value != Value::None && rest.consume_front("="))
      return Found{&each, rest};
  }
  return std::nullopt;
}

/// Splits `a,b` at commas; keeps a comma in quotes or after a backslash.
SmallVector<std::string> parts(StringRef value) {
  SmallVector<std::string> found(1);
  char quote = 0;
  for (size_t i = 0; i < value.size(); ++i) {
    char c = value[i];
    if (quote ? c == quote : c == '"' || c == '\'')
      quote = quote ? 0 : c;
    else if (c == '\\' && i + 1 < value.size())
      found.back() += value[++i];
    else if (c == ',' && !quote)
      found.emplace_back();
    else
      found.back() += c;
  }
  return found;
}

/// The language's version, which is that of xcc's headers at least.
StringRef atLeast17(StringRef version) {
  return is_contained({"c++03", "c++11", "c++0x", "c++14", "c++1y"}, version)
             ? "c++17"
         : is_contained({"gnu++03", "gnu++11", "gnu++0x", "gnu++14", "gnu++1y"},
                        version)
             ? "gnu++17"
             : version;
}

void append(std::vector<std::string> &to, const NvccOption &option,
            StringRef value) {
  switch (option.meaning) {
  case Meaning::Nothing:
  case Meaning::Rejected:
    break;
  case Meaning::Ours:
    to.push_back(option.instead.str());
    break;
  case Meaning::Before:
    // -include and its file are two words.
    if (option.instead == "-include")
      to.insert(to.end(), {"-include", value.str()});
    else if (option.instead == "-std=")
      to.push_back(("-std=" + atLeast17(value)).str());
    else
      to.push_back((option.instead + value).str());
    break;
  case Meaning::Each:
    for (std::string &part : parts(value)) {
      if (part.empty())
        continue;
      if (!option.instead.empty())
        to.push_back(option.instead.str());
      to.push_back(std::move(part));
    }
  }
}

} // namespace

bool requestsCuda(ArrayRef<const char *> args) {
  bool asks = false;
  for (StringRef arg : args) {
    if (arg == "--")
      break;
    asks = arg == "-foffload-cuda" || (asks && arg != "-fno-offload-cuda");
  }
  return asks;
}

Expected<std::vector<std::string>>
translateNvccOptions(ArrayRef<const char *> args) {
  std::vector<std::string> result;
  for (size_t i = 0; i < args.size(); ++i) {
    StringRef word = args[i];
    if (word == "--") {
      result.insert(result.end(), args.begin() + i, args.end());
      break;
    }
    StringRef library = word;
    if (i && library.consume_front("-l") && isOwnLibrary(library))
      continue;
    if ((word == "-x" && i + 1 < args.size() &&
         StringRef(args[i + 1]) == "cu") ||
        word == "-xcu") {
      result.insert(result.end(), {"-x", "cuda"});
      i += word == "-x";
      continue;
    }
    std::optional<Found> found = i ? find(word) : std::nullopt;
    if (!found) {
      // Copy a Clang option with its values, which may look like options.
      const unsigned values = i ? valuesBehind(args, i) : 0;
      for (StringRef each : args.slice(i, values + 1))
        result.push_back(each.str());
      i += values;
      continue;
    }
    const NvccOption &option = *found->option;
    if (option.meaning == Meaning::Rejected)
      return createStringError("'" + word + "' makes " + option.instead +
                               ", and a kernel of xcc's is for every device");
    StringRef value = found->value.value_or("");
    if (!found->value && option.value == Value::Behind) {
      if (++i == args.size())
        return createStringError("'" + word + "' needs a value");
      value = args[i];
    }
    if (!found->value && option.value == Value::Optional &&
        i + 1 < args.size() && isWarningKind(args[i + 1]))
      ++i;
    append(result, option, value);
  }
  return result;
}

} // namespace xcc
