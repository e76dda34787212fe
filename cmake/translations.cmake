# SPDX-License-Identifier: GPL-3.0-or-later
# The languages of the window, where Qt's tools for them are installed: resources/translations holds a
# pipewright_LOCALE.ts each. The target update_translations writes new sentences into them.
find_package(Qt6LinguistTools 6.2 QUIET)
file(GLOB PW_LANGUAGES CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/resources/translations/*.ts)
if(Qt6LinguistTools_FOUND AND PW_LANGUAGES)
  file(GLOB_RECURSE PW_SPEAKING CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/ui/*.cpp ${PROJECT_SOURCE_DIR}/ui/*.h)
  set_source_files_properties(${PW_LANGUAGES} PROPERTIES
                              OUTPUT_LOCATION ${PROJECT_BINARY_DIR}/app/translations)
  qt_add_lrelease(pw_window TS_FILES ${PW_LANGUAGES} QM_FILES_OUTPUT_VARIABLE PW_LANGUAGE_FILES)
  qt_add_lupdate(pw_window TS_FILES ${PW_LANGUAGES} SOURCES ${PW_SPEAKING})
  install(FILES ${PW_LANGUAGE_FILES} DESTINATION share/pipewright/translations COMPONENT studio)
endif()
