# Bitcode that is linked into images: sources compiled for one kind of device,
# with no attributes of one arch, so that they are inlined into any caller.
#
# xcc_device_library(<file> <cpu, or one of XCC_GPU_TARGETS> [OPTIMIZED]
#                    FLAGS <flag>... SOURCES <path>...)
#
# compiles each source as -cc1 does with the flags, the target's, and those that
# set_source_files_properties(<path> PROPERTIES XCC_FLAGS ...) gives it, and
# links them to one file. LLVM's passes run on it only with OPTIMIZED. The global
# property XCC_DEVICE_BITCODE lists what was compiled.

# Not our own build's compiler: the Clang whose bitcode the compiler reads.
find_program(XCC_CLANGXX clang++ PATHS ${XCC_LLVM_ROOT}/bin NO_DEFAULT_PATH REQUIRED)
find_program(XCC_LLVM_LINK llvm-link PATHS ${XCC_LLVM_ROOT}/bin NO_DEFAULT_PATH REQUIRED)
execute_process(COMMAND ${XCC_CLANGXX} -print-resource-dir
  OUTPUT_VARIABLE XCC_CLANG_RESOURCES OUTPUT_STRIP_TRAILING_WHITESPACE
  COMMAND_ERROR_IS_FATAL ANY)

# Where the C++ library's and the C library's headers are.
execute_process(COMMAND ${XCC_CLANGXX} -E -v -x c++ /dev/null
  OUTPUT_QUIET ERROR_VARIABLE XCC_SEARCH COMMAND_ERROR_IS_FATAL ANY)
string(REGEX REPLACE ".*#include <...> search starts here:(.*)End of search list.*"
  "\\1" XCC_SEARCH "${XCC_SEARCH}")
string(REGEX MATCHALL "[^ \n]+" XCC_SEARCH "${XCC_SEARCH}")
set(XCC_HOST_HEADERS)
foreach(folder IN LISTS XCC_SEARCH)
  list(APPEND XCC_HOST_HEADERS -internal-isystem ${folder})
endforeach()

# The GPU targets, each with a folder of this name in device-runtime/.
set(XCC_GPU_TARGETS nvptx amdgcn)
set(XCC_nvptx_FLAGS -triple nvptx64-nvidia-cuda)
# Any code object version: the compiler's option decides.
set(XCC_amdgcn_FLAGS -triple amdgcn-amd-amdhsa -mcode-object-version=none)
set(XCC_cpu_FLAGS -triple x86_64-pc-linux-gnu -mrelocation-model pic -pic-level 2)

# -relaxed-aliasing: the functions are inlined into programs, and read their
# objects by types of our own (the address of a virtual table, a thrown pointer).
function(xcc_device_library library target)
  cmake_parse_arguments(PARSE_ARGV 2 ARG "OPTIMIZED" "" "FLAGS;SOURCES")
  set(passes -disable-llvm-passes)
  if(ARG_OPTIMIZED)
    set(passes)
  endif()
  get_filename_component(owner ${library} NAME_WE)
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/${owner}.dir)
  file(MAKE_DIRECTORY ${folder})
  set(parts)
  foreach(path IN LISTS ARG_SOURCES)
    get_filename_component(source ${path} ABSOLUTE)
    get_filename_component(name ${path} NAME_WE)
    set(part ${folder}/${name}-${target}.bc)
    get_source_file_property(own ${path} XCC_FLAGS)
    if(NOT own)
      set(own)
    endif()
    add_custom_command(OUTPUT ${part}
      COMMAND ${XCC_CLANGXX} -cc1 -std=c++20 -O2 ${passes} -emit-llvm-bc
        -relaxed-aliasing
        ${XCC_${target}_FLAGS} -I${PROJECT_SOURCE_DIR}/device-runtime/${target}
        ${ARG_FLAGS} ${own}
        -dependency-file ${part}.d -MT ${part} ${source} -o ${part}
      DEPENDS ${source} DEPFILE ${part}.d VERBATIM)
    list(APPEND parts ${part})
  endforeach()
  set_property(GLOBAL APPEND PROPERTY XCC_DEVICE_BITCODE ${parts})
  add_custom_command(OUTPUT ${library}
    COMMAND ${XCC_LLVM_LINK} ${parts} -o ${library} DEPENDS ${parts} VERBATIM)
endfunction()
