// Notes about a unit's functions for the device link
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code that a unit exports is an error only when a kernel reaches it, which the
// link alone knows. What is wrong with it, and the source lines on the paths to
// it, travel with the device module: see backend/link/Reached.h, which reads
// them.

#ifndef XCC_FRONTEND_KERNELS_WALK_LINKNOTES_H
#define XCC_FRONTEND_KERNELS_WALK_LINKNOTES_H

#include "Registrars.h"
#include "clang/AST/Decl.h"
#include "clang/CodeGen/ModuleBuilder.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SetVector.h"
#include <string>
#include <vector>

namespace xcc {

class LinkNotes {
public:
  /// Notes that no device, or not this one, can run the function or have the
  /// variable, with the reason. The body or initialiser is left out. The first
  /// reason stays.
  void addFault(const clang::ValueDecl *code, std::string text);
  /// Notes that this unit does not define it, and perhaps no unit of the link does.
  /// `why` is the reason why it cannot be a call of the host, if that was asked for.
  void addLacking(const clang::ValueDecl *decl, std::string why = {});
  /// A function, or null, uses a variable that the host may change; the first
  /// use stays.
  void addState(const clang::FunctionDecl *function,
                const clang::VarDecl *variable, clang::SourceLocation at);
  /// A function, or variable, names another.
  void addUse(const clang::ValueDecl *by, const clang::ValueDecl *of,
              clang::SourceLocation at);
  /// Notes the place where the kernel of an entry is launched.
  void addLaunch(const clang::FunctionDecl *entry, clang::SourceLocation at);
  /// A variable that is used: noted if code initialises it.
  void addInitialised(const clang::VarDecl *variable);

  /// What a faulty function would do to variables, if it could run: code that
  /// calls it before main is not done.
  void addEffects(const clang::FunctionDecl *code, Effects effects);
  /// What runs before main and cannot on this device: what it would do, and the
  /// place that shows it.
  void addUndone(const clang::NamedDecl *registrar, Effects effects,
                 clang::SourceLocation because);
  /// A function reads and writes a variable that other units see; invalid where
  /// it does not.
  void addGlobal(const clang::FunctionDecl *function,
                 const clang::VarDecl *variable, clang::SourceLocation read,
                 clang::SourceLocation write);
  /// The unit asks for the device's own of a variable.
  void addKnownGlobal(const clang::VarDecl *variable);
  /// Notes the layouts of classes: RecordLayouts.h.
  void addLayouts(std::string text) { layouts = std::move(text); }
  bool hasGlobals() const { return !globals.empty() || !asked.empty(); }
  bool hasUndone() const { return !undone.empty(); }
  std::vector<const clang::ValueDecl *> faultyCode() const;

  /// Empties the bodies of what no device can run. Before code generation.
  void emptyBodies(clang::ASTContext &context) const;
  /// Looks names up while the declarations are there, then writes into the
  /// module when code was generated.
  void resolve(clang::CodeGenerator &codegen, clang::ASTContext &context);
  void write(llvm::Module &module) const;

private:
  using Pair = std::pair<const clang::ValueDecl *, const clang::ValueDecl *>;
  struct Use {
    Pair pair;
    clang::SourceLocation at;
  };
  struct Place {
    std::vector<std::string> by, of; ///< symbols, of each variant
    std::string file, why;
    unsigned line = 0, column = 0;
  };
  llvm::MapVector<const clang::ValueDecl *, std::string>
      faults; ///< definitions
  llvm::MapVector<const clang::ValueDecl *, std::string> lacking;
  llvm::MapVector<const clang::FunctionDecl *, clang::SourceLocation> launches;
  llvm::DenseSet<Pair> known;
  std::vector<Use> uses;

  /// The symbols of what is written and called.
  struct Touched {
    std::vector<std::string> written, called;
  };
  struct Undone {
    const clang::NamedDecl *registrar;
    Effects effects;
    clang::SourceLocation because;
    Touched touched;
    std::string text;
  };
  llvm::MapVector<const clang::ValueDecl *, Effects> faultyEffects;
  std::vector<Undone> undone;

  struct Global {
    const clang::FunctionDecl *function;
    const clang::VarDecl *variable;
    clang::SourceLocation read, write;
    std::vector<std::string> symbols;
    std::string name, file, readAt, writeAt;
  };
  std::vector<Global> globals;
  std::vector<const clang::VarDecl *> asked;
  std::vector<std::string> knownGlobals, entries;
  std::string layouts;

  void writeGlobals(llvm::Module &module) const;

  struct State {
    const clang::VarDecl *variable;
    clang::SourceLocation at;
    std::vector<std::string> symbols;
    std::string text;
  };
  llvm::MapVector<const clang::ValueDecl *, State> states; ///< by what has it

  struct Faulty {
    std::vector<std::string> symbols;
    std::string text;
    Touched touched;
  };
  std::vector<Faulty> faultySymbols;
  llvm::SmallSetVector<const clang::VarDecl *, 8> initialised;
  std::vector<Place> places, launchPlaces, initialisedPlaces;

  /// The uses on a path to something that may be an error.
  std::vector<Use> usesThatMatter() const;
};

} // namespace xcc

#endif // XCC_FRONTEND_KERNELS_WALK_LINKNOTES_H
