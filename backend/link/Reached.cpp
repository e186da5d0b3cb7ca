// What kernels reach, and errors in it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reached.h"
#include "Initialisers.h"
#include "Names.h"
#include "targets/Target.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/Metadata.h"

using namespace llvm;

namespace xcc {
namespace {

/// Collects the functions, variables and aliases that a global value's code or
/// initial value names, each once, in order.
class Named {
public:
  explicit Named(const GlobalValue &value) {
    if (const auto *function = dyn_cast<Function>(&value))
      for (const Instruction &inst : instructions(*function))
        for (const Use &operand : inst.operands())
          look(operand.get());
    for (const Use &operand : value.operands())
      look(operand.get());
  }
  SetVector<const GlobalValue *> found;

private:
  SmallPtrSet<const Value *, 16> seen;

  void look(const Value *value) {
    const auto *constant = dyn_cast<Constant>(value);
    if (!constant || isa<ConstantData>(constant))
      return;
    if (const auto *global = dyn_cast<GlobalValue>(constant)) {
      found.insert(global);
      return;
    }
    if (seen.insert(constant).second)
      for (const Use &operand : constant->operands())
        look(operand.get());
  }
};

struct Place {
  StringRef file, line; ///< "line:column"
  std::string text() const {
    return file.empty() ? "" : (file + ":" + line + ": ").str();
  }
};

/// The place of a use in a node, by the use's number. Checks the kinds of
/// operands, because bitcode may contain any metadata.
Place placeOf(const MDNode &node, unsigned number) {
  const auto *file = dyn_cast_or_null<MDString>(node.getOperand(0).get());
  const auto *lines = dyn_cast_or_null<MDString>(node.getOperand(1).get());
  if (!file || !lines)
    return {};
  SmallVector<StringRef> each;
  lines->getString().split(each, ' ');
  return number < each.size() ? Place{file->getString(), each[number]}
                              : Place{};
}

/// The place where a function names another, if its unit noted it.
Place placeOfUse(const GlobalValue &by, const GlobalValue &of) {
  const auto *function = dyn_cast<Function>(&by);
  if (!function)
    return {};
  SmallVector<MDNode *> uses;
  function->getMetadata(metadata::Use, uses);
  if (const GlobalVariable *made = uses.empty() ? madeBy(*function) : nullptr)
    made->getMetadata(metadata::Use, uses);
  for (const MDNode *node : uses)
    for (unsigned i = 2; i < node->getNumOperands(); ++i)
      if (const auto *value =
              dyn_cast_or_null<ConstantAsMetadata>(node->getOperand(i).get());
          value && value->getValue() == &of)
        return placeOf(*node, i - 2);
  return {};
}

/// Shortest paths from the kernels to everything they reach.
class Paths {
public:
  Paths(const Module &module, const KernelTable &kernels) {
    // The link's own kernels come last: they initialise what kernels use.
    for (bool own : {false, true}) {
      size_t i = order.size();
      for (const Kernel &kernel : kernels)
        if (const Function *entry = module.getFunction(kernel.symbol);
            entry && isOwn(kernel.symbol) == own &&
            reached.try_emplace(entry, nullptr).second) {
          names[entry] = kernel.name;
          order.push_back(entry);
        }
      for (; i < order.size(); ++i)
        for (const GlobalValue *next : Named(*order[i]).found)
          if (reached.try_emplace(next, order[i]).second)
            order.push_back(next);
    }
  }

  ArrayRef<const GlobalValue *> all() const { return order; }

  /// Notes for the steps to `value`, innermost first.
  std::string to(const GlobalValue &value, bool firstIsUse) const {
    std::string text;
    const GlobalValue *at = &value;
    while (const GlobalValue *by = next(at)) {
      if (isSymbol(*by)) {
        at = by;
        continue;
      }
      Place place = placeOfUse(*by, *at);
      std::string inner = nameOf(*at), outer = nameOf(*by);
      // A user sees a variable and its initialiser as one.
      const auto *initialiser = dyn_cast<Function>(at);
      bool visible = inner != outer && !outer.empty() &&
                     !(initialiser && madeBy(*initialiser) == by);
      if (firstIsUse && at == &value) {
        text += place.text() + "note: used " +
                (visible ? "by " + outer + " " : "") + "here\n";
        if (const auto *function = dyn_cast<Function>(at);
            function && function->hasFnAttribute(attribute::NoHostCall))
          text += "note: it cannot become a call of the host by itself: " +
                  function->getFnAttribute(attribute::NoHostCall)
                      .getValueAsString()
                      .str() +
                  "\n";
      } else if (visible && !inner.empty())
        text += place.text() + "note: " + inner + " is " +
                (isa<Function>(at) && isa<Function>(by) ? "called" : "used") +
                " by " + outer + (place.file.empty() ? "" : " here") + "\n";
      at = by;
    }
    if (auto kernel = names.find(at); kernel != names.end()) {
      Place launch;
      if (const MDNode *node =
              cast<Function>(at)->getMetadata(metadata::Launch))
        launch = placeOf(*node, 0);
      if (isSymbol(*at))
        return text + launch.text() + "note: xcc::symbol asks for it here\n";
      text += launch.text() + "note: in kernel '" + kernel->second.str() + "'" +
              (launch.file.empty() ? "" : ", which is launched here") + "\n";
    }
    return text;
  }

private:
  DenseMap<const GlobalValue *, const GlobalValue *> reached; ///< the value
                                                              ///< that names it

  /// Whether the function is, or belongs to, the kernel of xcc::symbol.
  bool isSymbol(const GlobalValue &function) const {
    auto kernel = names.find(&function);
    const std::string name = kernel != names.end()
                                 ? kernel->second.str()
                                 : demangle(function.getName());
    return name.find("xcc::symbol_place<") != std::string::npos;
  }
  static bool isOwn(StringRef symbol) {
    return symbol == XCC_SYMBOL_INIT || symbol == XCC_SYMBOL_FINI;
  }
  /// The value that names `at`. For an initialiser this is its variable, if a
  /// kernel uses that.
  const GlobalValue *next(const GlobalValue *at) const {
    const GlobalValue *by = reached.lookup(at);
    const auto *function = dyn_cast<Function>(at);
    if (!by || !function || !isOwn(by->getName()))
      return by;
    const GlobalVariable *made = madeBy(*function);
    for (const GlobalValue *from = made; from; from = reached.lookup(from))
      if (!reached.contains(from) || isOwn(from->getName()))
        return by;
    return made ? made : by;
  }
  DenseMap<const GlobalValue *, StringRef> names; ///< names of the entries'
                                                  ///< kernels
  std::vector<const GlobalValue *> order;

  /// The value's name in the source, in quotes; empty for generated functions.
  std::string nameOf(const GlobalValue &value) const {
    if (names.count(&value))
      return "";
    if (const auto *function = dyn_cast<Function>(&value))
      if (const GlobalVariable *made = madeBy(*function))
        return "the initialiser of '" + demangle(made->getName()) + "'";
    std::string name = demangle(value.getName());
    StringRef shown = name;
    if (shown.contains("xcc::detail::") || shown.contains("xcc::function_") ||
        shown.contains("xcc::object_"))
      return "";
    return "'" + name + "'";
  }
};

} // namespace

/// The value of an attribute of a function or variable; empty if it has none.
static StringRef attributeOf(const GlobalValue &value, StringRef name) {
  if (const auto *function = dyn_cast<Function>(&value))
    return function->getFnAttribute(name).getValueAsString();
  if (const auto *variable = dyn_cast<GlobalVariable>(&value))
    return variable->getAttributes().getAttribute(name).getValueAsString();
  return "";
}

StringRef faultOf(const GlobalValue &value) {
  return attributeOf(value, attribute::Fault);
}

SetVector<const GlobalValue *> namedBy(const GlobalValue &value) {
  return std::move(Named(value).found);
}

void dropUnreached(Module &module,
                   function_ref<bool(const GlobalValue &)> keep) {
  SetVector<GlobalValue *> live;
  for (GlobalValue &value : module.global_values())
    if (keep(value))
      live.insert(&value);
  for (size_t i = 0; i < live.size(); ++i)
    for (const GlobalValue *next : Named(*live[i]).found)
      live.insert(const_cast<GlobalValue *>(next));
  SmallVector<GlobalValue *> dead;
  for (GlobalValue &value : module.global_values())
    if (!live.contains(&value))
      dead.push_back(&value);
  for (GlobalValue *value : dead) {
    if (auto *function = dyn_cast<Function>(value))
      function->deleteBody();
    else
      value->dropAllReferences();
  }
  // Remaining uses are constants without users.
  for (GlobalValue *value : dead) {
    value->removeDeadConstantUsers();
    if (!value->use_empty())
      value->replaceAllUsesWith(PoisonValue::get(value->getType()));
    value->eraseFromParent();
  }
}

namespace {

/// Finds code that prevents a kernel of a standard algorithm.
class AlgorithmObstacles {
public:
  AlgorithmObstacles(const Module &module, const KernelTable &kernels,
                     const std::function<bool(StringRef)> &isProvided)
      : paths(module, kernels) {
    for (const GlobalObject &object : module.global_objects())
      if (!faultOf(object).empty() || !stateOf(object).empty() ||
          (isUndefined(object) && isProvided && !isProvided(object.getName())))
        obstacles.insert(&object);
  }
  bool empty() const { return obstacles.empty(); }

  /// The first obstacle that an entry reaches, or null.
  const GlobalValue *onPathFrom(const Function &entry) {
    SetVector<const GlobalValue *> reached;
    reached.insert(&entry);
    for (size_t i = 0; i != reached.size(); ++i) {
      if (obstacles.contains(reached[i]))
        return reached[i];
      auto [at, fresh] = names.try_emplace(reached[i]);
      if (fresh)
        at->second = namedBy(*reached[i]);
      reached.insert_range(at->second);
    }
    return nullptr;
  }

  /// Describes an obstacle as a warning.
  std::string describe(const GlobalValue &obstacle) const {
    if (StringRef state = stateOf(obstacle); !state.empty()) {
      auto [place, name] = state.split('\t');
      return warning((place + ": ").str(),
                     "it uses the variable '" + name.str() +
                         "', of which a device has its own") +
             place.str() + ": note: capture its value or its address, as in [" +
             name.str() + " = " + name.str() + "] or [&" + name.str() + " = " +
             name.str() + "]\n";
    }
    if (StringRef fault = faultOf(obstacle); !fault.empty())
      return describeFault(fault);
    std::string notes = paths.to(obstacle, /*firstIsUse=*/true);
    StringRef first = StringRef(notes).split('\n').first;
    return warning(first.split("note: ").first.str(),
                   "device code uses '" + demangle(obstacle.getName()) +
                       "', which nothing in this link defines for a device");
  }

private:
  const Paths paths;
  SmallPtrSet<const GlobalValue *, 8> obstacles;
  DenseMap<const GlobalValue *, SetVector<const GlobalValue *>> names;

  static StringRef stateOf(const GlobalValue &value) {
    return attributeOf(value, attribute::State);
  }
  static std::string warning(const std::string &place, const std::string &why) {
    return place +
           "warning: an algorithm of the standard runs on the host, and not on "
           "this device: " +
           why + " [-Woffload-stdpar]\n";
  }
  /// Turns Clang's error text into a warning. Notes about include files may
  /// precede the error.
  static std::string describeFault(StringRef fault) {
    while (!fault.empty() && !fault.split('\n').first.contains("error: "))
      fault = fault.split('\n').second;
    auto [first, rest] = fault.split('\n');
    auto [place, why] = first.split("error: ");
    return warning(place.str(), why.str()) + rest.str();
  }
};

} // namespace

void dropOptional(Module &module, KernelTable &kernels,
                  const std::function<bool(StringRef)> &isProvided,
                  std::vector<std::string> &texts) {
  if (none_of(kernels, [](const Kernel &kernel) { return kernel.optional; }))
    return;
  const KernelTable all = kernels;
  AlgorithmObstacles obstacles(module, all, isProvided);
  if (obstacles.empty())
    return;
  std::vector<Function *> dropped;
  erase_if(kernels, [&](const Kernel &kernel) {
    Function *entry = module.getFunction(kernel.symbol);
    const GlobalValue *obstacle =
        kernel.optional && entry ? obstacles.onPathFrom(*entry) : nullptr;
    if (!obstacle)
      return false;
    dropped.push_back(entry);
    texts.push_back(obstacles.describe(*obstacle));
    return true;
  });
  for (Function *entry : dropped) {
    entry->deleteBody();
    if (entry->use_empty())
      entry->eraseFromParent();
  }
}

Error checkFaults(const Module &module, const KernelTable &kernels) {
  if (all_of(module.global_objects(), [](const GlobalObject &object) {
        return faultOf(object).empty();
      }))
    return Error::success();
  Paths paths(module, kernels);
  std::string errors;
  StringSet<> said;
  for (const GlobalValue *value : paths.all()) {
    StringRef text = faultOf(*value);
    if (!text.empty() && said.insert(text).second)
      errors += text.str() + paths.to(*value, /*firstIsUse=*/false);
  }
  if (errors.empty())
    return Error::success();
  return createStringError(errors);
}

StringMap<std::string> pathsToUndefined(const Module &module,
                                        const KernelTable &kernels) {
  StringMap<std::string> result;
  if (none_of(module.global_objects(), isUndefined))
    return result;
  Paths paths(module, kernels);
  for (const GlobalValue *value : paths.all())
    if (const auto *object = dyn_cast<GlobalObject>(value);
        object && isUndefined(*object))
      result[object->getName()] = paths.to(*object, /*firstIsUse=*/true);
  return result;
}

void dropLinkNotes(Module &module) {
  for (StringRef kind : {metadata::Use, metadata::Launch, metadata::Place})
    for (GlobalObject &object : module.global_objects())
      object.eraseMetadata(module.getContext().getMDKindID(kind));
  for (Function &function : module)
    function.removeFnAttr(attribute::State);
  for (GlobalVariable &variable : module.globals())
    if (variable.hasAttribute(attribute::State))
      variable.setAttributes(variable.getAttributes().removeAttribute(
          module.getContext(), attribute::State));
}

} // namespace xcc
