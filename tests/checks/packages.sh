#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# The Debian packages: made, looked at by lintian, and holding what they should.
#
#   tests/checks/packages.sh [BUILD-FOLDER]     default build/studio, which the preset studio makes
#
# Leaves the packages in BUILD-FOLDER/packages, where clean_root.sh takes them.

source "$(dirname "${BASH_SOURCE[0]}")/common.sh"
need cpack cmake
need lintian lintian
need dpkg-deb dpkg

build=${1:-build/studio}
need_file "$build/CPackConfig.cmake" "cmake --preset studio && cmake --build --preset studio"
grep -q '^BUILD_SHARED_LIBS:BOOL=ON' "$build/CMakeCache.txt" &&
    cannot "$build has shared libraries, which are for trees that stay; take the preset studio"

packages=$build/packages
rm -rf "$packages"
cpack --config "$build/CPackConfig.cmake" -G DEB -B "$packages" >"$scratch/cpack" 2>&1 ||
    { tail -n 20 "$scratch/cpack"; found "cpack"; done_with; }
shopt -s nullglob
debs=("$packages"/*.deb)
[[ ${#debs[@]} -ge 2 ]] || found "only ${#debs[@]} packages were made"

# What lintian holds against a package that is not part of a distribution: it closes no bug of Debian's tracker. CMake calls
# ldconfig for a module that nobody links too, which does no harm. Later releases of AppStream miss a home page; desktop.sh
# validates the file.
for tag in initial-upload-closes-no-bugs no-changelog bad-distribution-in-changes-file maintscript-calls-ldconfig \
    appstream-metadata-validation-failed; do
    # It ends at a tag that its release does not know.
    lintian-explain-tags "$tag" >/dev/null 2>&1 && harmless=${harmless:+$harmless,}$tag
done
lintian --no-cfg --allow-root --fail-on error,warning --suppress-tags "$harmless" "${debs[@]}" || found "lintian"

holds() { # PACKAGE PATH...
    local deb=$1 path
    shift
    dpkg-deb --fsys-tarfile "$deb" | tar -t >"$scratch/content" || found "$deb cannot be listed"
    for path in "$@"; do
        grep -qxF "./$path" "$scratch/content" || found "$(basename "$deb") has no $path"
    done
}
needs() { # PACKAGE: what it depends on
    dpkg-deb -f "$1" Depends
}
for deb in "${debs[@]}"; do
    name=$(dpkg-deb -f "$deb" Package)
    case $name in
    pipewright)
        holds "$deb" usr/bin/pipewright usr/share/man/man1/pipewright.1.gz usr/share/doc/pipewright/copyright \
            usr/share/pipewright/samples/zb-v.pipewright.json
        ! needs "$deb" | grep -Eiq 'qt|cuda|mpi' || found "the command line depends on $(needs "$deb")"
        ;;
    pipewright-studio)
        holds "$deb" usr/bin/pipewright-studio usr/share/man/man1/pipewright-studio.1.gz \
            usr/share/applications/pipewright-studio.desktop usr/share/mime/packages/pipewright.xml \
            usr/share/icons/hicolor/scalable/apps/pipewright.svg \
            usr/share/metainfo/io.github.pipewright.studio.metainfo.xml
        needs "$deb" | grep -q 'pipewright (= ' || found "the studio does not depend on its own pipewright"
        ! needs "$deb" | grep -Eiq 'cuda|mpi' || found "the studio depends on $(needs "$deb")"
        ;;
    python3-pipewright)
        holds "$deb" usr/lib/python3/dist-packages/pipewright/__init__.py usr/lib/python3/dist-packages/pipewright/__init__.pyi \
            usr/lib/python3/dist-packages/pipewright/py.typed usr/share/doc/python3-pipewright/copyright
        grep -q 'usr/lib/python3/dist-packages/pipewright/_core\..*\.so' "$scratch/content" || found "$name has no compiled part"
        needs "$deb" | grep -q 'python3 (>= ' || found "$name depends on $(needs "$deb"), which names no interpreter"
        ! needs "$deb" | grep -Eiq 'qt|cuda|mpi' || found "the Python package depends on $(needs "$deb")"
        dpkg-deb -x "$deb" "$scratch/python"
        PYTHONPATH=$scratch/python/usr/lib/python3/dist-packages /usr/bin/python3 -B -c \
            'import pipewright; assert pipewright.simulate("zb-v").makespan_ms > 0' || found "$name cannot be imported"
        ;;
    esac
    say "$name $(dpkg-deb -f "$deb" Version), $(du -k "$deb" | cut -f 1) KiB, depends on $(needs "$deb")"
done
for wanted in pipewright pipewright-studio; do
    compgen -G "$packages/${wanted}_*.deb" >/dev/null || found "there is no package $wanted"
done
done_with "${#debs[@]} packages in $packages"
