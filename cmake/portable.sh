#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Programs that run where nothing is installed: one file each, unpacked or started by anybody, without root.
#
#   cmake/portable.sh COMMAND-LINE-TREE [STUDIO-TREE] [OUT]     default OUT: packages, in the first tree
#
#   pipewright-linux-x86_64.tar.gz     the command line: a folder with its libraries, C library and loader
#   pipewright-cuda-linux-x86_64.tar.gz the module for CUDA, where the tree has it: unpacked at the same place, it is in the folder
#   pipewright-studio-x86_64.run       the studio with the command line: a file that unpacks itself once, and starts
#
# The trees are built ones, for use those of the presets portable and studio. What programs need is what ldd says of them;
# libraries are taken as the system has them, without debugging symbols.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
tree=$(cd "${1:?a build tree of the command line, such as build/portable}" && pwd)
studio=${2:+$(cd "$2" && pwd)}
out=${3:-$tree/packages}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
out=$(cd "$out" && pwd)

# Of the C library: what belongs to the loader, and goes with it.
readonly c_library='^(ld-linux-x86-64\.so\.2|libc\.so\.6|libm\.so\.6|libpthread\.so\.0|libdl\.so\.2|librt\.so\.1|libresolv\.so\.2|libutil\.so\.1|libanl\.so\.1|libnss_.*|libmvec\.so\.1)$'

# A tree may have shared libraries of its own.
own=$(find "$tree" ${studio:+"$studio"} -name 'libpw_*.so' -printf '%h\n' | sort -u | paste -sd:)
libraries_of() { # FILES...: what they load, a path a line
    LD_LIBRARY_PATH=$own ldd "$@" >"$work/ldd" 2>/dev/null || true
    if grep 'not found' "$work/ldd" >&2; then exit 1; fi
    awk '$2 == "=>" && $3 ~ /^\// { print $3 } $1 ~ /^\/.*ld-linux/ { print $1 }' "$work/ldd" | sort -u
}
add_libraries() { # FOLDER FILES...
    local folder=$1 path name
    shift
    mkdir -p "$folder/lib/glibc"
    libraries_of "$@" >"$work/needed"
    while read -r path; do
        name=$(basename "$path")
        if [[ $name =~ $c_library ]]; then
            cp -L "$path" "$folder/lib/glibc/$name"
        elif [[ ! -e $folder/lib/$name ]]; then
            cp -L "$path" "$folder/lib/$name"
            # Each library comes with its licence.
            add_licence "$folder" "$path"
        fi
    done <"$work/needed"
    # Names of people and machines.
    for name in libnss_files.so.2 libnss_dns.so.2; do
        path=/lib/x86_64-linux-gnu/$name
        [[ -e $path ]] && cp -L "$path" "$folder/lib/glibc/$name"
    done
    find "$folder/lib" "$folder/libexec" -path '*/glibc' -prune -o -type f -exec objdump -T {} + 2>/dev/null |
        grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -n 1 | cut -d_ -f2 >"$folder/lib/glibc/needed"
    find "$folder/lib" "$folder/libexec" -type f \( -name '*.so*' -o -perm -100 \) -exec strip --strip-unneeded {} + 2>/dev/null || true
}
add_licence() { # FOLDER LIBRARY: the copyright of the package that it is from
    local package
    package=$(dpkg-query -S "$(readlink -f "$2")" 2>/dev/null | head -n 1 | cut -d: -f1) || return 0
    [[ -n $package && -e /usr/share/doc/$package/copyright ]] || return 0
    mkdir -p "$1/share/doc/libraries"
    cp -L "/usr/share/doc/$package/copyright" "$1/share/doc/libraries/$package"
}
add_program() { # FOLDER TREE NAME COMPONENTS...
    local folder=$1 from=$2 name=$3 component
    shift 3
    for component in "$@"; do
        cmake --install "$from" --prefix "$folder" --component "$component" --strip >/dev/null
    done
    mkdir -p "$folder/libexec"
    mv "$folder/bin/$name" "$folder/libexec/$name"
    cp "$launcher" "$folder/bin/$name"
    # Modules are found beside the program's libraries.
    rm -f "$folder"/bin/*.a
}

launcher=$tree/app/pw_launcher
[[ -x $launcher ]] || cmake --build "$tree" --target pw_launcher >/dev/null
strip -o "$work/launcher" "$launcher"
launcher=$work/launcher

line=$work/pipewright-linux-x86_64
add_program "$line" "$tree" pipewright cli
add_libraries "$line" "$line/libexec/pipewright"
# Modules that the tree has: their libraries are those of the system that has them.
for part in mpi mpich; do
    [[ ! -e $tree/app/pipewright-$part.so ]] || cmake --install "$tree" --prefix "$line" --component "$part" --strip >/dev/null
done
pack() { # OUT FOLDER NAME
    tar -C "$2" --sort=name --owner=0 --group=0 --numeric-owner --mtime='2020-01-01' -c "$3" | gzip -9n >"$out/$1"
    printf '%s\n' "$out/$1"
}
pack pipewright-linux-x86_64.tar.gz "$work" "$(basename "$line")"
if [[ -e $tree/app/pipewright-cuda.so ]]; then
    cmake --install "$tree" --prefix "$work/cuda/$(basename "$line")" --component cuda --strip >/dev/null
    pack pipewright-cuda-linux-x86_64.tar.gz "$work/cuda" "$(basename "$line")"
fi
[[ -n $studio ]] || exit 0

# The studio: with the plug-ins of Qt that it uses, a font, and what keyboards are told by.
window=$work/pipewright-studio
cp -a "$line" "$window"
add_program "$window" "$studio" pipewright-studio studio
plugins=$(qtpaths6 --query QT_INSTALL_PLUGINS 2>/dev/null || qmake6 -query QT_INSTALL_PLUGINS)
for kind in platforms platformthemes imageformats iconengines xcbglintegrations platforminputcontexts printsupport wayland-shell-integration \
    wayland-graphics-integration-client wayland-decoration-client; do
    for plugin in "$plugins/$kind"/*.so; do
        case $(basename "$plugin") in
        libqxcb.so | libqoffscreen.so | libqwayland*.so | libqgif.so | libqjpeg.so | libqsvg.so | libqsvgicon.so | libqxdgdesktopportal.so | \
            libcomposeplatforminputcontextplugin.so | libibusplatforminputcontextplugin.so | libqxcb-glx-integration.so | \
            libcupsprintersupport.so | libxdg-shell.so | libbradient.so | libqt-plugin-wayland-egl.so) ;;
        *) continue ;;
        esac
        mkdir -p "$window/lib/qt6/plugins/$kind"
        cp -L "$plugin" "$window/lib/qt6/plugins/$kind/"
    done
done
mapfile -t parts < <(find "$window/lib/qt6" -name '*.so')
add_libraries "$window" "$window/libexec/pipewright-studio" "${parts[@]}"
mkdir -p "$window/share/fonts"
fonts=/usr/share/fonts/truetype/dejavu
cp "$fonts"/DejaVuSans.ttf "$fonts"/DejaVuSans-Bold.ttf "$fonts"/DejaVuSansMono.ttf "$window/share/fonts/"
cat >"$window/share/fonts/fonts.conf" <<'CONF'
<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "urn:fontconfig:fonts.dtd">
<fontconfig>
  <dir prefix="relative">.</dir>
  <dir>/usr/share/fonts</dir>
  <dir prefix="xdg">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
CONF
[[ -d /usr/share/X11/xkb ]] && cp -rL /usr/share/X11/xkb "$window/share/xkb"
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner --mtime='2020-01-01' -c pipewright-studio | gzip -n >"$work/payload"
sum=$(sha256sum "$work/payload" | cut -c1-16)
bytes=$(stat -c %s "$work/payload")
# A shell, tar and gzip are all that is asked of the system. It is unpacked once, where a person's caches are, whole or not at all.
{
    sed -e "s/@SUM@/$sum/" -e "s/@BYTES@/$bytes/" cmake/portable_stub.sh
    cat "$work/payload"
} >"$out/pipewright-studio-x86_64.run"
chmod +x "$out/pipewright-studio-x86_64.run"
printf '%s\n' "$out/pipewright-studio-x86_64.run"
