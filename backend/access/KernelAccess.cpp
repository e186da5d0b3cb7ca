// From a kernel's objects to the text in its image
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "KernelAccess.h"
#include "Flow.h"
#include "Heap.h"
#include "Overwrites.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Metadata.h"
#include "llvm/IR/Module.h"
#include "llvm/Passes/PassBuilder.h"

using namespace llvm;

namespace xcc::access {
namespace {

constexpr StringLiteral Note = "xcc.access";
/// The text length above which a text is shortened, and above which it is
/// omitted.
constexpr size_t LongText = 120, MaxText = 4096;

/// What a parameter of an entry, at \p offset in the kernarg block, may point
/// to.
Places valueAt(Objects &objects, const Argument &arg, int64_t offset,
               const DataLayout &layout) {
  Places places;
  Type *type = arg.getType();
  if (arg.hasByValAttr() || arg.hasByRefAttr()) {
    places.add({Kernarg, offset});
    return places;
  }
  Access how;
  how.size = layout.getTypeStoreSize(type);
  how.pointer = !type->getScalarType()->isIntegerTy() &&
                !type->getScalarType()->isFloatingPointTy();
  objects.load({Kernarg, offset}, how, places);
  return places;
}

std::string pathOf(const Objects &objects, unsigned index) {
  const Object &object = objects[index];
  if (!object.depth)
    return {};
  std::string path = pathOf(objects, object.parent);
  if (!path.empty())
    path += '.';
  return path +
         (object.component == Any ? "*" : std::to_string(object.component));
}

/// Orders paths: shorter ones first, and an unknown offset after all others.
bool isBefore(const Objects &objects, unsigned a, unsigned b) {
  auto components = [&](unsigned index) {
    SmallVector<std::pair<bool, int64_t>> list;
    for (; objects[index].depth; index = objects[index].parent)
      list.insert(list.begin(),
                  {objects[index].component == Any, objects[index].component});
    return list;
  };
  auto x = components(a), y = components(b);
  if (x.size() != y.size())
    return x.size() < y.size();
  return x < y;
}

/// What the text says about one object.
struct Line {
  unsigned object;
  bool read, written, below;
};

bool leadsTo(const Objects &objects, unsigned up, unsigned object) {
  while (objects[object].depth > objects[up].depth)
    object = objects[object].parent;
  return object == up;
}

/// Replaces the lines of an object and of all below it by one line, if the last
/// of these already stands for all that follows. Copied data may hold addresses
/// of more data, as far as the code shows, so there are long chains of such
/// lines.
void shorten(const Objects &objects, std::vector<Line> &lines, bool all) {
  for (size_t i = 0; i < lines.size(); ++i) {
    Line &line = lines[i];
    bool endless = false, fits = true;
    for (const Line &other : lines) {
      if (&other == &line || !leadsTo(objects, line.object, other.object))
        continue;
      endless |= other.below;
      for (unsigned at = other.object; at != line.object;
           at = objects[at].parent)
        fits &= all || objects[at].component == Any;
      fits &= (line.read || !other.read) && (line.written || !other.written);
    }
    if (!endless || !fits)
      continue;
    line.below = true;
    unsigned kept = line.object;
    erase_if(lines, [&](const Line &other) {
      return other.object != kept && leadsTo(objects, kept, other.object);
    });
  }
}

std::string textOf(const Objects &objects, bool brief) {
  if (objects[Kernarg].escaped)
    return "*+:rw";
  std::vector<Line> lines;
  for (unsigned i = FirstOther; i != objects.size(); ++i) {
    const Object &object = objects[i];
    if (object.kind != Kind::Path || !object.depth ||
        !(object.read || object.written))
      continue;
    bool covered = false;
    for (unsigned up = object.parent; objects[up].depth && !covered;
         up = objects[up].parent)
      covered = objects[up].escaped;
    if (!covered)
      lines.push_back({i, object.read, object.written, object.below});
  }
  sort(lines, [&](const Line &a, const Line &b) {
    return isBefore(objects, a.object, b.object);
  });
  shorten(objects, lines, brief);
  std::string text;
  for (const Line &line : lines)
    text += (text.empty() ? "" : ",") + pathOf(objects, line.object) +
            (line.below ? "+:" : ":") + (line.read ? "r" : "") +
            (line.written ? "w" : "");
  return text.empty() ? "none" : text;
}

/// Lists addresses of the kernarg block through which memory beside the object
/// that they point to may be used: at offsets that are not constant ("8"), up
/// to the end of what is used at constant offsets ("8+12"), or in front of the
/// object ("8+*").
std::string variableOffsetsOf(const Objects &objects) {
  std::vector<std::pair<int64_t, std::string>> found;
  for (unsigned i = FirstOther; i != objects.size(); ++i)
    if (const Object &object = objects[i]; object.kind == Kind::Path &&
                                           object.depth == 1 &&
                                           object.component != Any) {
      if (object.beside)
        found.emplace_back(object.component, "");
      if (object.before)
        found.emplace_back(object.component, "+*");
      else if (object.end)
        found.emplace_back(object.component, "+" + std::to_string(object.end));
    }
  sort(found);
  std::string text;
  for (const auto &[offset, end] : found)
    text += (text.empty() ? "" : ",") + std::to_string(offset) + end;
  return text.size() <= MaxText ? text : "";
}

} // namespace

KernelAccess accessOf(Function &entry, const Kernel &kernel,
                      KernelArguments arguments) {
  if (entry.isDeclaration())
    return {"", "it has no body", ""};
  bool segment = arguments == KernelArguments::Segment;
  if (entry.arg_size() != (segment ? 1 : kernel.params.size()))
    return {"", "its parameters are not the kernel's", ""};
  // Limit the depth if there are too many paths: their number grows
  // exponentially.
  std::string why;
  for (unsigned depth : {6, 3, 2}) {
    Flow flow(entry, depth);
    for (Argument &arg : entry.args()) {
      Places places;
      if (segment)
        places.add(Kernarg);
      else
        places =
            valueAt(flow.objects, arg, kernel.params[arg.getArgNo()].offset,
                    entry.getDataLayout());
      flow.bind(arg, places);
    }
    flow.run();
    why = flow.objects.failure;
    if (why.empty()) {
      std::string text = textOf(flow.objects, /*brief=*/false);
      if (text.size() > LongText)
        text = textOf(flow.objects, /*brief=*/true);
      if (text.size() <= MaxText)
        return {text, "", overwritesOf(entry, kernel, arguments, flow.objects),
                variableOffsetsOf(flow.objects)};
      why = "its description is too long";
    } else if (!flow.objects.tooMany) {
      break;
    }
  }
  return {"", why, ""};
}

PreservedAnalyses KernelAccessPass::run(Module &module,
                                        ModuleAnalysisManager &) {
  LLVMContext &context = module.getContext();
  NamedMDNode *notes = module.getOrInsertNamedMetadata(Note);
  for (const Kernel &kernel : kernels) {
    Function *entry = module.getFunction(kernel.symbol);
    if (!entry)
      continue;
    KernelAccess access = accessOf(*entry, kernel, arguments);
    access.heap = mayUseHeap(*entry);
    notes->addOperand(
        MDNode::get(context, {MDString::get(context, kernel.symbol),
                              MDString::get(context, access.paths),
                              MDString::get(context, access.unknown),
                              MDString::get(context, access.overwrites),
                              MDString::get(context, access.beside),
                              MDString::get(context, access.heap ? "1" : "")}));
  }
  return PreservedAnalyses::all();
}

void addToPipeline(PassBuilder &builder, const KernelTable &kernels,
                   KernelArguments arguments) {
  builder.registerOptimizerEarlyEPCallback(
      [&kernels, arguments](ModulePassManager &manager, OptimizationLevel,
                            ThinOrFullLTOPhase) {
        manager.addPass(KernelAccessPass(kernels, arguments));
      });
}

void markAccess(GeneratedPart &part, const Module &module) {
  const NamedMDNode *notes = module.getNamedMetadata(Note);
  if (!notes)
    return;
  for (const MDNode *note : notes->operands()) {
    StringRef symbol = cast<MDString>(note->getOperand(0))->getString();
    StringRef paths = cast<MDString>(note->getOperand(1))->getString();
    if (!paths.empty())
      part.columns.push_back({symbol.str(), "access", paths.str()});
    StringRef overwrites = cast<MDString>(note->getOperand(3))->getString();
    if (!overwrites.empty())
      part.columns.push_back({symbol.str(), "overwrites", overwrites.str()});
    StringRef beside = cast<MDString>(note->getOperand(4))->getString();
    if (!beside.empty())
      part.columns.push_back({symbol.str(), "beside", beside.str()});
    if (!cast<MDString>(note->getOperand(5))->getString().empty())
      part.columns.push_back({symbol.str(), "heap", "1"});
    if (paths.empty())
      part.unknownAccess[symbol] =
          cast<MDString>(note->getOperand(2))->getString().str();
  }
}

} // namespace xcc::access
