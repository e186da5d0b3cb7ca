// What device code reaches, and whether it may
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "Reachability.h"
#include "HostCalls.h"
#include "Names.h"
#include "Report.h"
#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Sema/Sema.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/Support/SaveAndRestore.h"

using namespace clang;

namespace xcc {
namespace {

/// How a function was first reached.
struct Edge {
  const FunctionDecl *caller = nullptr; ///< null for an entry
  SourceLocation at;                    ///< the call; the launch for an entry
  llvm::StringRef kernel;               ///< the entry's kernel
};

class Walker : public RecursiveASTVisitor<Walker> {
public:
  using Base = RecursiveASTVisitor<Walker>;

  Walker(Sema &sema, const Target &target, bool generates, bool silent)
      : sema(sema), context(sema.getASTContext()), target(target),
        generates(generates), silent(silent) {}

  /// Functions to be called on the host, and where.
  llvm::MapVector<FunctionDecl *, SourceLocation> generated;

  void addEntry(const FunctionDecl *entry, SourceLocation launch,
                llvm::StringRef kernel) {
    if (const FunctionDecl *definition = entry->getDefinition())
      if (edges.insert({definition, {nullptr, launch, kernel}}).second)
        work.push_back(definition);
  }

  void run() {
    // Breadth first, so that chains are short and errors come in the order of
    // the launches.
    for (size_t next = 0; next < work.size(); ++next) {
      current = work[next];
      walk(current);
    }
  }

  //===--------------------------------------------------------------------===//
  // What the visitor follows
  //===--------------------------------------------------------------------===//

  bool shouldVisitImplicitCode() const { return true; }
  // Operands that are never evaluated are never generated.
  bool TraverseTypeLoc(TypeLoc, bool = true) { return true; }
  bool TraverseTemplateArgumentLoc(const TemplateArgumentLoc &) { return true; }
  bool TraverseUnaryExprOrTypeTraitExpr(UnaryExprOrTypeTraitExpr *) {
    return true;
  }
  bool TraverseCXXNoexceptExpr(CXXNoexceptExpr *) { return true; }
  bool TraverseRequiresExpr(RequiresExpr *) { return true; }
  bool TraverseConceptSpecializationExpr(ConceptSpecializationExpr *) {
    return true;
  }
  bool TraverseCXXTypeidExpr(CXXTypeidExpr *) { return true; }
  bool TraverseConstantExpr(ConstantExpr *) { return true; }
  bool TraverseCXXRecordDecl(CXXRecordDecl *) { return true; }
  bool TraverseLambdaExpr(LambdaExpr *lambda) {
    for (Expr *init : lambda->capture_inits())
      if (init)
        TraverseStmt(init);
    return true;
  }
  bool TraverseIfStmt(IfStmt *stmt) {
    bool value;
    const Expr *cond = stmt->getCond();
    if (cond && !cond->isValueDependent() && !stmt->hasVarStorage() &&
        cond->EvaluateAsBooleanCondition(value, context)) {
      if (Stmt *taken = value ? stmt->getThen() : stmt->getElse())
        TraverseStmt(taken);
      return true;
    }
    return Base::TraverseIfStmt(stmt);
  }

  bool VisitCallExpr(CallExpr *call) {
    FunctionDecl *callee = generates ? call->getDirectCallee() : nullptr;
    if (!callee || !callee->isVariadic() || callee->getDefinition() ||
        callee->getBuiltinID() || inStandardLibrary(callee) ||
        isAnnotated(callee, annotation::Export) ||
        isAnnotated(callee, annotation::Host))
      return true;
    if (generateVariadicCall(sema, call, target.sharesHostMemory()) && silent &&
        variadic.insert(callee->getCanonicalDecl()).second)
      generated.insert({callee, call->getExprLoc()});
    return true;
  }
  bool VisitDeclRefExpr(DeclRefExpr *ref) {
    if (ref->isNonOdrUse() == NOUR_Unevaluated ||
        ref->isNonOdrUse() == NOUR_Constant)
      return true;
    if (const auto *function = dyn_cast<FunctionDecl>(ref->getDecl()))
      reach(function, ref->getExprLoc());
    else if (const auto *variable = dyn_cast<VarDecl>(ref->getDecl()))
      checkVariable(variable, ref->getExprLoc());
    return true;
  }
  bool VisitMemberExpr(MemberExpr *member) {
    if (const auto *method = dyn_cast<CXXMethodDecl>(member->getMemberDecl()))
      reach(method, member->getExprLoc());
    else if (const auto *variable = dyn_cast<VarDecl>(member->getMemberDecl()))
      checkVariable(variable, member->getExprLoc());
    return true;
  }
  bool VisitCXXConstructExpr(CXXConstructExpr *expr) {
    const CXXConstructorDecl *constructor = expr->getConstructor();
    reach(constructor, expr->getExprLoc());
    // Its vtable brings every virtual function of the class.
    reachVTable(constructor->getParent(), expr->getExprLoc());
    return true;
  }
  bool VisitCXXNewExpr(CXXNewExpr *expr) {
    reach(expr->getOperatorNew(), expr->getExprLoc());
    return true;
  }
  bool VisitCXXDeleteExpr(CXXDeleteExpr *expr) {
    reach(expr->getOperatorDelete(), expr->getExprLoc());
    QualType type = expr->getDestroyedType();
    if (!type.isNull())
      reachDestructor(type, expr->getExprLoc());
    return true;
  }
  bool VisitCXXBindTemporaryExpr(CXXBindTemporaryExpr *expr) {
    reach(expr->getTemporary()->getDestructor(), expr->getExprLoc());
    return true;
  }
  bool VisitCXXDefaultArgExpr(CXXDefaultArgExpr *expr) {
    return TraverseStmt(expr->getExpr());
  }
  bool VisitCXXDefaultInitExpr(CXXDefaultInitExpr *expr) {
    return TraverseStmt(expr->getExpr());
  }
  bool VisitVarDecl(VarDecl *variable) {
    if (isShared(variable->getType()) && !variable->hasGlobalStorage() &&
        !isa<ParmVarDecl>(variable)) {
      error(variable->getLocation(),
            "a block_shared variable must be static: one per block, not one "
            "per thread");
      return true;
    }
    if (variable->hasGlobalStorage())
      checkVariable(variable, variable->getLocation());
    else
      reachDestructor(variable->getType(), variable->getLocation());
    return true;
  }

  //===--------------------------------------------------------------------===//
  // What no device, or not this one, can run
  //===--------------------------------------------------------------------===//

  bool VisitGCCAsmStmt(GCCAsmStmt *stmt) {
    if (!target.runsHostAssembly())
      error(stmt->getAsmLoc(),
            "inline assembly of the host cannot run on this device");
    return true;
  }
  bool VisitCoroutineBodyStmt(CoroutineBodyStmt *stmt) {
    error(stmt->getBeginLoc(), "a coroutine cannot run on a device");
    return true;
  }

private:
  Sema &sema;
  ASTContext &context;
  const Target &target;
  bool generates, silent;
  llvm::DenseMap<const FunctionDecl *, Edge> edges;
  std::vector<const FunctionDecl *> work;
  llvm::SmallPtrSet<const CXXRecordDecl *, 8> vtables;
  llvm::SmallPtrSet<const VarDecl *, 16> variables;
  llvm::SmallPtrSet<const Expr *, 8> temporaries;
  llvm::SmallPtrSet<const FunctionDecl *, 16> reported, variadic;
  llvm::DenseSet<unsigned> hostCalls;
  const FunctionDecl *current = nullptr;

  void walk(const FunctionDecl *function) {
    if (const auto *constructor = dyn_cast<CXXConstructorDecl>(function))
      for (const CXXCtorInitializer *init : constructor->inits())
        if (Expr *value = init->getInit())
          TraverseStmt(value);
    if (const auto *destructor = dyn_cast<CXXDestructorDecl>(function)) {
      const CXXRecordDecl *record = destructor->getParent();
      for (const FieldDecl *field : record->fields())
        reachDestructor(field->getType(), function->getLocation());
      for (const CXXBaseSpecifier &base : record->bases())
        reachDestructor(base.getType(), function->getLocation());
    }
    if (Stmt *body = function->getBody())
      TraverseStmt(body);
  }

  void reachDestructor(QualType type, SourceLocation at) {
    const auto *record = context.getBaseElementType(type)->getAsCXXRecordDecl();
    if (!record || !record->hasDefinition() || record->hasTrivialDestructor() ||
        type->isReferenceType())
      return;
    if (const CXXDestructorDecl *destructor = record->getDestructor())
      reach(destructor, at);
  }

  void reachVTable(const CXXRecordDecl *record, SourceLocation at) {
    if (record->isDynamicClass() && vtables.insert(record).second)
      for (const CXXMethodDecl *method : record->methods())
        if (method->isVirtual() && !method->isPureVirtual())
          reach(method, at);
  }

  /// What a variable's constant initial value holds the addresses of. Its
  /// expression has more to it, which the compiler evaluates and no device.
  void reachValue(const APValue &value, QualType type, SourceLocation at) {
    switch (value.getKind()) {
    case APValue::LValue: {
      APValue::LValueBase base = value.getLValueBase();
      if (const auto *decl = base.dyn_cast<const ValueDecl *>()) {
        if (const auto *function = dyn_cast<FunctionDecl>(decl))
          reach(function, at);
        else if (const auto *variable = dyn_cast<VarDecl>(decl))
          checkVariable(variable, at);
      } else if (const auto *temporary =
                     dyn_cast_or_null<MaterializeTemporaryExpr>(
                         base.dyn_cast<const Expr *>())) {
        if (const APValue *held = temporary->getOrCreateValue(false);
            held && temporaries.insert(temporary).second)
          reachValue(*held, temporary->getType(), at);
      }
      return;
    }
    case APValue::MemberPointer:
      if (const auto *method =
              dyn_cast_or_null<CXXMethodDecl>(value.getMemberPointerDecl()))
        reach(method, at);
      return;
    case APValue::Array: {
      const ArrayType *array = context.getAsArrayType(type);
      QualType item = array ? array->getElementType() : QualType();
      // Most large tables are of numbers.
      if (item.isNull() || item->isArithmeticType() || item->isEnumeralType())
        return;
      for (unsigned i = 0; i < value.getArrayInitializedElts(); ++i)
        reachValue(value.getArrayInitializedElt(i), item, at);
      if (value.hasArrayFiller())
        reachValue(value.getArrayFiller(), item, at);
      return;
    }
    case APValue::Struct: {
      const auto *record = type->getAsCXXRecordDecl();
      if (!record || !record->hasDefinition())
        return;
      record = record->getDefinition();
      reachVTable(record, at);
      if (value.getStructNumBases() == record->getNumBases()) {
        unsigned i = 0;
        for (const CXXBaseSpecifier &base : record->bases())
          reachValue(value.getStructBase(i++), base.getType(), at);
      }
      for (const FieldDecl *field : record->fields())
        if (field->getFieldIndex() < value.getStructNumFields())
          reachValue(value.getStructField(field->getFieldIndex()),
                     field->getType(), at);
      return;
    }
    case APValue::Union:
      if (const FieldDecl *field = value.getUnionField())
        reachValue(value.getUnionValue(), field->getType(), at);
      return;
    default:
      return;
    }
  }

  void reach(const FunctionDecl *function, SourceLocation at) {
    if (!function || refuse(function, at) ||
        (function->isImplicit() && !function->hasBody()) ||
        function->getBuiltinID() || function->isConsteval())
      return;
    if (function->isDeleted() || function->isPureVirtual() ||
        (function->isTrivial() && !function->hasBody()))
      return;
    // What a closure's conversion to a function pointer points at.
    if (const auto *method = dyn_cast<CXXMethodDecl>(function))
      if (method->isLambdaStaticInvoker())
        function = method->getParent()->getLambdaCallOperator();
    ownInstantiation(function, at);
    const FunctionDecl *definition = function->getDefinition();
    if (!definition) {
      checkUndefined(function, at);
      return;
    }
    if (definition->isDefaulted() && !definition->hasBody())
      return;
    if (edges.insert({definition, {current, at, {}}}).second)
      work.push_back(definition);
  }

  /// "extern template" says that another file has the instantiation: for a
  /// device there is none, least of all of libstdc++'s templates. What is
  /// reached of such is instantiated here.
  bool lacksInstantiation(TemplateSpecializationKind kind,
                          const Decl *decl) const {
    // The CPU device has the host's libraries.
    return kind == TSK_ExplicitInstantiationDeclaration && !silent &&
           !(target.sharesHostMemory() && inSystemHeader(decl));
  }
  void ownInstantiation(const FunctionDecl *function, SourceLocation at) {
    if (!lacksInstantiation(function->getTemplateSpecializationKind(),
                            function))
      return;
    auto *own = const_cast<FunctionDecl *>(function);
    own->setTemplateSpecializationKind(TSK_ImplicitInstantiation, at);
    // Its other members may be reached by what is implicit.
    if (auto *record =
            dyn_cast<ClassTemplateSpecializationDecl>(own->getParent());
        record && record->getSpecializationKind() ==
                      TSK_ExplicitInstantiationDeclaration) {
      record->setSpecializationKind(TSK_ImplicitInstantiation);
      for (CXXMethodDecl *method : record->methods())
        if (method->getTemplateSpecializationKind() ==
                TSK_ExplicitInstantiationDeclaration &&
            method->getDefinition())
          method->setTemplateSpecializationKind(TSK_ImplicitInstantiation, at);
    }
    const FunctionDecl *pattern = own->getTemplateInstantiationPattern();
    if (!own->getDefinition() && pattern && pattern->isDefined()) {
      sema.InstantiateFunctionDefinition(at, own, /*Recursive=*/true);
      sema.PerformPendingInstantiations();
    }
  }
  void ownInstantiation(const VarDecl *variable, SourceLocation at) {
    if (!lacksInstantiation(variable->getTemplateSpecializationKind(),
                            variable))
      return;
    for (VarDecl *decl : variable->redecls())
      decl->setTemplateSpecializationKind(TSK_ImplicitInstantiation, at);
    const VarDecl *pattern = variable->getTemplateInstantiationPattern();
    if (!variable->getDefinition(context) && pattern &&
        pattern->getDefinition(context)) {
      sema.InstantiateVariableDefinition(at, const_cast<VarDecl *>(variable),
                                         /*Recursive=*/true);
      sema.PerformPendingInstantiations();
    }
  }

  /// Functions that no device has, whether defined here or not.
  bool refuse(const FunctionDecl *function, SourceLocation at) {
    if (function->hasAttrs() && isAnnotated(function, annotation::Launch)) {
      error(at, "a kernel cannot launch a kernel: launches are the host's");
      return true;
    }
    if (function->hasAttrs() && isAnnotated(function, annotation::Host)) {
      error(at, "device code may only call a function that runs on the host: "
                "it has no address there");
      return true;
    }
    // Stands for a number.
    if (function->hasAttrs() && isAnnotated(function, annotation::HostEntry))
      return true;
    if (!function->isExternC() || !function->getIdentifier())
      return false;
    llvm::StringRef name = function->getName();
    if (name == "setjmp" || name == "_setjmp" || name == "longjmp" ||
        name == "siglongjmp" || name == "__sigsetjmp") {
      error(at, "setjmp and longjmp cannot run on a device");
      return true;
    }
    if (name.starts_with("xcc_")) {
      // Say it once for each place in the user's own code.
      llvm::SaveAndRestore keep(current);
      while (context.getSourceManager().isInSystemHeader(at)) {
        Edge edge = edges.lookup(current);
        if (!edge.caller)
          break;
        at = edge.at;
        current = edge.caller;
      }
      if (hostCalls.insert(at.getRawEncoding()).second)
        error(at, "device code cannot use the host's runtime: it manages no "
                  "devices, streams or memory");
      return true;
    }
    return false;
  }

  bool inSystemHeader(const Decl *decl) const {
    return context.getSourceManager().isInSystemHeader(decl->getLocation());
  }

  /// Functions that every program of the host has, and the CPU device's images
  /// too; other libraries' headers are system headers as well.
  bool inStandardLibrary(const FunctionDecl *function) const {
    return inSystemHeader(function) && standardLibraryDefines(function);
  }

  void checkUndefined(const FunctionDecl *function, SourceLocation at) {
    llvm::StringRef name =
        function->getIdentifier() ? function->getName() : llvm::StringRef();
    if (name.starts_with("__xcc_") ||
        isAnnotated(function, annotation::Export) ||
        !reported.insert(function->getCanonicalDecl()).second)
      return;
    const bool system = inSystemHeader(function);
    const bool standard = generates && inStandardLibrary(function);
    std::string why;
    // The CPU device calls the C library itself; what a GPU's has, the link
    // knows.
    if (generates &&
        (!standard || (!target.sharesHostMemory() && function->isExternC()))) {
      why = whyNotGenerated(context, function, target.sharesHostMemory());
      if (why.empty()) {
        generated.insert({const_cast<FunctionDecl *>(function), at});
        return;
      }
    }
    if (silent || standard || (system && !generates))
      return;
    report(DiagnosticsEngine::Error, at,
           "device code calls %0, which is not defined in this translation "
           "unit")
        << function;
    if (!why.empty())
      report(DiagnosticsEngine::Note, function->getLocation(),
             "it cannot become a call of the host by itself: %0")
          << why;
    report(DiagnosticsEngine::Note, function->getLocation(),
           "declared here; define it in a header, or mark it XCC_EXPORT here "
           "and compile the file that defines it with xcc");
    chain();
  }

  static bool isShared(QualType type) {
    const CXXRecordDecl *record = type->getAsCXXRecordDecl();
    return record && isAnnotated(record, annotation::BlockShared);
  }

  void checkVariable(const VarDecl *reference, SourceLocation at) {
    if (!reference->hasGlobalStorage() ||
        !variables.insert(reference->getCanonicalDecl()).second)
      return;
    if (isShared(reference->getType())) {
      for (VarDecl *decl : reference->redecls())
        if (!decl->hasAttr<SectionAttr>())
          decl->addAttr(SectionAttr::CreateImplicit(context, ".xcc.shared"));
      return;
    }
    if (silent)
      return;
    ownInstantiation(reference, at);
    checkDefinition(reference, at);
    const VarDecl *init = reference->getInitializingDeclaration();
    if (init && init->hasInit() && !init->getInit()->isValueDependent() &&
        init->hasConstantInitialization())
      if (const APValue *value = init->evaluateValue())
        reachValue(*value, init->getType(), at);
  }

  /// That a variable is this translation unit's, and made by no code.
  void checkDefinition(const VarDecl *reference, SourceLocation at) {
    if (reference->getTLSKind() != VarDecl::TLS_None) {
      report(DiagnosticsEngine::Error, at,
             "device code uses the thread_local variable %0")
          << reference;
      report(
          DiagnosticsEngine::Note, reference->getLocation(),
          "declared here; a local variable is already one per device thread");
      chain();
      return;
    }
    if (reference->isConstexpr() || reference->getType()->isReferenceType())
      return;
    const VarDecl *definition = reference->getDefinition(context);
    if (!definition) {
      if (inSystemHeader(reference))
        return;
      report(DiagnosticsEngine::Error, at,
             "device code uses the variable %0, which is defined in another "
             "translation unit")
          << reference;
      report(DiagnosticsEngine::Note, reference->getLocation(),
             "declared here; pass its address to the kernel, or define it "
             "'inline' in a header");
      chain();
      return;
    }
    const VarDecl *init = definition->getInitializingDeclaration();
    bool dynamic =
        init && init->getInit() && !init->hasConstantInitialization();
    bool destroyed =
        definition->needsDestruction(context) == QualType::DK_cxx_destructor;
    if (!dynamic && !destroyed)
      return;
    report(DiagnosticsEngine::Error, at,
           "device code uses the variable %0, whose %1 is not a constant")
        << reference << (dynamic ? "initialiser" : "destruction");
    report(
        DiagnosticsEngine::Note, definition->getLocation(),
        "declared here; nothing runs on a device before the kernel: give it "
        "a constant initialiser (constexpr, constinit), or pass its value to "
        "the kernel");
    chain();
  }

  template <unsigned N>
  DiagnosticBuilder report(DiagnosticsEngine::Level level, SourceLocation at,
                           const char (&text)[N]) {
    return xcc::report(sema, level, at, text);
  }

  template <unsigned N> void error(SourceLocation at, const char (&text)[N]) {
    if (silent)
      return;
    report(DiagnosticsEngine::Error, at, text);
    chain();
  }

  /// The calls from `current` up to the launch, skipping our own glue.
  void chain() {
    const FunctionDecl *function = current;
    while (function) {
      const Edge edge = edges.lookup(function);
      if (!edge.caller) {
        if (edge.kernel.empty())
          report(DiagnosticsEngine::Note, function->getLocation(),
                 "in %0, which is exported to other translation units")
              << function;
        else
          report(DiagnosticsEngine::Note, edge.at,
                 "in kernel '%0', which is launched here")
              << edge.kernel;
        return;
      }
      if (!isGlue(edge.caller))
        report(DiagnosticsEngine::Note, edge.at, "%0 is called by %1 here")
            << function << edge.caller;
      function = edge.caller;
    }
  }

  static bool isGlue(const FunctionDecl *function) {
    if (isAnnotated(function, annotation::Entry))
      return true;
    const auto *space = dyn_cast<NamespaceDecl>(
        function->getDeclContext()->getEnclosingNamespaceContext());
    return space && space->getName() == "detail" &&
           isa<NamespaceDecl>(space->getParent()) &&
           cast<NamespaceDecl>(space->getParent())->getName() == "xcc";
  }
};

/// Functions marked XCC_EXPORT among what the translation unit defines.
class ExportFinder : public RecursiveASTVisitor<ExportFinder> {
public:
  std::vector<FunctionDecl *> found;
  bool TraverseStmt(Stmt *) { return true; }
  bool TraverseDecl(Decl *decl) {
    if (!decl || decl->isTemplated() || decl->isInStdNamespace())
      return true;
    return RecursiveASTVisitor::TraverseDecl(decl);
  }
  bool VisitFunctionDecl(FunctionDecl *function) {
    if (function->hasAttrs() && function->isThisDeclarationADefinition() &&
        isAnnotated(function, annotation::Export))
      found.push_back(function);
    return true;
  }
};

/// Gives a function the calling convention that a launch fills parameters by.
void makeDeviceKernel(FunctionDecl *function) {
  ASTContext &context = function->getASTContext();
  function->addAttr(DeviceKernelAttr::CreateImplicit(context));
  const auto *type = function->getType()->castAs<FunctionType>();
  function->setType(
      QualType(context.adjustFunctionType(
                   type, type->getExtInfo().withCallingConv(CC_DeviceKernel)),
               0));
}

} // namespace

bool emitReachable(Sema &sema, llvm::ArrayRef<Decl *> decls,
                   std::vector<FoundKernel> &kernels, const Target &target,
                   GeneratedCalls *generated) {
  ExportFinder exports;
  for (Decl *decl : decls)
    exports.TraverseDecl(decl);

  bool values = target.kernelArguments() == KernelArguments::Values;
  for (FoundKernel &kernel : kernels) {
    kernel.body = values ? byValueForm(sema, kernel) : kernel.entry;
    if (kernel.body && !kernel.body->isDefined())
      sema.InstantiateFunctionDefinition(kernel.launch, kernel.body,
                                         /*Recursive=*/true,
                                         /*DefinitionRequired=*/true);
  }
  sema.PerformPendingInstantiations();
  llvm::erase_if(kernels, [](const FoundKernel &k) { return !k.body; });

  // Attributes that code generation reads must be there before it starts.
  Walker walker(sema, target, generated != nullptr, /*silent=*/false);
  for (FoundKernel &kernel : kernels)
    walker.addEntry(kernel.body, kernel.launch, kernel.info.name);
  for (FunctionDecl *function : exports.found)
    walker.addEntry(function, function->getLocation(), {});
  walker.run();
  if (sema.getDiagnostics().hasErrorOccurred())
    return false;
  if (generated)
    for (auto [function, at] : walker.generated)
      if (FunctionDecl *stub =
              generateHostCall(sema, function, at, target.sharesHostMemory())) {
        sema.InstantiateFunctionDefinition(at, stub, /*Recursive=*/true,
                                           /*DefinitionRequired=*/true);
        generated->push_back({function, stub});
      }
  sema.PerformPendingInstantiations();

  ASTContext &context = sema.getASTContext();
  auto emit = [&](FunctionDecl *function) {
    function->addAttr(SYCLExternalAttr::CreateImplicit(context));
    sema.Consumer.HandleTopLevelDecl(DeclGroupRef(function));
  };
  for (FoundKernel &kernel : kernels)
    if (FunctionDecl *definition = kernel.body->getDefinition()) {
      if (values)
        makeDeviceKernel(definition);
      emit(definition);
    }
  for (FunctionDecl *function : exports.found)
    emit(function);
  if (generated)
    for (auto [function, stub] : *generated)
      if (FunctionDecl *definition = stub->getDefinition())
        emit(definition);
  return !kernels.empty() || !exports.found.empty();
}

void generateHostEntries(Sema &sema, llvm::ArrayRef<Decl *> decls,
                         llvm::ArrayRef<FoundKernel> kernels,
                         const Target &target) {
  ExportFinder exports;
  for (Decl *decl : decls)
    exports.TraverseDecl(decl);
  Walker walker(sema, target, /*generates=*/true, /*silent=*/true);
  for (const FoundKernel &kernel : kernels) {
    if (kernel.function) {
      walker.addEntry(kernel.function, kernel.launch, kernel.info.name);
      continue;
    }
    QualType object =
        kernel.entry->getTemplateSpecializationArgs()->get(0).getAsType();
    const CXXRecordDecl *record = object->getAsCXXRecordDecl();
    if (!record)
      continue;
    for (NamedDecl *member : record->lookup(
             sema.getASTContext().DeclarationNames.getCXXOperatorName(OO_Call)))
      if (auto *method = dyn_cast<CXXMethodDecl>(member))
        walker.addEntry(method, kernel.launch, kernel.info.name);
      else if (auto *tmpl = dyn_cast<FunctionTemplateDecl>(member))
        for (FunctionDecl *specialization : tmpl->specializations())
          walker.addEntry(specialization, kernel.launch, kernel.info.name);
  }
  for (FunctionDecl *function : exports.found)
    walker.addEntry(function, function->getLocation(), {});
  walker.run();
  for (auto [function, at] : walker.generated)
    generateHostCall(sema, function, at, target.sharesHostMemory());
}

} // namespace xcc
