# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
# What core takes from elsewhere where the program is for another system than the one that builds it, and Debian has no
# package of it for that system: the targets tl::expected and SQLite::SQLite3, and RAPIDJSON_INCLUDE_DIRS.

# Headers that hold nothing but templates; the rest of /usr/include is of another system.
find_path(PW_EXPECTED_INCLUDE tl/expected.hpp PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
find_path(PW_RAPIDJSON_INCLUDE rapidjson/document.h PATHS /usr/include NO_CMAKE_FIND_ROOT_PATH REQUIRED)
mark_as_advanced(PW_EXPECTED_INCLUDE PW_RAPIDJSON_INCLUDE)
set(RAPIDJSON_INCLUDE_DIRS ${PROJECT_BINARY_DIR}/include)
file(MAKE_DIRECTORY ${RAPIDJSON_INCLUDE_DIRS})
file(CREATE_LINK ${PW_EXPECTED_INCLUDE}/tl ${RAPIDJSON_INCLUDE_DIRS}/tl SYMBOLIC)
file(CREATE_LINK ${PW_RAPIDJSON_INCLUDE}/rapidjson ${RAPIDJSON_INCLUDE_DIRS}/rapidjson SYMBOLIC)
add_library(tl::expected INTERFACE IMPORTED)
target_include_directories(tl::expected INTERFACE ${RAPIDJSON_INCLUDE_DIRS})

# SQLite is compiled here, from the sources of this machine's own.
set(PW_SQLITE_SOURCE "" CACHE PATH "A folder with SQLite's sqlite3.c and sqlite3.h; empty: made from Debian's source package")
set(pw_sqlite_source ${PW_SQLITE_SOURCE})
if(NOT pw_sqlite_source)
  set(pw_sqlite_source ${PROJECT_BINARY_DIR}/sqlite)
  execute_process(COMMAND ${PROJECT_SOURCE_DIR}/cmake/sqlite_source.sh ${pw_sqlite_source}
                  OUTPUT_FILE ${PROJECT_BINARY_DIR}/sqlite_source.log ERROR_VARIABLE pw_sqlite_error
                  RESULT_VARIABLE pw_sqlite_result)
  if(NOT pw_sqlite_result EQUAL 0)
    message(FATAL_ERROR "SQLite's sources are not to be had from Debian: ${pw_sqlite_error}\n"
                        "PW_SQLITE_SOURCE names a folder that holds sqlite3.c and sqlite3.h.")
  endif()
endif()
enable_language(C)
add_library(pw_sqlite3 STATIC ${pw_sqlite_source}/sqlite3.c)
target_include_directories(pw_sqlite3 SYSTEM PUBLIC ${pw_sqlite_source})
target_compile_definitions(pw_sqlite3 PRIVATE
  SQLITE_THREADSAFE=1 SQLITE_ENABLE_COLUMN_METADATA SQLITE_ENABLE_MATH_FUNCTIONS SQLITE_ENABLE_DBSTAT_VTAB
  SQLITE_OMIT_LOAD_EXTENSION SQLITE_TEMP_STORE=1)
add_library(SQLite::SQLite3 ALIAS pw_sqlite3)
