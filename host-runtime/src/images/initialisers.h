// What an image runs before its first kernel, and after its last
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Initialisers of global variables that are not constants, and destructors: two
// kernels of the image that no descriptor names (XCC_SYMBOL_INIT and _FINI). An
// image that has neither costs a look into its table.

#ifndef XCC_SRC_IMAGES_INITIALISERS_H
#define XCC_SRC_IMAGES_INITIALISERS_H

#include "devices/device.h"

#include <string>
#include <string_view>

namespace xcc::rt {

class Initialisers {
public:
  /// Finds the two kernels. \p source lives as long as the unit. \p elsewhere
  /// names the variables where the source does not, and lives as long.
  xcc_status find(Device &on, Image &code, const OffloadImage &source,
                  xcc_binary &unit, std::string_view elsewhere);
  bool any() const { return init.kernel; }
  /// Runs what comes before all kernels, and waits for it, as does the launch of
  /// the kernel of that name.
  xcc_status run(Device &on, const char *kernel);
  /// Enqueues what comes after all kernels, once, if all that comes before has
  /// run; false when there is nothing.
  bool finish(Device &on);
  /// Waits for that, and says what went wrong with it.
  void finished(Device &on);

private:
  struct Part {
    xcc_kernel_info info{};
    const Kernel *kernel = nullptr; ///< null: the image has none
  };
  Part init, fini;
  std::string_view makes; ///< in order, ';' between: what has initialisers
  bool ready = false;     ///< run, and not yet finished
  Queue *last = nullptr;

  std::string nameOf(uint32_t number) const;
  static xcc_status findPart(Part &part, const char *symbol, const char *name,
                             Device &on, Image &code,
                             const OffloadImage &source, xcc_binary &unit,
                             std::string_view *makes = nullptr);
};

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_INITIALISERS_H
