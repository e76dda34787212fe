#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Runs tests as somebody else would: not as root, in a locale that writes 0,5, with files that
# nobody else can read.
#
#   tests/checks/other_person.sh [TREE] [ctest's options…]      TREE: build/dev
#
# Without options the tests of what reads and writes files, numbers and text, in the library and on
# the command line; all of them with `-R .`.
#
# Needs root to become somebody else; anybody else runs as who he is.
set -eu
cd "$(dirname "$0")/../.."
sources=$PWD
tree=$sources/${1:-build/dev}
given=("$@")
[ $# -gt 0 ] && shift

own=$(mktemp -d)
# A tree that others may write to loads no modules, so folders get their modes back.
clean_up() {
  if [ -f "$own/modes" ]; then
    while IFS=' ' read -r -d '' mode folder; do chmod "$mode" "$folder" 2>/dev/null || true; done <"$own/modes"
  fi
  rm -rf "$own"
}
trap clean_up EXIT
chmod 755 "$own"
mkdir -p "$own/home" "$own/tmp" "$own/locale"

if locale -a | grep -qix 'de_DE\.utf-\?8'; then
  locale_path=
else
  localedef -i de_DE -f UTF-8 "$own/locale/de_DE.UTF-8" || [ -d "$own/locale/de_DE.UTF-8" ]
  locale_path=$own/locale
fi

words=(env "HOME=$own/home" "TMPDIR=$own/tmp" "XDG_RUNTIME_DIR=$own/tmp" LC_ALL=de_DE.UTF-8
  QT_QPA_PLATFORM=offscreen)
[ -n "$locale_path" ] && words+=("LOCPATH=$locale_path")
if [ "$(id -u)" = 0 ]; then
  # Tests write beside their programs: that is a build's own folder.
  find "$tree" -type d -printf '%m %p\0' >"$own/modes"
  find "$tree" -type d -exec chmod a+rwx {} +
  rm -rf "$tree/Testing" "$tree/tests/home"
  chown -R nobody "$own/home" "$own/tmp"
  words=(setpriv --reuid=nobody --regid=nogroup --clear-groups "${words[@]}")
fi
chmod 700 "$own/home" "$own/tmp"

# Below a folder that is somebody's alone (/root), the sources are shown at their place to this check alone.
if [ "$(id -u)" = 0 ] && ! "${words[@]}" test -x "$sources"; then
  [ -z "${PW_SHOWN:-}" ] || { echo "nobody cannot reach $sources" >&2; exit 1; }
  closed=$(dirname "$sources")
  while ! "${words[@]}" test -x "$(dirname "$closed")"; do closed=$(dirname "$closed"); done
  # shellcheck disable=SC2016 # the inner shell's words
  PW_SHOWN=yes unshare --mount bash -c 'set -eu
    mkdir "$1/sources" && mount --bind "$2" "$1/sources" && mount -t tmpfs -o mode=755 tmpfs "$3" && mkdir -p "$2" &&
    mount --bind "$1/sources" "$2" && cd "$2" && exec tests/checks/other_person.sh "${@:4}"' \
    show "$own" "$sources" "$closed" "${given[@]}"
  exit
fi

if [ $# -eq 0 ]; then
  own_tests='number|text|display_text|whole_file|project_file|schedule_text|torch_csv|chrome_json'
  own_tests+='|costs_file|model_file|layer_split|stage_costs|name_rule|import_trace|trace_formats'
  own_tests+='|sniff|nsys_sqlite|run_store|hostile_store|cli|options|import|foreign_text'
  own_tests+='|json_contract|runs|stage_times'
  set -- -R "^tst_($own_tests)\$"
fi

umask 077
point=$("${words[@]}" locale decimal_point)
[ "$point" = , ] || { echo "the locale writes 0${point}5: no test of a comma" >&2; exit 1; }
"${words[@]}" ctest --test-dir "$tree" --output-on-failure --no-tests=error "$@"
