// Block functions that share their outer loops
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The loops over teams of blocks, and over the rows of a block, are the same in
// all kernels that work in teams (Teams.h). So an image has these loops once,
// and a kernel only has the function that runs one team:
//
//   k.block(group, first, last)  ->  xcc.teams(group, first, last, k.block.team)
//   xcc.teams                    ->  for each team in [first, last):
//                                      team(group, x, y, z, width)
//
// A simple kernel is then one loop: about a third of the code, which takes half
// as long to compile. A team has up to MostTeamThreads threads in a row, so the
// calls cost little.

#ifndef XCC_BACKEND_BLOCK_LOOPS_TEAMENTRY_H
#define XCC_BACKEND_BLOCK_LOOPS_TEAMENTRY_H

#include "Teams.h"

#include "llvm/IR/Function.h"

namespace xcc::block {

/// The parameters of a function that runs a team: the group, block_idx of the
/// team's first block, and its threads along x.
llvm::SmallVector<llvm::Type *, 5> teamParameters(llvm::LLVMContext &c);

/// Adds what is known of the parameters of \p team to the attributes that all
/// block functions have.
void setTeamAttributes(llvm::Function &team);

/// Creates the xcc_cpu_block_fn \p name, which calls \p team for each team of
/// its blocks. With \p eachRow, \p team runs one row of threads along x and is
/// called for each row of y and z.
llvm::Function *createTeamEntry(llvm::Function &team, const llvm::Twine &name,
                                bool eachRow, const TeamForm &form);

} // namespace xcc::block

#endif // XCC_BACKEND_BLOCK_LOOPS_TEAMENTRY_H
