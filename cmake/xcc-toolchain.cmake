# Makes xcc the C++ compiler of a project:
#
#   cmake -DCMAKE_TOOLCHAIN_FILE=<prefix>/lib/cmake/xcc/xcc-toolchain.cmake ...
#
# CMake takes xcc for Clang, which it is, and needs to know nothing else. C
# sources keep the C compiler they have, unless XCC_C is set. Kernels may be in
# executables, static and shared libraries. Devices are chosen for each target,
# and for all that say nothing by CMAKE_XCC_ARCHITECTURES, or XCC_ARCHS with
# commas in place of semicolons:
#
#   -DCMAKE_XCC_ARCHITECTURES="x86-64-v3;sm_90"
#   set_target_properties(app PROPERTIES XCC_ARCHITECTURES "host;gfx90a")
#
# A target whose sources know nothing of xcc, and that kernels call, says so
# (-foffload-export); with XCC_C its C sources take part:
#
#   set_target_properties(parser PROPERTIES XCC_OFFLOAD_EXPORT ON)
cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH xcc_prefix) # lib/cmake
cmake_path(GET xcc_prefix PARENT_PATH xcc_prefix)             # lib
cmake_path(GET xcc_prefix PARENT_PATH xcc_prefix)
set(CMAKE_CXX_COMPILER ${xcc_prefix}/bin/xcc)
# xcc finds its headers itself; clang-scan-deps, clangd and clang-tidy, which
# read the commands, do not.
set(CMAKE_CXX_STANDARD_INCLUDE_DIRECTORIES ${xcc_prefix}/include)
set(xcc_DIR ${CMAKE_CURRENT_LIST_DIR}) # for find_package
set(XCC_C OFF CACHE BOOL "Compile C with xcc too")
if(XCC_C)
  set(CMAKE_C_COMPILER ${xcc_prefix}/bin/xcc --driver-mode=gcc)
  set(CMAKE_C_STANDARD_INCLUDE_DIRECTORIES ${xcc_prefix}/include)
endif()

set(XCC_STDPAR OFF CACHE BOOL
  "Run the standard's parallel algorithms on the device")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES XCC_STDPAR)
# Its trial projects read this file too and must see the same choice.
set(XCC_ARCHS "" CACHE STRING "Devices to compile for; empty: xcc's default")
list(APPEND CMAKE_TRY_COMPILE_PLATFORM_VARIABLES XCC_ARCHS XCC_C
  CMAKE_XCC_ARCHITECTURES)
if(NOT DEFINED CMAKE_XCC_ARCHITECTURES)
  set(CMAKE_XCC_ARCHITECTURES "${XCC_ARCHS}")
endif()

get_property(xcc_known DIRECTORY PROPERTY XCC_KNOWN)
if(NOT xcc_known)
  set_property(DIRECTORY PROPERTY XCC_KNOWN ON)
  set(xcc_languages CXX)
  if(XCC_C)
    string(APPEND xcc_languages ",C")
  endif()
  set(xcc_archs "$<TARGET_PROPERTY:XCC_ARCHITECTURES>")
  string(REGEX REPLACE "[,;]" "$<COMMA>" xcc_default "${CMAKE_XCC_ARCHITECTURES}")
  set(xcc_archs "$<IF:$<BOOL:${xcc_archs}>,${xcc_archs},${xcc_default}>")
  set(xcc_if "$<AND:$<COMPILE_LANGUAGE:${xcc_languages}>,$<BOOL:${xcc_archs}>>")
  # Clang's tools read these options too, and warn of what they have no use for.
  add_compile_options("$<${xcc_if}:--start-no-unused-arguments>"
    "$<${xcc_if}:--offload-arch=$<JOIN:${xcc_archs},$<COMMA>>>"
    "$<${xcc_if}:--end-no-unused-arguments>")
  unset(xcc_archs)
  unset(xcc_default)
  unset(xcc_if)
  if(XCC_STDPAR)
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-fplugin-arg-xcc-offload-stdpar>")
  endif()
  # -foffload-export, as Clang's tools let it pass.
  add_compile_options("$<$<AND:$<COMPILE_LANGUAGE:${xcc_languages}>,$<BOOL:$<TARGET_PROPERTY:XCC_OFFLOAD_EXPORT>>>:-fplugin-arg-xcc-offload-export>")
  unset(xcc_languages)
endif()
unset(xcc_known)
unset(xcc_prefix)
