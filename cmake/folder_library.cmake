# SPDX-License-Identifier: GPL-3.0-or-later

# A library a folder: what a folder uses stands beside its name, and the linker holds it to that.

# TARGET: whatever it calls is in it or in what it links. Static libraries are only held to it by the order of the link,
# and sanitizers leave their own calls open.
function(pw_hold target)
  if(BUILD_SHARED_LIBS AND NOT CMAKE_CXX_FLAGS MATCHES "sanitize" AND NOT APPLE)
    target_link_options(${target} PRIVATE LINKER:--no-undefined)
  endif()
endfunction()

# TARGET OTHER: begins with the precompiled headers of another library, which has no definition that this one lacks.
function(pw_precompile_as target other)
  if(NOT PW_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} REUSE_FROM ${other})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endfunction()

# PREFIX FOLDER GROUPS USES...: the library PREFIX_FOLDER of a folder's sources, compiled in that many groups.
function(pw_folder_library prefix folder groups)
  file(GLOB sources CONFIGURE_DEPENDS ${folder}/*.cpp)
  list(FILTER sources EXCLUDE REGEX "_feature\\.cpp$") # the window's, wherever they stand
  set(target ${prefix}_${folder})
  # No name of its own among the definitions: precompiled headers serve all folders.
  add_library(${target} ${sources})
  set_target_properties(${target} PROPERTIES DEFINE_SYMBOL "")
  target_link_libraries(${target} PUBLIC ${ARGN} PRIVATE pw_warnings)
  pw_unite(${target} ${groups})
  pw_hold(${target})
endfunction()
