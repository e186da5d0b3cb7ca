# LLVM, Clang and lld 22. The shared LLVM and Clang libraries keep our links
# short; lld comes as static archives only.
set(XCC_LLVM_ROOT "/usr/lib/llvm-22" CACHE PATH "Where LLVM 22 is installed")
find_package(LLVM 22.1 REQUIRED CONFIG PATHS ${XCC_LLVM_ROOT} NO_DEFAULT_PATH)
find_library(XCC_CLANG_CPP NAMES libclang-cpp.so.22.1 clang-cpp PATHS ${XCC_LLVM_ROOT}/lib NO_DEFAULT_PATH REQUIRED)
find_library(XCC_LLVM_SO NAMES LLVM-22 LLVM PATHS ${XCC_LLVM_ROOT}/lib NO_DEFAULT_PATH REQUIRED)

add_library(xcc_llvm INTERFACE)
# Debian's libc++abi puts its cxxabi.h beside LLVM's headers, which would come
# before the one of the library that we are compiled with.
find_path(XCC_CXXABI cxxabi.h PATHS ${CMAKE_CXX_IMPLICIT_INCLUDE_DIRECTORIES}
  NO_DEFAULT_PATH)
if(XCC_CXXABI AND EXISTS ${XCC_LLVM_ROOT}/include/cxxabi.h)
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/cxxabi/cxxabi.h
    CONTENT "#include \"${XCC_CXXABI}/cxxabi.h\"\n")
  target_include_directories(xcc_llvm SYSTEM INTERFACE ${PROJECT_BINARY_DIR}/cxxabi)
endif()
target_include_directories(xcc_llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(XCC_LLVM_DEFINITIONS NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(xcc_llvm INTERFACE ${XCC_LLVM_DEFINITIONS})
# Debian's LLVM is built without RTTI; our classes derive from its classes.
target_compile_options(xcc_llvm INTERFACE -fno-rtti)
target_link_libraries(xcc_llvm INTERFACE ${XCC_LLVM_SO})

add_library(xcc_clang INTERFACE)
target_link_libraries(xcc_clang INTERFACE ${XCC_CLANG_CPP} xcc_llvm)

add_library(xcc_lld INTERFACE)
target_link_libraries(xcc_lld INTERFACE ${XCC_LLVM_ROOT}/lib/liblldELF.a ${XCC_LLVM_ROOT}/lib/liblldCommon.a xcc_llvm z zstd)
