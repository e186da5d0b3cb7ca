# find_package(xcc), for projects whose C++ compiler is another one:
#
#   xcc_add_kernels(TARGET SOURCES FILE...)
#     Adds sources to a program or library and has xcc compile them, with the
#     target's own include directories, definitions, options and configuration,
#     for the archs in its property XCC_ARCHITECTURES (a list, as
#     --offload-arch= takes; at first CMAKE_XCC_ARCHITECTURES). Its link gets
#     the device code, and the runtime.
#
#   xcc_link_kernels(TARGET)
#     The link alone: for a program or shared library whose kernels are all in
#     static libraries.
#
#   xcc_add_simulated_test(NAME TARGET ARCH... [ARGS ARGUMENT...])
#     A test of CTest's that runs the program on a simulated GPU; of several archs,
#     a test NAME.ARCH for each. The program needs code for these archs.
#
#   XCC_COMPILER   the program xcc, for add_custom_command
#   xcc::runtime   libxcc and its headers, for programs in C or other languages
#                  that use its C interface or link objects that xcc compiled
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH xcc_prefix) # lib/cmake
cmake_path(GET xcc_prefix PARENT_PATH xcc_prefix)             # lib
cmake_path(GET xcc_prefix PARENT_PATH xcc_prefix)
set(XCC_COMPILER ${xcc_prefix}/bin/xcc)

include(CMakeFindDependencyMacro)
find_dependency(Threads)
if(NOT TARGET xcc::runtime)
  add_library(xcc::runtime STATIC IMPORTED)
  set_target_properties(xcc::runtime PROPERTIES
    IMPORTED_LOCATION ${xcc_prefix}/lib/libxcc.a
    INTERFACE_LINK_OPTIONS "LINKER:--exclude-libs=libxcc.a"
    INTERFACE_INCLUDE_DIRECTORIES ${xcc_prefix}/include
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${CMAKE_DL_LIBS};stdc++;m")
endif()
set(XCC_SIMULATORS ${xcc_prefix}/lib)
unset(xcc_prefix)

include(${CMAKE_CURRENT_LIST_DIR}/xcc-kernels.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/xcc-simulated.cmake)
