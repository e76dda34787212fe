# SPDX-License-Identifier: GPL-3.0-or-later

# What makes a build from nothing short: several files of a library are one translation unit, and the headers of the
# standard library and of Qt are compiled once. A tree without both compiles every file as it stands.
option(PW_UNITY "Compile several files of a library as one" ON)
option(PW_PRECOMPILE "Precompile the headers of Qt and the standard library" ON)

# g++ looks every few megabytes for memory that it may give back, which is a seventh of a build's time here; a gigabyte a
# job needs no look where there is some.
cmake_host_system_information(RESULT pw_memory QUERY TOTAL_PHYSICAL_MEMORY) # MiB
cmake_host_system_information(RESULT pw_processors QUERY NUMBER_OF_LOGICAL_CORES)
math(EXPR pw_memory_a_job "${pw_memory} / (${pw_processors} + 1)")
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND pw_memory_a_job GREATER_EQUAL 1500)
  add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:--param=ggc-min-heapsize=1048576>")
endif()

# Trees of shared libraries stay here, and are linked again after each change: by mold or lld, where one is and the compiler
# knows it, ten times as fast. What ships is linked by the system's own.
if(BUILD_SHARED_LIBS AND NOT CMAKE_LINKER_TYPE AND NOT "${CMAKE_EXE_LINKER_FLAGS} ${CMAKE_CXX_FLAGS}" MATCHES "-fuse-ld|-fsanitize")
  include(CheckCXXSourceCompiles)
  foreach(linker mold lld)
    find_program(PW_LINKER_${linker} NAMES ${linker} ld.${linker})
    mark_as_advanced(PW_LINKER_${linker})
    if(PW_LINKER_${linker})
      set(CMAKE_REQUIRED_LINK_OPTIONS -fuse-ld=${linker})
      check_cxx_source_compiles("int main() { return 0; }" PW_LINKS_WITH_${linker})
      unset(CMAKE_REQUIRED_LINK_OPTIONS)
      if(PW_LINKS_WITH_${linker})
        add_link_options("$<$<LINK_LANGUAGE:CXX>:-fuse-ld=${linker}>")
        break()
      endif()
    endif()
  endforeach()
endif()

# LISTS of headers that our own code never changes, so that a precompiled header is made once.
set(PW_STANDARD_HEADERS
  <algorithm> <array> <charconv> <chrono> <cmath> <cstdint> <filesystem> <fstream> <functional> <limits> <map> <memory>
  <numeric> <optional> <set> <span> <sstream> <string> <string_view> <tuple> <unordered_map> <utility> <variant> <vector>
  <tl/expected.hpp>)
set(PW_WIDGET_HEADERS <QtCore/QtCore> <QtGui/QtGui> <QtWidgets/QtWidgets>)

# TARGET HEADERS...: the target's files of C++ begin with these headers, compiled once.
function(pw_precompile target)
  if(NOT PW_PRECOMPILE)
    return()
  endif()
  target_precompile_headers(${target} PRIVATE ${ARGN})
  # For ccache, which else cannot tell what a precompiled header holds.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-fpch-preprocess>)
  endif()
endfunction()

# For a folder that readers of foreign input are in: in a tree of PW_FUZZ what runs there guides what tests/checks/fuzz.sh
# feeds them with.
macro(pw_guide_by_coverage)
  if(PW_FUZZ)
    add_compile_options(-fsanitize-coverage=inline-8bit-counters,pc-table)
  endif()
endmacro()

# For a folder whose code waits for people and files: where sanitizers watch it, compiling it for speed takes longer than
# the tests then save.
macro(pw_check_unoptimised)
  if(CMAKE_CXX_FLAGS MATCHES "-fsanitize=address")
    add_compile_options(-O0)
  endif()
endmacro()

# LEVEL TARGETS...: optimised less than what they link. Trees of sanitizers have levels of their own, and so have debuggers'.
function(pw_optimise level)
  if(NOT CMAKE_CXX_FLAGS MATCHES "-fsanitize")
    foreach(target IN LISTS ARGN)
      target_compile_options(${target} PRIVATE "$<$<AND:$<COMPILE_LANGUAGE:CXX>,$<NOT:$<CONFIG:Debug>>>:-O${level}>")
    endforeach()
  endif()
endfunction()

# TARGETS that wait for people and files, and leave what takes time to others: with the first level of optimisation a file
# takes a third less time than with the last.
function(pw_waits_for_people)
  pw_optimise(1 ${ARGN})
endfunction()

# TARGETS that compute, but whose inner loops are others' (the simulator, the search, the families, the matrices): with the
# second level a file takes a fifth less time than with the last.
function(pw_asks_what_computes)
  pw_optimise(2 ${ARGN})
endfunction()

# TARGET GROUPS [FILES...]: the target's files are compiled together in that many groups, but for FILES, whose local
# names are alike. A file's group follows from its name alone, so that a new file changes one group and no other.
function(pw_unite target groups)
  if(NOT PW_UNITY)
    return()
  endif()
  get_target_property(sources ${target} SOURCES)
  foreach(file IN LISTS sources)
    if(file MATCHES "\\.cpp$" AND NOT file IN_LIST ARGN)
      get_filename_component(stem ${file} NAME_WE)
      string(MD5 digest ${stem})
      string(SUBSTRING ${digest} 0 6 digest)
      math(EXPR group "0x${digest} % ${groups}")
      set_source_files_properties(${file} PROPERTIES UNITY_GROUP ${group})
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES UNITY_BUILD ON UNITY_BUILD_MODE GROUP)
  # Here a source file is included, which g++ takes for a header.
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${target} PRIVATE $<$<COMPILE_LANGUAGE:CXX>:-Wno-subobject-linkage>)
  endif()
endfunction()
