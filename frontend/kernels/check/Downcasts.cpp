// Kernels that cast an object of a base class to the class derived from it
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Downcasts.h"
#include "MappingCheck.h"
#include "Names.h"
#include "Report.h"
#include "kernels/find/CallParameters.h"
#include "kernels/find/FunctionObjects.h"
#include "kernels/find/HeaderTemplates.h"
#include "kernels/walk/UseVisitor.h"
#include "kernels/walk/ValueParts.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/CXXInheritance.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/Sema/Sema.h"
#include <numeric>

using namespace clang;

namespace xcc {
namespace {

const CXXRecordDecl *definitionOf(QualType type) {
  const CXXRecordDecl *record =
      type.isNull() ? nullptr : type.getCanonicalType()->getAsCXXRecordDecl();
  record = record ? record->getDefinition() : nullptr;
  return record && record->isCompleteDefinition() ? record : nullptr;
}

bool derives(const CXXRecordDecl *derived, const CXXRecordDecl *base) {
  return derived->isDerivedFrom(base);
}

/// Whether `base` is at one known offset in each object of `derived`.
bool hasPlace(const ASTContext &context, const CXXRecordDecl *derived,
              const CXXRecordDecl *base) {
  CXXBasePaths paths(/*FindAmbiguities=*/true, /*RecordPaths=*/true,
                     /*DetectVirtual=*/true);
  return derived->isDerivedFrom(base, paths) && !paths.getDetectedVirtual() &&
         !paths.isAmbiguous(context.getCanonicalTagType(base));
}

/// The class derived from `base` that its template arguments name:
/// Base<Derived>, or Base<Derived, int> of a Derived<int>. Instantiates
/// nothing. Null if no such class exists, or several do.
const CXXRecordDecl *namedDerived(const ASTContext &context,
                                  const CXXRecordDecl *base) {
  const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(base);
  if (!made)
    return nullptr;
  llvm::SmallSetVector<const CXXRecordDecl *, 2> found;
  auto consider = [&](const CXXRecordDecl *record) {
    if (record && record != base && hasPlace(context, record, base))
      found.insert(record);
  };
  for (const TemplateArgument &arg : made->getTemplateArgs().asArray())
    for (const TemplateArgument &each : arg.getKind() == TemplateArgument::Pack
                                            ? arg.pack_elements()
                                            : llvm::ArrayRef(arg))
      if (each.getKind() == TemplateArgument::Type)
        consider(definitionOf(each.getAsType()));
      else if (each.getKind() == TemplateArgument::Template)
        if (auto *tmpl = dyn_cast_or_null<ClassTemplateDecl>(
                each.getAsTemplate().getAsTemplateDecl()))
          for (const ClassTemplateSpecializationDecl *spec :
               tmpl->specializations())
            consider(definitionOf(context.getCanonicalTagType(spec)));
  return found.size() == 1 ? found.front() : nullptr;
}

/// A cast of an object from class `from` to `to`, which derives from it.
struct Downcast {
  const CXXRecordDecl *from, *to;
  SourceLocation at;
};

class CastFinder : public UseVisitor {
public:
  explicit CastFinder(ASTContext &context) : UseVisitor(context) {
    followsUnnamed = true;
  }

  llvm::SmallVector<Downcast, 4> found;

  void addKernel(const FoundKernel &kernel) {
    if (kernel.function)
      add(kernel.function);
    else
      for (const FunctionDecl *call :
           callOperators(objectOf(kernel.entry)->getAsCXXRecordDecl()))
        add(call);
  }

  bool VisitCastExpr(CastExpr *cast) override {
    switch (cast->getCastKind()) {
    case CK_BaseToDerived:
    // Casts of the address: a base at offset 0 has the same one.
    case CK_BitCast:
    case CK_LValueBitCast:
      note(objectType(cast->getSubExpr()->IgnoreParenCasts()), objectType(cast),
           cast);
      break;
    // Calls a member function of the derived class on an object of the base.
    case CK_DerivedToBaseMemberPointer:
      note(classOf(cast), classOf(cast->getSubExpr()), cast);
      break;
    default:
      break;
    }
    return UseVisitor::VisitCastExpr(cast);
  }

private:
  llvm::DenseSet<std::pair<const CXXRecordDecl *, const CXXRecordDecl *>> pairs;

  static const CXXRecordDecl *objectType(const Expr *expr) {
    QualType type = expr->getType();
    return definitionOf(type->isPointerType() ? type->getPointeeType() : type);
  }
  static const CXXRecordDecl *classOf(const Expr *member) {
    const auto *type = member->getType()->getAs<MemberPointerType>();
    const CXXRecordDecl *record =
        type ? type->getMostRecentCXXRecordDecl() : nullptr;
    return record ? record->getDefinition() : nullptr;
  }
  void note(const CXXRecordDecl *from, const CXXRecordDecl *to,
            const Expr *cast) {
    if (from && to && from != to && derives(to, from) &&
        pairs.insert({from, to}).second)
      found.push_back({from, to, cast->getExprLoc()});
  }
};

/// An object that a launch maps by the type of a reference or owner.
struct MappedObject {
  QualType type;
  const CXXRecordDecl *record;
  std::string name;
  SourceLocation declared;
  const LambdaCapture *capture; ///< if it is a capture
};

/// Finds the single objects that a kernel's parameters and captures refer to.
/// Elements of a container are left out: they are of exactly the element type.
class ObjectFinder {
public:
  explicit ObjectFinder(ASTContext &context) : context(context) {}

  std::vector<MappedObject> run(const FoundKernel &kernel) {
    if (kernel.function) {
      for (const ParmVarDecl *param : kernel.function->parameters())
        look(param->getType(), {"parameter '" + param->getNameAsString() + "'",
                                param->getLocation(), nullptr});
    } else {
      const CXXRecordDecl *object = definitionOf(objectOf(kernel.entry));
      if (object)
        members(object, {"function object", kernel.launch, nullptr});
      unsigned number = 0;
      for (const EntryParameter &param : entryParameters(kernel.entry))
        look(param.type,
             {"parameter " + std::to_string(++number), kernel.launch, nullptr});
    }
    return std::move(found);
  }

private:
  struct Path {
    std::string name;
    SourceLocation declared;
    const LambdaCapture *capture;
  };
  ASTContext &context;
  std::vector<MappedObject> found;
  llvm::SmallPtrSet<const CXXRecordDecl *, 16> seen;

  void look(QualType type, const Path &path) {
    if (type->isReferenceType()) {
      refer(type->getPointeeType(), path);
      return;
    }
    if (const CXXRecordDecl *record =
            definitionOf(context.getBaseElementType(type)))
      inside(record, path);
  }

  void refer(QualType type, const Path &path) {
    if (const CXXRecordDecl *record = definitionOf(type)) {
      found.push_back({type, record, path.name, path.declared, path.capture});
      inside(record, path);
    } else {
      look(type, path);
    }
  }

  void inside(const CXXRecordDecl *record, const Path &path) {
    if (!seen.insert(record).second)
      return;
    if (!record->isInStdNamespace()) {
      members(record, path);
      return;
    }
    const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record);
    if (!made || !made->getIdentifier())
      return;
    bool single = llvm::is_contained({"unique_ptr", "reference_wrapper"},
                                     made->getName());
    Path element{path.name + " -> element", path.declared, nullptr};
    for (QualType type : typeArguments(made))
      single ? refer(type, element) : look(type, element);
  }

  void members(const CXXRecordDecl *record, const Path &path) {
    for (const CXXBaseSpecifier &base : record->bases())
      if (const CXXRecordDecl *part = definitionOf(base.getType()))
        inside(part, path);
    auto capture = record->isLambda() ? record->captures_begin() : nullptr;
    for (const FieldDecl *field : record->fields()) {
      Path to{path.name + " -> member '" + field->getNameAsString() + "'",
              field->getLocation(), nullptr};
      QualType type = field->getType();
      if (record->isLambda() && capture != record->captures_end()) {
        to = {capture->capturesVariable()
                  ? "capture '" + capture->getCapturedVar()->getNameAsString() +
                        "'"
                  : "capture 'this'",
              capture->getLocation(), capture};
        if (capture->getCaptureKind() == LCK_This)
          type = context.getLValueReferenceType(type->getPointeeType());
        ++capture;
      }
      if (!field->hasCapturedVLAType())
        look(type, to);
    }
  }
};

class Downcasts {
public:
  Downcasts(Sema &sema, const Warnings &warnings, bool separate)
      : sema(sema), context(sema.Context), mapping(sema, warnings),
        severity(warnings.of(WarningGroup::Mapping, Severity::Warning,
                             sema.getDiagnostics())),
        separate(separate) {}

  void run(llvm::MutableArrayRef<FoundKernel> kernels) {
    std::vector<std::vector<MappedObject>> objects;
    CastFinder all(context);
    for (const FoundKernel &kernel : kernels) {
      objects.push_back(ObjectFinder(context).run(kernel));
      if (!objects.back().empty())
        all.addKernel(kernel);
    }
    all.run();
    if (all.found.empty())
      return;
    // In the order of the launches.
    std::vector<size_t> order(kernels.size());
    std::iota(order.begin(), order.end(), 0);
    llvm::stable_sort(order, [&](size_t a, size_t b) {
      return kernels[a].launch.getRawEncoding() <
             kernels[b].launch.getRawEncoding();
    });
    for (size_t i : order) {
      FoundKernel &kernel = kernels[i];
      const std::vector<MappedObject> &mapped = objects[i];
      if (!llvm::any_of(mapped, [&](const MappedObject &object) {
            return llvm::any_of(all.found, [&](const Downcast &cast) {
              return concerns(object, cast);
            });
          }))
        continue;
      CastFinder own(context);
      own.addKernel(kernel);
      own.run();
      for (const MappedObject &object : mapped)
        check(kernel, object, own.found);
    }
  }

private:
  Sema &sema;
  ASTContext &context;
  MappingCheck mapping;
  const Severity severity;
  const bool separate;

  /// Whether the cast treats the object as a larger class than the mapped one.
  static bool concerns(const MappedObject &object, const Downcast &cast) {
    return derives(cast.to, object.record) &&
           (cast.from == object.record || derives(object.record, cast.from));
  }

  /// Where the launched argument is written.
  static SourceLocation launchOf(const FoundKernel &kernel) {
    return kernel.calls.empty() ? kernel.launch
                                : kernel.calls.front()
                                      .call->getArg(kernel.calls.front().param)
                                      ->getExprLoc();
  }

  void check(FoundKernel &kernel, const MappedObject &object,
             llvm::ArrayRef<Downcast> casts) {
    for (const Downcast &cast : casts) {
      if (!concerns(object, cast))
        continue;
      const CXXRecordDecl *whole = completeObject(context, object.record);
      while (whole && whole != cast.to && !derives(whole, cast.to))
        whole = completeObject(context, whole);
      if (whole) {
        kernel.info.castsDown = true;
        if (separate)
          mapping.check(object.name,
                        context.getLValueReferenceType(context.getQualifiedType(
                            context.getCanonicalTagType(whole),
                            object.type.getQualifiers())),
                        object.declared, launchOf(kernel));
      } else if (!mapping.hasTransfer(
                     context.getCanonicalTagType(object.record),
                     kernel.launch)) {
        reportCast(kernel, object, cast);
        return;
      }
    }
  }

  void reportCast(const FoundKernel &kernel, const MappedObject &object,
                  const Downcast &cast) {
    if (!separate || severity == Severity::Ignored)
      return;
    QualType to = context.getQualifiedType(context.getCanonicalTagType(cast.to),
                                           object.type.getQualifiers());
    report(
        sema, levelOf(severity), launchOf(kernel),
        "%0 is mapped as an object of type %1, and the kernel casts one to "
        "the derived class %2: the rest of it is not on a device with memory "
        "of its own [-Woffload-mapping]")
        << object.name << object.type.getUnqualifiedType()
        << to.getUnqualifiedType();
    report(sema, DiagnosticsEngine::Note, cast.at, "it is cast here");
    PrintingPolicy policy = context.getPrintingPolicy();
    policy.SuppressTagKeyword = true;
    std::string written = "static_cast<" + to.getAsString(policy) + " &>(";
    std::string instead =
        object.capture && object.capture->capturesVariable()
            ? "[&" + object.capture->getCapturedVar()->getNameAsString() +
                  " = " + written +
                  object.capture->getCapturedVar()->getNameAsString() + ")]"
        : object.capture ? "[&self = " + written + "*this)]"
                         : std::string();
    if (!instead.empty())
      report(sema, DiagnosticsEngine::Note, object.declared,
             "captured here; capture the whole object, as in %0")
          << instead;
    else
      report(sema, DiagnosticsEngine::Note, object.declared,
             "declared here; make it a reference to the whole object, a %0")
          << to;
  }
};

} // namespace

void answerCompleteObject(Sema &sema, TagDecl *decl) {
  ClassTemplateSpecializationDecl *made =
      question(decl, annotation::CompleteObject);
  if (!made)
    return;
  ASTContext &context = sema.Context;
  const CXXRecordDecl *base =
      definitionOf(made->getTemplateArgs().get(0).getAsType());
  const CXXRecordDecl *whole = base ? namedDerived(context, base) : nullptr;
  if (!whole)
    return;
  answer(context, made, context.getCanonicalTagType(whole));
}

const CXXRecordDecl *completeObject(ASTContext &context,
                                    const CXXRecordDecl *base) {
  auto *tmpl =
      detailMember<ClassTemplateDecl>(xccNamespace(context), "complete_object");
  if (!tmpl)
    return nullptr;
  for (const ClassTemplateSpecializationDecl *made : tmpl->specializations())
    if (definitionOf(made->getTemplateArgs().get(0).getAsType()) == base)
      for (const Decl *member : made->decls())
        if (const auto *answer = dyn_cast<TypedefNameDecl>(member))
          if (const CXXRecordDecl *whole =
                  definitionOf(answer->getUnderlyingType());
              whole != base)
            return whole;
  return nullptr;
}

void findDowncasts(Sema &sema, llvm::MutableArrayRef<FoundKernel> kernels,
                   const Warnings &warnings, bool separate) {
  Downcasts(sema, warnings, separate).run(kernels);
}

} // namespace xcc
