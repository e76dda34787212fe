# SPDX-License-Identifier: GPL-3.0-or-later
# cmake -D OUTPUT=FILE -D FOLDER=resources/manual -P manual_pages.cmake: the pages of the manual as texts in a program,
# sorted by name, and the glossary in other languages, from ../glossary beside it. A page is a file of the folder; nothing
# lists them.
function(pw_rows folder rows)
  file(GLOB pages ${folder}/*.md)
  list(SORT pages)
  set(all "")
  foreach(page IN LISTS pages)
    get_filename_component(name ${page} NAME_WE)
    file(READ ${page} text)
    string(APPEND all "    {\"${name}\", R\"pw_page(${text})pw_page\"sv},\n")
  endforeach()
  set(${rows} "${all}" PARENT_SCOPE)
endfunction()
pw_rows(${FOLDER} rows)
pw_rows(${FOLDER}/../glossary glossaries)
file(WRITE ${OUTPUT} "// SPDX-License-Identifier: GPL-3.0-or-later
// Generated from the files in resources/manual.
#include \"app/manual.h\"

namespace pw::app {

namespace {

// With their lengths known: clang counts no more than a million characters while it compiles.
using namespace std::string_view_literals;

constexpr ManualPage pages[] = {
${rows}};

constexpr ManualPage glossaries[] = {
${glossaries}};

} // namespace

std::span<const ManualPage> manualPages()
{
    return pages;
}

std::span<const ManualPage> translatedGlossaries()
{
    return glossaries;
}

} // namespace pw::app
")
