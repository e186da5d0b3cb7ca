// Initialisers and destructors of an image's global variables
//
// Part of the xcc project, under the Apache License v2.0 with LLVM Exceptions.
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Global variables whose initialisers are not constant, or that have
// destructors, need two kernels in the image, which have no descriptor
// (XCC_SYMBOL_INIT and _FINI). For an image without them, the cost is a look
// into its table.

#ifndef XCC_SRC_IMAGES_INITIALISERS_H
#define XCC_SRC_IMAGES_INITIALISERS_H

#include "devices/device.h"

#include <string>
#include <string_view>

namespace xcc::rt {

class Initialisers {
public:
  /// Finds the two kernels. \p elsewhere lists the variables if \p source does
  /// not. Both live as long as the unit.
  xcc_status find(Device &on, Image &code, const OffloadImage &source,
                  xcc_binary &unit, std::string_view elsewhere);
  bool any() const { return init.kernel; }
  /// Runs the initialisers and waits for them. \p kernel is the name of the
  /// kernel whose launch waits.
  xcc_status run(Device &on, const char *kernel);
  /// Enqueues the destructors, once, if the initialisers have run. Returns
  /// false if there are none.
  bool finish(Device &on);
  /// Waits for the destructors and reports their failure.
  void finished(Device &on);

private:
  struct Part {
    xcc_kernel_info info{};
    const Kernel *kernel = nullptr; ///< null: the image has none
  };
  Part init, fini;
  std::string_view makes; ///< the variables' names in order, ';' between
  bool ready = false;     ///< initialised, and not yet destroyed
  Queue *last = nullptr;

  std::string nameOf(uint32_t number) const;
  static xcc_status findPart(Part &part, const char *symbol, const char *name,
                             Device &on, Image &code,
                             const OffloadImage &source, xcc_binary &unit,
                             std::string_view *makes = nullptr);
};

} // namespace xcc::rt
#endif // XCC_SRC_IMAGES_INITIALISERS_H
