# SPDX-License-Identifier: GPL-3.0-or-later

# What people add is a file in a folder: the build lists the folder and writes the registry, which calls every file's one
# function by the file's stem. No static initialisers, no list to edit.

# Files of the folder of families that are none.
set(PW_NO_FAMILY engines expression_reader family family_names family_file family_file_read family_traits file_families forms line_reader order_language order_reader order_sinks own_families ready_order recognise reference replicated_line unit_walk)

# TYPE OUTPUT SOURCES FOLDERS...: writes OUTPUT from cmake/TYPE_registry.cpp.in, for every .cpp of the folders but those
# that the list PW_NO_<TYPE> names, and sets SOURCES to those files.
function(pw_registry type output sources)
  string(TOLOWER ${type} template)
  string(TOUPPER ${type} upper)
  set(found "")
  foreach(folder IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.cpp)
    list(APPEND found ${files})
  endforeach()
  set(PW_DECLARATIONS "")
  set(PW_CALLS "")
  set(all "")
  foreach(file IN LISTS found)
    get_filename_component(stem ${file} NAME_WE)
    if(stem IN_LIST PW_NO_${upper})
      continue()
    endif()
    list(APPEND all ${file})
    string(APPEND PW_DECLARATIONS "${type} ${stem}();\n")
    string(APPEND PW_CALLS "        ${stem}(),\n")
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/${template}_registry.cpp.in ${output} @ONLY)
  set(${sources} ${all} PARENT_SCOPE)
endfunction()

# OUTPUT FOLDERS...: the same for lessons, which are texts: a file *.json is part of the program by its stem.
function(pw_lesson_registry output)
  set(PW_LESSONS "")
  foreach(folder IN LISTS ARGN)
    file(GLOB files CONFIGURE_DEPENDS ${folder}/*.json)
    foreach(file IN LISTS files)
      get_filename_component(stem ${file} NAME_WE)
      file(READ ${file} content)
      string(APPEND PW_LESSONS "    {\"${stem}\", R\"lesson(${content})lesson\"},\n")
      set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    endforeach()
  endforeach()
  configure_file(${PROJECT_SOURCE_DIR}/cmake/shipped_lessons.cpp.in ${output} @ONLY)
endfunction()
