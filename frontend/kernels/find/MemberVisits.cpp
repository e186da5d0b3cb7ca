// xcc::visit_members and xcc::holds_addresses
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "MemberVisits.h"
#include "KernelFinder.h"
#include "Names.h"
#include "kernels/check/Report.h"
#include "kernels/walk/ValueParts.h"
#include "clang/AST/ASTConsumer.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecordLayout.h"
#include "clang/Sema/Sema.h"
#include "clang/Sema/Template.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace xcc {

bool isMemberVisit(const FunctionDecl *function) {
  const FunctionTemplateDecl *tmpl = function->getPrimaryTemplate();
  return tmpl && function->hasAttrs() &&
         isAnnotated(tmpl->getTemplatedDecl(), annotation::VisitMembers);
}

/// The type of the object that a class of libstdc++ keeps in an array of bytes
/// to construct it later: an alternative of a variant before C++20, a node's
/// element. Null if the class is none of these.
static QualType keptInBytes(const CXXRecordDecl *record) {
  const auto *made = dyn_cast<ClassTemplateSpecializationDecl>(record);
  if (!made || !record->getIdentifier() || !made->getTemplateArgs().size() ||
      made->getTemplateArgs()[0].getKind() != TemplateArgument::Type)
    return {};
  llvm::StringRef name = record->getName();
  return name == "_Uninitialized" || name == "__aligned_membuf" ||
                 name == "__aligned_buffer"
             ? made->getTemplateArgs()[0].getAsType()
             : QualType();
}

bool holdsAddresses(const ASTContext &context, QualType type) {
  type = context.getBaseElementType(type.getCanonicalType());
  if (const auto *atomic = type->getAs<AtomicType>())
    return holdsAddresses(context, atomic->getValueType());
  // A pointer to a data member is an offset.
  if (type->hasPointerRepresentation() || type->isReferenceType() ||
      type->isMemberFunctionPointerType())
    return !type->isNullPtrType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  if (!record || !record->hasDefinition())
    return false;
  record = record->getDefinition();
  if (record->isDynamicClass())
    return true;
  if (QualType kept = keptInBytes(record); !kept.isNull())
    return holdsAddresses(context, kept);
  return llvm::any_of(partTypes(record), [&](QualType part) {
    return holdsAddresses(context, part);
  });
}

void answerHoldsAddresses(Sema &sema, TagDecl *decl) {
  ClassTemplateSpecializationDecl *made =
      question(decl, annotation::HoldsAddresses);
  if (!made)
    return;
  QualType type = made->getTemplateArgs().get(0).getAsType();
  if (type->isDependentType() || type->isVoidType() || type->isFunctionType())
    return;
  SourceLocation at = made->getPointOfInstantiation();
  if (!type->isReferenceType() && !type->isIncompleteArrayType() &&
      !sema.isCompleteType(at, type)) {
    report(sema, DiagnosticsEngine::Error, at,
           "the type %0 is incomplete here, so it is not known whether it "
           "holds addresses")
        << type;
    sema.PrintInstantiationStack();
    return;
  }
  const CXXRecordDecl *record =
      sema.Context.getBaseElementType(type)->getAsCXXRecordDecl();
  answer(sema.Context, made, "held", holdsAddresses(sema.Context, type));
  answer(sema.Context, made, "has_mutable",
         record && record->hasDefinition() && record->hasMutableFields());
}

namespace {

/// Builds the body of one specialization.
class Visit {
public:
  Visit(Sema &sema, FunctionDecl *function, const CXXRecordDecl *record)
      : sema(sema), context(sema.Context), function(function), record(record),
        at(function->getLocation()), policy(context.getPrintingPolicy()) {
    policy.SuppressTagKeyword = true;
  }

  Stmt *body() {
    if (!record->isUnion()) {
      for (const CXXBaseSpecifier &base : record->bases())
        addBase(base);
      llvm::SmallVector<FieldDecl *, 4> path;
      addFields(record, 0, path);
    }
    return CompoundStmt::Create(context, calls, FPOptionsOverride(), at, at);
  }

private:
  Sema &sema;
  ASTContext &context;
  FunctionDecl *function;
  const CXXRecordDecl *record;
  SourceLocation at;
  PrintingPolicy policy;
  llvm::SmallVector<Stmt *, 16> calls;

  Expr *param(unsigned i) {
    ParmVarDecl *decl = function->getParamDecl(i);
    return sema.BuildDeclRefExpr(decl, decl->getType().getNonReferenceType(),
                                 VK_LValue, at);
  }

  /// A declaration in the namespace of visit_members.
  template <class D> D *neighbour(llvm::StringRef name) {
    for (NamedDecl *found :
         function->getPrimaryTemplate()->getDeclContext()->lookup(
             &context.Idents.get(name)))
      if (auto *decl = dyn_cast<D>(found))
        return decl;
    return nullptr;
  }

  Expr *number(uint64_t value) {
    QualType type = context.getSizeType();
    return IntegerLiteral::Create(
        context, llvm::APInt(context.getTypeSize(type), value), type, at);
  }

  /// Builds data_member{{name, offset, kind}}, or base_member or
  /// reference_member.
  ExprResult describe(llvm::StringRef name, Expr *offset,
                      llvm::StringRef kind) {
    auto *type = neighbour<CXXRecordDecl>((kind + "_member").str());
    auto *kinds = neighbour<EnumDecl>("member_kind");
    if (!type || !kinds)
      return ExprError();
    Expr *values[3] = {
        StringLiteral::Create(
            context, name, StringLiteralKind::Ordinary, /*Pascal=*/false,
            context.getStringLiteralArrayType(context.CharTy, name.size()), at),
        offset, nullptr};
    for (EnumConstantDecl *each : kinds->enumerators())
      if (each->getName() == kind)
        values[2] =
            sema.BuildDeclRefExpr(each, each->getType(), VK_PRValue, at);
    Expr *member = sema.BuildInitList(at, values, at).get();
    Expr *init = sema.BuildInitList(at, member, at).get();
    return sema.BuildCXXTypeConstructExpr(
        context.getTrivialTypeSourceInfo(context.getCanonicalTagType(type), at),
        at, init, at, /*ListInitialization=*/true);
  }

  /// Adds the call visitor(member, value).
  void call(llvm::StringRef name, Expr *offset, llvm::StringRef kind,
            ExprResult value, SourceLocation declared) {
    ExprResult what = describe(name, offset, kind);
    ExprResult made = ExprError();
    if (what.isUsable() && value.isUsable()) {
      Expr *args[] = {what.get(), value.get()};
      made = sema.BuildCallExpr(/*Scope=*/nullptr, param(1), at, args, at);
    }
    if (made.isUsable())
      made = sema.ActOnFinishFullExpr(made.get(), at, /*DiscardedValue=*/false);
    if (made.isUsable()) {
      calls.push_back(made.get());
      return;
    }
    report(sema, DiagnosticsEngine::Note, declared,
           "the visitor is called here for '%0'")
        << name;
    function->setInvalidDecl();
  }

  void addBase(const CXXBaseSpecifier &base) {
    std::string name = base.getType().getUnqualifiedType().getAsString(policy);
    Expr *offset = base.isVirtual()
                       ? distance(part(base), param(0))
                       : number(context.getASTRecordLayout(record)
                                    .getBaseClassOffset(
                                        base.getType()->getAsCXXRecordDecl())
                                    .getQuantity());
    call(name, offset, "base", part(base), base.getBeginLoc());
  }

  /// The object as its base. A cast by name could fail: the base may be private
  /// or ambiguous.
  Expr *part(const CXXBaseSpecifier &base) {
    Expr *object = param(0);
    QualType type = context.getQualifiedType(
        base.getType().getUnqualifiedType(), object->getType().getQualifiers());
    CXXCastPath path;
    path.push_back(const_cast<CXXBaseSpecifier *>(&base));
    return sema
        .ImpCastExprToType(object, type, CK_UncheckedDerivedToBase, VK_LValue,
                           &path)
        .get();
  }

  /// The distance in bytes between two objects.
  Expr *distance(Expr *to, Expr *from) {
    TypeSourceInfo *type =
        context.getTrivialTypeSourceInfo(context.getSizeType(), at);
    for (Expr **each : {&to, &from}) {
      ExprResult address = sema.CreateBuiltinUnaryOp(at, UO_AddrOf, *each);
      *each = sema.BuildCStyleCastExpr(at, type, at, address.get()).get();
    }
    return sema.CreateBuiltinBinOp(at, BO_Sub, to, from).get();
  }

  /// Adds the fields of `owner`, which is the class itself or an unnamed struct
  /// to which `path` leads.
  void addFields(const CXXRecordDecl *owner, uint64_t start,
                 llvm::SmallVectorImpl<FieldDecl *> &path) {
    const ASTRecordLayout &layout = context.getASTRecordLayout(owner);
    auto capture = owner->captures_begin(), last = owner->captures_end();
    for (FieldDecl *field : owner->fields()) {
      const LambdaCapture *captured =
          owner->isLambda() && capture != last ? capture++ : nullptr;
      uint64_t offset =
          start + layout.getFieldOffset(field->getFieldIndex()) / 8;
      path.push_back(field);
      if (isShown(field)) {
        const CXXRecordDecl *inner = field->getType()->getAsCXXRecordDecl();
        if (field->isAnonymousStructOrUnion() && !inner->isUnion())
          addFields(inner->getDefinition(), offset, path);
        else
          addField(field, captured, offset, path);
      }
      path.pop_back();
    }
  }

  bool isShown(const FieldDecl *field) {
    QualType type = field->getType();
    return !field->isUnnamedBitField() && !field->hasCapturedVLAType() &&
           !type->isIncompleteArrayType() &&
           !type.getNonReferenceType()->isVariablyModifiedType() &&
           !(type->isArrayType() && !context.getTypeSize(type));
  }

  void addField(FieldDecl *field, const LambdaCapture *captured,
                uint64_t offset, llvm::ArrayRef<FieldDecl *> path) {
    ExprResult value = param(0);
    for (FieldDecl *step : path)
      if (value.isUsable())
        value = sema.BuildFieldReferenceExpr(
            value.get(), /*IsArrow=*/false, at, CXXScopeSpec(), step,
            DeclAccessPair::make(step, AS_public),
            DeclarationNameInfo(step->getDeclName(), at));
    bool refers = field->getType()->isReferenceType();
    std::string name = field->getName().str();
    SourceLocation declared = field->getLocation();
    if (captured) {
      declared = captured->getLocation();
      if (captured->capturesVariable())
        name = captured->getCapturedVar()->getName().str();
    }
    if (captured && captured->capturesThis()) {
      refers = captured->getCaptureKind() == LCK_This;
      name = refers ? "this" : "*this";
      if (refers && value.isUsable())
        value = sema.CreateBuiltinUnaryOp(at, UO_Deref, value.get());
    } else if (field->isBitField() && value.isUsable()) {
      value = sema.DefaultLvalueConversion(value.get());
    }
    call(name, number(offset), refers ? "reference" : "data", value, declared);
  }
};

/// Defines one specialization. Returns false if its class is still incomplete.
bool defineVisit(Sema &sema, FunctionDecl *function, bool atEnd) {
  if (function->isDefined() || function->isInvalidDecl() ||
      function->isDependentContext() ||
      function->getTemplateSpecializationKind() != TSK_ImplicitInstantiation)
    return true;
  QualType type = function->getParamDecl(0)->getType().getNonReferenceType();
  const CXXRecordDecl *record = type->getAsCXXRecordDecl();
  SourceLocation used = function->getPointOfInstantiation();
  bool complete = !record || sema.isCompleteType(used, type);
  if (!complete && !atEnd)
    return false;

  Sema::NonSFINAEContext reporting(sema);
  Sema::InstantiatingTemplate instantiating(sema, used, function);
  if (instantiating.isInvalid() || !record || !complete) {
    function->setInvalidDecl();
    if (instantiating.isInvalid())
      return true;
    if (record)
      report(sema, DiagnosticsEngine::Error, used,
             "xcc::visit_members is used for %0, which is never defined")
          << type;
    else
      report(sema, DiagnosticsEngine::Error, used,
             "xcc::visit_members shows the members of a class's object, and %0 "
             "is no class")
          << type;
    sema.PrintInstantiationStack();
    return true;
  }
  Sema::LocalEagerInstantiationScope local(sema, atEnd);
  Stmt *body = nullptr;
  {
    Sema::SynthesizedFunctionScope inside(sema, function);
    LocalInstantiationScope scope(sema);
    body = Visit(sema, function, record->getDefinition()).body();
  }
  function->setBody(body);
  // The body binds references to members of packed classes on purpose.
  function->addAttr(NoSanitizeAttr::CreateImplicit(
      sema.Context, new (sema.Context) llvm::StringRef("alignment"), 1));
  local.perform();
  sema.getASTConsumer().HandleTopLevelDecl(DeclGroupRef(function));
  return true;
}

} // namespace

void MemberVisits::define(Sema &sema) {
  if (busy)
    return;
  llvm::SaveAndRestore<bool> working(busy, true);
  std::vector<FunctionDecl *> later;
  while (!pending.empty()) {
    FunctionDecl *function = pending.back();
    pending.pop_back();
    if (!defineVisit(sema, function, atEnd))
      later.push_back(function);
  }
  pending = std::move(later);
}

void MemberVisits::finish(Sema &sema) {
  atEnd = true;
  while (true) {
    // Uses in code that is not visited for calls, such as the standard
    // library's, are found here.
    for (FunctionTemplateDecl *tmpl :
         templatesNamed(sema.Context, "visit_members"))
      for (FunctionDecl *function : tmpl->specializations())
        if (isMemberVisit(function) && function->isUsed(false) &&
            !function->isDefined() && !function->isInvalidDecl())
          pending.push_back(function);
    if (pending.empty())
      return;
    define(sema);
    sema.DefineUsedVTables();
    sema.PerformPendingInstantiations();
  }
}

} // namespace xcc
