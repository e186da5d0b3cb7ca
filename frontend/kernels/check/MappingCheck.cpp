// Checks whether a launch can map the types that its kernel refers to
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MappingCheck.h"
#include "HostCode.h"
#include "Names.h"
#include "Report.h"
#include "kernels/find/HeaderTemplates.h"
#include "kernels/find/KernelFinder.h"
#include "kernels/find/MemberVisits.h"
#include "kernels/walk/ValueParts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"
#include "llvm/ADT/StringSwitch.h"

using namespace clang;

namespace xcc {

/// Why a type cannot be mapped, and what to write instead.
struct MappingCheck::Problem {
  const char *why;
  std::string instead;
};
static constexpr char FileIsOpen[] = "it is an open file of the host's";
static constexpr char PrintInstead[] =
    "print in the kernel with std::printf, or pass the text in a std::vector";

namespace {

/// How this file treats a class that it knows by its name.
enum class Known {
  No,
  Parts,      ///< its parts decide
  Container,  ///< <xcc/transfer.h> finds its memory
  Function,   ///< calls a function that the host has stored
  Lock,       ///< of the host's threads
  File,       ///< an open file or stream
  OtherOfStd, ///< another class of std, which may own anything
};

Known known(const CXXRecordDecl *record) {
  llvm::StringRef name;
  if (record->getIdentifier())
    name = record->getName();
  else if (const TypedefNameDecl *alias = record->getTypedefNameForAnonDecl())
    name = alias->getName();
  if (!record->isInStdNamespace())
    return llvm::StringSwitch<Known>(name)
        .Cases({"pthread_mutex_t", "pthread_cond_t", "pthread_rwlock_t",
                "pthread_barrier_t", "sem_t", "mtx_t", "cnd_t"},
               Known::Lock)
        .Case("_IO_FILE", Known::File)
        .Default(Known::No);
  bool stream = name.starts_with("basic_") &&
                (name.ends_with("stream") || name.ends_with("buf"));
  return llvm::StringSwitch<Known>(name)
      .Case("", Known::Parts)
      .Cases({"pair", "tuple", "array", "complex", "atomic", "move_iterator",
              "reverse_iterator", "enable_shared_from_this"},
             Known::Parts)
      .Cases({"queue", "priority_queue", "stack"}, Known::Parts)
      .Cases({"vector", "basic_string", "basic_string_view", "span", "mdspan",
              "optional", "variant", "unique_ptr", "reference_wrapper",
              "initializer_list", "valarray", "expected"},
             Known::Container)
      .Cases({"list", "forward_list", "deque", "map", "multimap", "set",
              "multiset", "unordered_map", "unordered_multimap",
              "unordered_set", "unordered_multiset"},
             Known::Container)
      .Cases({"shared_ptr", "weak_ptr"}, Known::Container)
      .Cases({"function", "move_only_function", "packaged_task"},
             Known::Function)
      .Cases({"mutex", "timed_mutex", "recursive_mutex",
              "recursive_timed_mutex", "shared_mutex", "shared_timed_mutex",
              "condition_variable", "condition_variable_any"},
             Known::Lock)
      .Cases({"lock_guard", "unique_lock", "shared_lock", "scoped_lock",
              "counting_semaphore", "barrier", "latch", "once_flag"},
             Known::Lock)
      .Cases({"ios_base", "basic_ios"}, Known::File)
      // Internal parts of the library, whose names a user does not know.
      .Default(stream                  ? Known::File
               : name.starts_with("_") ? Known::Parts
                                       : Known::OtherOfStd);
}

} // namespace

/// Whether a comparison or hash of the standard library looks at an address in
/// a value of the type.
static bool isByAddress(QualType type) {
  type = type.getCanonicalType();
  if (type->isPointerType())
    return true;
  const auto *made = dyn_cast_or_null<ClassTemplateSpecializationDecl>(
      type->getAsCXXRecordDecl());
  if (!made || !made->getIdentifier())
    return false;
  if (made->getName() == "__normal_iterator")
    return true;
  if (!made->isInStdNamespace())
    return false;
  if (llvm::is_contained({"unique_ptr", "shared_ptr"}, made->getName()))
    return true;
  if (!llvm::is_contained({"pair", "tuple", "array", "optional", "variant",
                           "vector", "deque", "list", "forward_list"},
                          made->getName()))
    return false;
  return llvm::any_of(typeArguments(made), isByAddress);
}

/// Whether a container of the standard library is ordered by addresses.
static bool isOrderedByAddress(const ClassTemplateSpecializationDecl *made) {
  const unsigned function =
      llvm::StringSwitch<unsigned>(made->getName())
          .Cases({"set", "multiset", "unordered_set", "unordered_multiset"}, 1)
          .Cases({"map", "multimap", "unordered_map", "unordered_multimap"}, 2)
          .Case("priority_queue", 2)
          .Default(0);
  const TemplateArgumentList &args = made->getTemplateArgs();
  if (!function || function >= args.size())
    return false;
  const CXXRecordDecl *by =
      args[function].getKind() == TemplateArgument::Type
          ? args[function].getAsType()->getAsCXXRecordDecl()
          : nullptr;
  return by && by->isInStdNamespace() && by->getIdentifier() &&
         llvm::is_contained({"less", "greater", "less_equal", "greater_equal",
                             "owner_less", "hash"},
                            by->getName()) &&
         isByAddress(args[0].getAsType());
}

MappingCheck::MappingCheck(Sema &sema, const Warnings &warnings)
    : sema(sema), context(sema.Context), warnings(warnings),
      policy(context.getPrintingPolicy()) {
  policy.SuppressTagKeyword = true;
}

bool MappingCheck::hasTransfer(QualType type, SourceLocation at) {
  QualType given = context.getCanonicalType(type).getUnqualifiedType();
  return llvm::any_of(
      membersNamed<ClassTemplateDecl>(xccNamespace(context), "transfer"),
      [&](ClassTemplateDecl *trait) {
        return !completeSpecialization(sema, trait, given, at).isNull();
      });
}

void MappingCheck::check(const std::string &what, QualType type,
                         SourceLocation declared, SourceLocation at) {
  launch = at;
  path.assign({Step{what, declared}});
  within.clear();
  fine.clear();
  bad.clear();
  walk(type, /*behind=*/false);
}

void MappingCheck::captures(const CXXRecordDecl *closure, SourceLocation at) {
  if (!closures.insert(closure->getCanonicalDecl()).second)
    return;
  auto capture = closure->captures_begin();
  for (const FieldDecl *field : closure->fields()) {
    if (capture == closure->captures_end())
      break;
    std::string name =
        capture->capturesVariable()
            ? "capture '" + capture->getCapturedVar()->getNameAsString() + "'"
            : "capture 'this'";
    QualType type = field->getType();
    if (capture->getCaptureKind() == LCK_This)
      type = context.getLValueReferenceType(type->getPointeeType());
    if (!field->hasCapturedVLAType())
      check(name, type, capture->getLocation(), at);
    ++capture;
  }
}

bool MappingCheck::canMap(QualType type, SourceLocation at) {
  quiet = true;
  launch = at;
  path.assign({Step{"", at}});
  within.clear();
  fine.clear();
  bad.clear();
  const bool can = walk(type, /*behind=*/false);
  quiet = false;
  return can;
}

bool MappingCheck::reject(QualType type, const Problem &problem) {
  if (quiet)
    return false;
  Severity severity = warnings.of(WarningGroup::Mapping, Severity::Error,
                                  sema.getDiagnostics());
  if (severity == Severity::Ignored)
    return false;
  std::string steps;
  for (const Step &step : path)
    steps += (steps.empty() ? "" : " -> ") + step.name;
  report(sema, levelOf(severity), launch,
         "%0 of type '%1' cannot be mapped to a device with memory of its own: "
         "%2 [-Woffload-mapping]")
      << steps << type.getUnqualifiedType().getAsString(policy) << problem.why;
  report(sema, DiagnosticsEngine::Note, path.back().declared,
         "declared here; %0")
      << problem.instead;
  return false;
}

/// What the user can write if a kernel refers to an object with virtual
/// functions.
std::string MappingCheck::insteadOfDynamic(const CXXRecordDecl *record) const {
  if (path.back().name != "capture 'this'")
    return "make the object in the kernel, or use a std::variant";
  std::string members;
  for (const FieldDecl *field : record->fields())
    if (members.empty() && field->getIdentifier() && !field->isBitField())
      members = ", as in [&" + field->getNameAsString() + " = " +
                field->getNameAsString() + "]";
  return "capture the members that the kernel uses" + members;
}

/// Returns false after reporting a problem. With `behind`, an address leads to
/// the value, so that the host's object is copied; otherwise the value is in
/// the kernarg segment, and is the device's own.
bool MappingCheck::walk(QualType type, bool behind) {
  if (type->isVariablyModifiedType() || type->isIncompleteArrayType())
    return !behind && !type->isReferenceType()
               ? true
               : reject(type, {"nothing says how many elements it has",
                               "pass a std::span or a std::vector"});
  QualType is = context.getBaseElementType(type.getCanonicalType());
  if (const auto *atomic = is->getAs<AtomicType>())
    is = atomic->getValueType().getCanonicalType();
  if (const auto *complex = is->getAs<ComplexType>())
    is = complex->getElementType().getCanonicalType();
  if (is->isSpecificBuiltinType(BuiltinType::LongDouble))
    return reject(type, {"long double has another size there",
                         "use double, or two of them"});
  if (is->isReferenceType())
    return is->getPointeeType()->isFunctionType() ||
           walk(type.getNonReferenceType(), /*behind=*/true);
  if (is->isFunctionPointerType() || is->isMemberFunctionPointerType() ||
      is->isBlockPointerType())
    return !behind ||
           reject(type, {"functions have other addresses there",
                         "make the function a template argument, or call it by "
                         "name in the kernel"});
  if (is->isPointerType()) {
    if (is->getPointeeType().getCanonicalType()->isSpecificBuiltinType(
            BuiltinType::LongDouble))
      return walk(is->getPointeeType(), /*behind=*/true);
    const CXXRecordDecl *to = is->getPointeeType()->getAsCXXRecordDecl();
    if (!behind || !to)
      return true;
    if (known(to) == Known::File)
      return reject(type, {FileIsOpen, PrintInstead});
    for (const CXXRecordDecl *record : within) {
      llvm::SmallPtrSet<const CXXRecordDecl *, 8> seen;
      if (leadsBack(is->getPointeeType(), record, seen))
        return reject(
            type, {"it leads back to the object that contains it, and nothing "
                   "says where that ends",
                   "specialise xcc::transfer for the class to say what its "
                   "pointers refer to, or keep such objects in a std::vector "
                   "and refer to them by number"});
    }
    return true;
  }
  const CXXRecordDecl *record = is->getAsCXXRecordDecl();
  return !record || walkClass(type, record, behind);
}

bool MappingCheck::walkClass(QualType type, const CXXRecordDecl *record,
                             bool behind) {
  QualType is = context.getBaseElementType(type.getCanonicalType());
  if (record->isDependentType() || llvm::is_contained(within, record))
    return true;
  if (behind && fine.contains(is.getUnqualifiedType().getTypePtr()))
    return true;
  if (behind && bad.contains(is.getUnqualifiedType().getTypePtr()))
    return false;
  if (!sema.isCompleteType(launch, is))
    return !behind || known(record) == Known::File ||
           reject(type, {"its class is not defined here",
                         "define the class before the launch"});
  record = record->getDefinition();
  if (hasTransfer(is, launch))
    return true;
  Known what = known(record);
  if (behind) {
    switch (what) {
    case Known::Function:
      return reject(type, {"functions have other addresses there",
                           "call the function by its name in the kernel, or "
                           "make it a template argument"});
    case Known::Lock:
      return reject(type,
                    {"it is a lock of the host's threads",
                     "keep the lock out of what kernels refer to; share data "
                     "through a std::atomic, or order kernels by a stream"});
    case Known::File:
      return reject(type, {FileIsOpen, PrintInstead});
    default:
      break;
    }
    if (what == Known::OtherOfStd && holdsAddresses(context, is))
      return reject(type, {"nothing says what memory belongs to it",
                           "pass its elements in a std::vector or a "
                           "std::span, or specialise xcc::transfer for it"});
    if (record->isDynamicClass())
      return reject(type, {record->isPolymorphic()
                               ? "it has virtual functions, and an object that "
                                 "the host made calls the host's functions"
                               : "it has virtual bases, which are found "
                                 "through the host's virtual tables",
                           insteadOfDynamic(record)});
  }
  if (record->isUnion() && what == Known::No && holdsAddresses(context, is))
    return reject(type,
                  {"only the program knows which of its members is active",
                   "specialise xcc::transfer for the class that knows, "
                   "or use a std::variant"});
  within.push_back(record);
  bool right = true;
  const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record);
  if (behind && made && record->isInStdNamespace() && isOrderedByAddress(made))
    right = reject(
        type,
        {"its order depends on addresses, which differ there: nothing would be "
         "found",
         "use numbers of elements as keys, or compare what the keys point to"});
  if (what == Known::OtherOfStd) {
    // Holds no addresses: the bits are copied.
  } else if (made && record->isInStdNamespace() &&
             (what == Known::Container ||
              (what == Known::Parts && record->getIdentifier() &&
               !record->getName().starts_with("_")))) {
    bool owns = what == Known::Container &&
                !llvm::is_contained({"optional", "variant", "expected"},
                                    record->getName());
    path.push_back({owns ? "element" : "", path.back().declared});
    llvm::SmallVector<TemplateArgument, 8> args;
    for (const TemplateArgument &arg : made->getTemplateArgs().asArray())
      if (arg.getKind() == TemplateArgument::Pack)
        args.append(arg.pack_begin(), arg.pack_end());
      else
        args.push_back(arg);
    unsigned number = 0;
    for (const TemplateArgument &arg : args) {
      if (arg.getKind() != TemplateArgument::Type)
        continue;
      // Skip classes without members, such as allocators.
      const CXXRecordDecl *of = arg.getAsType()->getAsCXXRecordDecl();
      if (of && of->hasDefinition() && of->isEmpty())
        continue;
      if (!owns)
        path.back().name = "part " + std::to_string(number);
      ++number;
      QualType inside = arg.getAsType();
      if (const auto *array = context.getAsIncompleteArrayType(inside))
        inside = array->getElementType();
      right = walk(inside, behind || owns) && right;
    }
    path.pop_back();
  } else {
    right = walkMembers(record, behind);
  }
  within.pop_back();
  // Report each class once.
  if (behind)
    (right ? fine : bad).insert(is.getUnqualifiedType().getTypePtr());
  return right;
}

bool MappingCheck::walkMembers(const CXXRecordDecl *record, bool behind) {
  // A problem of an inner closure is reported at its own launch, which the user
  // wrote.
  if (record->isLambda() && closures.contains(record->getCanonicalDecl()))
    return true;
  bool right = true;
  for (const CXXBaseSpecifier &base : record->bases()) {
    path.push_back(
        {"base '" + base.getType().getUnqualifiedType().getAsString(policy) +
             "'",
         base.getBeginLoc()});
    right = walk(base.getType(), behind) && right;
    path.pop_back();
  }
  auto capture = record->isLambda() ? record->captures_begin() : nullptr;
  for (const FieldDecl *field : record->fields()) {
    Step step{field->getDeclName().isEmpty()
                  ? "a member without a name"
                  : "member '" + field->getNameAsString() + "'",
              field->getLocation()};
    QualType type = field->getType();
    if (record->isLambda() && capture != record->captures_end()) {
      step.name =
          capture->capturesVariable()
              ? "capture '" + capture->getCapturedVar()->getNameAsString() + "'"
              : "capture 'this'";
      step.declared = capture->getLocation();
      if (capture->getCaptureKind() == LCK_This)
        type = context.getLValueReferenceType(type->getPointeeType());
      ++capture;
    }
    if (field->hasCapturedVLAType())
      continue;
    path.push_back(std::move(step));
    right = walk(type, behind) && right;
    path.pop_back();
  }
  return right;
}

/// Whether an object of the type is a `to`, or leads to one.
bool MappingCheck::leadsBack(
    QualType type, const CXXRecordDecl *to,
    llvm::SmallPtrSetImpl<const CXXRecordDecl *> &seen) {
  type = context.getBaseElementType(type.getCanonicalType());
  while (type->isAnyPointerType() || type->isReferenceType())
    type =
        context.getBaseElementType(type->getPointeeType().getCanonicalType());
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  record = record->getDefinition();
  if (record == to)
    return true;
  if (!seen.insert(record).second || hasTransfer(type, launch))
    return false;
  if (const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record);
      made && record->isInStdNamespace()) {
    for (QualType arg : typeArguments(made))
      if (leadsBack(arg, to, seen))
        return true;
    return false;
  }
  return llvm::any_of(partTypes(record),
                      [&](QualType part) { return leadsBack(part, to, seen); });
}

void answerGoesToDevice(Sema &sema, TagDecl *decl) {
  ClassTemplateSpecializationDecl *made =
      question(decl, annotation::GoesToDevice);
  if (!made)
    return;
  QualType type = made->getTemplateArgs().get(0).getAsType();
  SourceLocation at = made->getPointOfInstantiation();
  if (type->isDependentType() || type->isVoidType())
    return;
  const Warnings none;
  answer(sema.Context, made, "can_map",
         MappingCheck(sema, none).canMap(type, at));
  answer(sema.Context, made, "holds_code", leadsToHostCode(sema, type));
}

void checkMapped(Sema &sema, llvm::ArrayRef<NamedArgument> arguments,
                 const Warnings &warnings) {
  MappingCheck check(sema, warnings);
  for (const auto &[name, object] : arguments) {
    QualType type = object->getType();
    if (type->isPointerType() || type->isDependentType())
      continue;
    SourceLocation at = object->getExprLoc();
    check.check("'" + name + "'", sema.Context.getLValueReferenceType(type), at,
                at);
  }
}

} // namespace xcc
