#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# What a desktop reads is well formed: the desktop entry, the MIME type, the metainfo, the icon; and the names in them agree.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need desktop-file-validate desktop-file-utils
need update-mime-database shared-mime-info
need appstreamcli appstream
need xmllint libxml2-utils

entry=resources/desktop/pipewright-studio.desktop
types=resources/desktop/pipewright.xml
metainfo=$scratch/io.github.pipewright.studio.metainfo.xml
version=$(sed -n 's/^project(Pipewright VERSION \([0-9.]*\).*/\1/p' CMakeLists.txt)
date=$(sed -n 's/.*releaseDate = "\([0-9-]*\)".*/\1/p' core/base/man_page.h)
[[ -n $version && -n $date ]] || found "no version or no date of the release in the build files"
sed "s/@PROJECT_VERSION@/$version/; s/@PW_RELEASE_DATE@/$date/" \
    resources/desktop/io.github.pipewright.studio.metainfo.xml.in >"$metainfo"

warnings=$(desktop-file-validate --warn-kde "$entry" 2>&1) || found "$entry"
[[ -z $warnings ]] || found "$warnings"
xmllint --noout "$types" "$metainfo" resources/icons/*.svg || found "no XML"
appstreamcli validate --no-net --pedantic "$metainfo" >"$scratch/appstream" 2>&1 ||
    found "$(cat "$scratch/appstream")"

# The MIME database takes the type, and a project's name leads to it.
mkdir -p "$scratch/share/mime/packages"
cp "$types" "$scratch/share/mime/packages/"
XDG_DATA_DIRS=$scratch/share update-mime-database "$scratch/share/mime" 2>"$scratch/mime" || found "update-mime-database: $(cat "$scratch/mime")"
[[ ! -s $scratch/mime ]] || found "update-mime-database: $(cat "$scratch/mime")"
type=$(sed -n 's/^ *<mime-type type="\([^"]*\)".*/\1/p' "$types")
grep -qx "60:$type:\*.pipewright.json" "$scratch/share/mime/globs2" || found "*.pipewright.json does not lead to $type"
grep -q "^MimeType=.*$type;" "$entry" || found "the desktop entry does not take $type"
grep -q "<mediatype>$type</mediatype>" "$metainfo" || found "the metainfo does not name $type"

# Names of files that are installed.
grep -q "<launchable type=\"desktop-id\">$(basename "$entry")</launchable>" "$metainfo" ||
    found "the metainfo launches another desktop entry"
icon=$(sed -n 's/^Icon=//p' "$entry")
[[ -f resources/icons/$icon.svg ]] || found "the icon $icon is not among resources/icons"
grep -q "<icon name=\"$icon\"/>" "$types" || found "the MIME type has another icon than $icon"

done_with "desktop entry, MIME type $type, metainfo and icon are valid and agree"
