// Checks whether a value's bytes mean the same on a device
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "CopyCheck.h"
#include "Report.h"
#include "kernels/find/MemberVisits.h"
#include "kernels/walk/ValueParts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/EnterExpressionEvaluationContext.h"
#include "clang/Sema/Initialization.h"
#include "clang/Sema/Sema.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace xcc {
namespace {

/// Whether a copy has the same bits. A type with a deleted copy counts too.
bool isBits(const CXXRecordDecl *record) {
  return record->hasTrivialDestructor() &&
         (record->hasTrivialCopyConstructor() ||
          record->hasTrivialMoveConstructor());
}

/// The copy or move constructor or the destructor that the program defines;
/// null if it defines none.
const CXXMethodDecl *ownCode(const CXXRecordDecl *record) {
  const CXXMethodDecl *found = nullptr;
  if (const CXXDestructorDecl *destructor = record->getDestructor();
      destructor && destructor->isUserProvided())
    found = destructor;
  for (const CXXConstructorDecl *each : record->ctors())
    if (each->isCopyOrMoveConstructor() && each->isUserProvided()) {
      if (each->isCopyConstructor())
        return each;
      found = found ? found : each;
    }
  return found;
}

bool callsAnything(const CXXRecordDecl *record) {
  return record->getIdentifier() &&
         llvm::is_contained({"function", "move_only_function",
                             "copyable_function", "packaged_task"},
                            record->getName());
}

const char *nameOf(const CXXMethodDecl *code) {
  const auto *constructor = dyn_cast<CXXConstructorDecl>(code);
  return !constructor                       ? "destructor"
         : constructor->isCopyConstructor() ? "copy constructor"
                                            : "move constructor";
}

} // namespace

/// Why a value cannot be copied, and what to write instead.
struct CopyCheck::Problem {
  std::string why;
  const char *instead =
      "a capture or parameter by reference is mapped, a std::span carries "
      "elements; or pass only the values that the kernel needs";
};

CopyCheck::CopyCheck(Sema &sema)
    : sema(sema), context(sema.Context), policy(context.getPrintingPolicy()) {
  policy.SuppressTagKeyword = true;
}

std::string CopyCheck::text(QualType type) const {
  std::string name = type.getUnqualifiedType().getAsString(policy);
  if (llvm::StringRef(name).starts_with("typename "))
    name = type.getCanonicalType().getUnqualifiedType().getAsString(policy);
  return "'" + name + "'";
}

bool CopyCheck::check(const std::string &what, QualType type,
                      SourceLocation declared, SourceLocation at) {
  launch = at;
  path.assign({Step{what, declared}});
  return walk(type);
}

bool CopyCheck::object(const CXXRecordDecl *record, SourceLocation at) {
  if (!seen.insert(record->getCanonicalDecl()).second)
    return !isRejected(record);
  launch = at;
  path.clear();
  bool right = true;
  if (record->isLambda()) {
    right = walkParts(record);
  } else {
    path.push_back({"function object", record->getLocation()});
    right = walk(context.getCanonicalTagType(record));
  }
  if (!right)
    rejected.insert(record->getCanonicalDecl());
  return right;
}

bool CopyCheck::parameter(const std::string &what, QualType type,
                          SourceLocation declared, SourceLocation at) {
  if (type->isReferenceType() || type->isDependentType() ||
      !type->isRecordType())
    return true;
  if (!check(what, type, declared, at))
    return false;
  if (isCopied(type, at, /*direct=*/false))
    return true;
  report(sema, DiagnosticsEngine::Error, at,
         "%0 of type %1 cannot be given to every thread: it cannot be copied "
         "from a constant")
      << what << text(type);
  report(sema, DiagnosticsEngine::Note, declared,
         "declared here; take it by reference to const and pass a variable, "
         "which is mapped, or capture it in a lambda, whose captures all "
         "threads share");
  return false;
}

bool CopyCheck::isCopied(QualType type, SourceLocation at, bool direct) {
  EnterExpressionEvaluationContext unevaluated(
      sema, Sema::ExpressionEvaluationContext::Unevaluated);
  type = type.getUnqualifiedType();
  Expr *source = new (context) OpaqueValueExpr(at, type.withConst(), VK_LValue);
  auto entity = InitializedEntity::InitializeTemporary(type);
  InitializationKind kind = direct
                                ? InitializationKind::CreateDirect(at, at, at)
                                : InitializationKind::CreateCopy(at, at);
  Sema::SFINAETrap trap(sema);
  InitializationSequence sequence(sema, entity, kind, source);
  return sequence &&
         !sequence.Perform(sema, entity, kind, source).isInvalid() &&
         !trap.hasErrorOccurred();
}

bool CopyCheck::rejectDynamic(QualType type, const CXXRecordDecl *record) {
  return reject(type, {record->isPolymorphic()
                           ? "the type has virtual functions, and an object "
                             "that the host made calls the host's functions"
                           : "the type has virtual bases, which are found "
                             "through the host's virtual tables",
                       "make the object in the kernel, or use a std::variant"});
}

bool CopyCheck::reject(QualType type, const Problem &problem,
                       const CXXRecordDecl *copied) {
  if (quiet)
    return false;
  std::string steps;
  for (const Step &step : path)
    steps += (steps.empty() ? "" : " -> ") + step.name;
  report(sema, DiagnosticsEngine::Error, launch,
         "%0 of type %1 cannot be copied to a device: %2")
      << steps << text(type) << problem.why;
  report(sema, DiagnosticsEngine::Note, path.back().declared,
         "declared here; %0")
      << problem.instead;
  const CXXMethodDecl *code = copied ? ownCode(copied) : nullptr;
  if (code && !copied->isInStdNamespace() &&
      !context.getSourceManager().isInSystemHeader(code->getLocation()))
    report(sema, DiagnosticsEngine::Note, code->getLocation(),
           "%0 has this %1, which knows what the address means")
        << text(context.getCanonicalTagType(copied)) << nameOf(code);
  return false;
}

/// Calls see(type) for each base and member, with `path` extended by its name.
template <class See>
bool CopyCheck::parts(const CXXRecordDecl *record, const See &see) {
  auto step = [&](std::string name, SourceLocation declared, QualType type) {
    path.push_back({std::move(name), declared});
    bool right = see(type);
    path.pop_back();
    return right;
  };
  for (const CXXBaseSpecifier &base : record->bases())
    if (!step("base " + text(base.getType()), base.getBeginLoc(),
              base.getType()))
      return false;
  auto capture = record->isLambda() ? record->captures_begin() : nullptr;
  for (const FieldDecl *field : record->fields()) {
    std::string name = field->getDeclName().isEmpty()
                           ? "a member without a name"
                           : "member '" + field->getNameAsString() + "'";
    SourceLocation declared = field->getLocation();
    if (record->isLambda() && capture != record->captures_end()) {
      name =
          capture->capturesVariable()
              ? "capture '" + capture->getCapturedVar()->getNameAsString() + "'"
              : "capture 'this'";
      declared = capture->getLocation();
      ++capture;
    }
    if (!step(std::move(name), declared, field->getType()))
      return false;
  }
  return true;
}

bool CopyCheck::walk(QualType type) {
  if (type->isVariablyModifiedType())
    return true;
  QualType is = context.getBaseElementType(type.getCanonicalType());
  const CXXRecordDecl *record = is->getAsCXXRecordDecl();
  if (!record || record->isDependentType() || !sema.isCompleteType(launch, is))
    return true;
  record = record->getDefinition();
  // Report a closure inside another (parallel_for makes one) only once.
  if (isRejected(record))
    return false;
  if (record->isDynamicClass())
    return rejectDynamic(type, record);
  if (isBits(record))
    return true;
  const CXXMethodDecl *code = ownCode(record);
  if (!code)
    return walkParts(record);
  if (record->isInStdNamespace()) {
    // Do not list the members of a standard class: users do not know them.
    if (!holdsAddresses(context, is))
      return true;
    if (callsAnything(record))
      return reject(type, {"functions have other addresses there",
                           "call the function by its name in the kernel, or "
                           "make it a template argument"});
    return reject(type, {"the type holds addresses, and has code of its own to "
                         "copy or destroy it"});
  }
  return address(type, record) && hidden(record);
}

bool CopyCheck::walkParts(const CXXRecordDecl *record) {
  return parts(record, [&](QualType part) {
    return part->isReferenceType() || walk(part);
  });
}

/// Rejects the value if it contains an address. The value is part of an object
/// of class `copied`.
bool CopyCheck::address(QualType type, const CXXRecordDecl *copied) {
  if (!holdsAddresses(context, type))
    return true;
  QualType is = context.getBaseElementType(type.getCanonicalType());
  const CXXRecordDecl *record = is->getAsCXXRecordDecl();
  if (!record)
    return reject(type.getCanonicalType(),
                  {"it is an address in an object of type " +
                   text(context.getCanonicalTagType(copied)) +
                   ", which has a " + nameOf(ownCode(copied)) + " of its own"},
                  copied);
  record = record->getDefinition();
  if (record->isDynamicClass())
    return rejectDynamic(type, record);
  if (record->isInStdNamespace())
    return reject(type, {"it holds addresses"}, copied);
  return parts(record, [&](QualType part) { return address(part, copied); });
}

/// Rejects arrays of bytes that hold objects of one of the class's template
/// arguments, as in a vector of fixed capacity.
bool CopyCheck::hidden(const CXXRecordDecl *record) {
  const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record);
  for (const TemplateArgument &arg : made
                                         ? made->getTemplateArgs().asArray()
                                         : llvm::ArrayRef<TemplateArgument>()) {
    if (arg.getKind() != TemplateArgument::Type ||
        !arg.getAsType()->isRecordType() ||
        !sema.isCompleteType(launch, arg.getAsType()) ||
        bytesIn(context.getCanonicalTagType(record)) <
            context.getTypeSize(arg.getAsType()))
      continue;
    bool right;
    {
      llvm::SaveAndRestore<bool> still(quiet, true);
      right = walk(arg.getAsType());
    }
    if (!right)
      return reject(context.getCanonicalTagType(record),
                    {"its bytes are objects of type " + text(arg.getAsType()) +
                     ", which cannot be copied there"});
  }
  return parts(record, [&](QualType part) {
    const CXXRecordDecl *inner =
        context.getBaseElementType(part.getCanonicalType())
            ->getAsCXXRecordDecl();
    return !inner || hidden(inner->getDefinition());
  });
}

/// The size in bits of the largest array of bytes in an object.
uint64_t CopyCheck::bytesIn(QualType type) const {
  type = type.getCanonicalType();
  if (const auto *array = context.getAsConstantArrayType(type))
    if (QualType element = array->getElementType();
        element->isCharType() || element->isStdByteType())
      return context.getTypeSize(type);
  const CXXRecordDecl *record =
      context.getBaseElementType(type)->getAsCXXRecordDecl();
  uint64_t most = 0;
  if (!record || !record->hasDefinition())
    return most;
  for (QualType part : partTypes(record->getDefinition()))
    most = std::max(most, bytesIn(part));
  return most;
}

} // namespace xcc
