# xcc_add_kernels and xcc_link_kernels: what xcc-config.cmake says of them.
#
# The sources become an object library, TARGET_xcc, whose compile commands are
# CMake's own for the project's compiler, with xcc as their launcher: header
# dependencies, flags and compile_commands.json are what they are for others.

# Whether the project's compiler is xcc, which needs no help.
function(xcc_is_compiler result)
  get_filename_component(name "${CMAKE_CXX_COMPILER}" NAME)
  if(name STREQUAL "xcc")
    set(${result} ON PARENT_SCOPE)
  else()
    set(${result} OFF PARENT_SCOPE)
  endif()
endfunction()

function(xcc_check_target caller target)
  if(NOT TARGET ${target})
    message(FATAL_ERROR "${caller}: '${target}' is not a target")
  endif()
  get_target_property(type ${target} TYPE)
  if(NOT type MATCHES "^(EXECUTABLE|(STATIC|SHARED|MODULE)_LIBRARY)$")
    message(FATAL_ERROR "${caller}: '${target}' is neither a program nor a "
      "static, shared or module library")
  endif()
  get_target_property(archs ${target} XCC_ARCHITECTURES)
  if(NOT archs AND CMAKE_XCC_ARCHITECTURES)
    set_property(TARGET ${target} PROPERTY XCC_ARCHITECTURES
      ${CMAKE_XCC_ARCHITECTURES})
  endif()
endfunction()

function(xcc_add_kernels target)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "SOURCES")
  xcc_check_target(xcc_add_kernels ${target})
  if(arg_UNPARSED_ARGUMENTS OR NOT arg_SOURCES)
    message(FATAL_ERROR "xcc_add_kernels(${target}) takes SOURCES and files")
  endif()
  xcc_is_compiler(own)
  if(own)
    target_sources(${target} PRIVATE ${arg_SOURCES})
    return()
  endif()
  set(objects ${target}_xcc)
  if(TARGET ${objects})
    target_sources(${objects} PRIVATE ${arg_SOURCES})
    return()
  endif()
  add_library(${objects} OBJECT ${arg_SOURCES})
  set_target_properties(${objects} PROPERTIES
    CXX_COMPILER_LAUNCHER "${XCC_COMPILER};--instead-of"
    INTERPROCEDURAL_OPTIMIZATION OFF # g++ cannot read Clang's
    CXX_SCAN_FOR_MODULES OFF)
  target_include_directories(${objects} PRIVATE
    "$<TARGET_PROPERTY:${target},INCLUDE_DIRECTORIES>")
  target_compile_definitions(${objects} PRIVATE
    "$<TARGET_PROPERTY:${target},COMPILE_DEFINITIONS>")
  set(archs "$<TARGET_PROPERTY:${target},XCC_ARCHITECTURES>")
  target_compile_options(${objects} PRIVATE
    "$<TARGET_PROPERTY:${target},COMPILE_OPTIONS>"
    "$<$<BOOL:${archs}>:--offload-arch=$<JOIN:${archs},$<COMMA>>>"
    "$<$<BOOL:$<TARGET_PROPERTY:${target},XCC_OFFLOAD_EXPORT>>:-foffload-export>")
  target_sources(${target} PRIVATE $<TARGET_OBJECTS:${objects}>)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY \"${CMAKE_SOURCE_DIR}\"
    CALL xcc_take_properties ${target})")

  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    set_property(TARGET ${target} PROPERTY XCC_HAS_KERNELS ON)
    set_property(TARGET ${target} APPEND PROPERTY EXPORT_PROPERTIES
      XCC_HAS_KERNELS)
    set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES xcc::runtime)
    set_property(TARGET ${target} APPEND PROPERTY INTERFACE_LINK_LIBRARIES
      $<LINK_ONLY:xcc::runtime>)
  else()
    xcc_link_kernels(${target})
  endif()
endfunction()

# What was said of a target after its kernels were added holds for them too.
function(xcc_take_properties target)
  foreach(property CXX_STANDARD CXX_STANDARD_REQUIRED CXX_EXTENSIONS
      CXX_VISIBILITY_PRESET VISIBILITY_INLINES_HIDDEN POSITION_INDEPENDENT_CODE
      COMPILE_FEATURES)
    get_target_property(value ${target} ${property})
    if(NOT value MATCHES "NOTFOUND$")
      set_property(TARGET ${target}_xcc PROPERTY ${property} ${value})
    endif()
  endforeach()
  get_target_property(type ${target} TYPE)
  if(type MATCHES "^(SHARED|MODULE)_LIBRARY$")
    # As CMake compiles a library's own sources.
    set_property(TARGET ${target}_xcc PROPERTY POSITION_INDEPENDENT_CODE ON)
    set_property(TARGET ${target}_xcc APPEND PROPERTY COMPILE_DEFINITIONS
      ${target}_EXPORTS)
  endif()
  # Headers that others generate are there before.
  get_target_property(before ${target} MANUALLY_ADDED_DEPENDENCIES)
  get_target_property(libraries ${target} LINK_LIBRARIES)
  foreach(other IN LISTS before libraries)
    if(TARGET ${other})
      get_target_property(imported ${other} IMPORTED)
      if(NOT imported)
        add_dependencies(${target}_xcc ${other})
      endif()
    endif()
  endforeach()
endfunction()

function(xcc_link_kernels target)
  xcc_check_target(xcc_link_kernels ${target})
  get_target_property(done ${target} XCC_DEVICE_LINK)
  xcc_is_compiler(own)
  if(done OR own)
    return()
  endif()
  get_target_property(type ${target} TYPE)
  if(type STREQUAL "STATIC_LIBRARY")
    message(FATAL_ERROR "xcc_link_kernels: '${target}' is a static library; "
      "device code is linked where it is linked")
  endif()
  set(kind)
  if(NOT type STREQUAL "EXECUTABLE")
    set(kind -shared "-Wl,-soname,$<TARGET_FILE_NAME:${target}>")
    if(type STREQUAL "SHARED_LIBRARY")
      set(kind -shared "-Wl,-soname,$<TARGET_SONAME_FILE_NAME:${target}>")
    endif()
  endif()
  set(folder ${CMAKE_CURRENT_BINARY_DIR}/CMakeFiles/${target}.dir/xcc$<CONFIG>)
  # A step of the link itself: whatever has it done again does this again.
  # Precompiled headers are among a target's objects for CMake.
  add_custom_command(TARGET ${target} PRE_LINK
    COMMAND ${CMAKE_COMMAND} -E make_directory ${folder}
    COMMAND ${XCC_COMPILER} --device-link ${kind}
      "$<FILTER:$<TARGET_OBJECTS:${target}>,EXCLUDE,[.][gp]ch$>"
      "$<TARGET_GENEX_EVAL:${target},$<TARGET_PROPERTY:${target},XCC_DEVICE_LINK>>"
      -o ${folder}/device.o
    COMMENT "Linking device code of ${target}"
    COMMAND_EXPAND_LISTS VERBATIM)
  set_property(TARGET ${target} PROPERTY XCC_DEVICE_LINK
    "$<$<BOOL:$<TARGET_NAME_IF_EXISTS:${target}_xcc>>:$<TARGET_OBJECTS:${target}_xcc>>")
  target_link_options(${target} PRIVATE ${folder}/device.o)
  if(type STREQUAL "EXECUTABLE")
    # A program's handlers of faults go together with kernels'.
    foreach(name sigaction signal bsd_signal __sysv_signal)
      target_link_options(${target} PRIVATE LINKER:--wrap=${name})
    endforeach()
  endif()
  set_property(TARGET ${target} APPEND PROPERTY LINK_LIBRARIES xcc::runtime)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY \"${CMAKE_SOURCE_DIR}\"
    CALL xcc_take_libraries ${target})")
endfunction()

# The targets and files that a target is linked with, without the runtime.
function(xcc_libraries_of target result)
  get_target_property(waiting ${target} LINK_LIBRARIES)
  set(seen)
  while(waiting)
    list(POP_FRONT waiting item)
    string(REGEX REPLACE "^\\$<LINK_ONLY:(.*)>$" "\\1" item "${item}")
    if(item IN_LIST seen OR item STREQUAL "xcc::runtime")
      continue()
    endif()
    list(APPEND seen "${item}")
    if(TARGET "${item}")
      get_target_property(more ${item} INTERFACE_LINK_LIBRARIES)
      if(more)
        list(APPEND waiting ${more})
      endif()
    endif()
  endwhile()
  set(${result} "${seen}" PARENT_SCOPE)
endfunction()

# The device link reads the libraries that the target is linked with.
function(xcc_take_libraries target)
  xcc_libraries_of(${target} libraries)
  foreach(item IN LISTS libraries)
    if(TARGET "${item}")
      get_target_property(type ${item} TYPE)
      if(type MATCHES "^(STATIC|SHARED)_LIBRARY$")
        set_property(TARGET ${target} APPEND PROPERTY XCC_DEVICE_LINK
          "$<TARGET_LINKER_FILE:${item}>")
      endif()
    elseif(IS_ABSOLUTE "${item}" AND item MATCHES "\\.(a|o|so)$")
      set_property(TARGET ${target} APPEND PROPERTY XCC_DEVICE_LINK "${item}")
    endif()
  endforeach()
endfunction()

# Whoever links a static library with kernels has to link their device code.
function(xcc_check_links folder)
  get_property(targets DIRECTORY ${folder} PROPERTY BUILDSYSTEM_TARGETS)
  foreach(target IN LISTS targets)
    get_target_property(type ${target} TYPE)
    get_target_property(done ${target} XCC_DEVICE_LINK)
    if(done OR NOT type MATCHES "^(EXECUTABLE|(SHARED|MODULE)_LIBRARY)$")
      continue()
    endif()
    xcc_libraries_of(${target} libraries)
    foreach(item IN LISTS libraries)
      if(TARGET "${item}")
        get_target_property(kernels ${item} XCC_HAS_KERNELS)
        if(kernels)
          message(SEND_ERROR "'${target}' is linked with '${item}', a static "
            "library with kernels: their device code is linked by "
            "xcc_link_kernels(${target})")
          break()
        endif()
      endif()
    endforeach()
  endforeach()
  get_property(inside DIRECTORY ${folder} PROPERTY SUBDIRECTORIES)
  foreach(other IN LISTS inside)
    xcc_check_links(${other})
  endforeach()
endfunction()
get_property(checks GLOBAL PROPERTY XCC_CHECKS_LINKS)
xcc_is_compiler(own)
if(NOT checks AND NOT own)
  set_property(GLOBAL PROPERTY XCC_CHECKS_LINKS ON)
  cmake_language(EVAL CODE "cmake_language(DEFER DIRECTORY \"${CMAKE_SOURCE_DIR}\"
    CALL xcc_check_links \"${CMAKE_SOURCE_DIR}\")")
endif()
unset(checks)
unset(own)
