#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Whether programs and modules are built as what ships should be: position independent, with addresses bound and made
# read-only before the first line of the program runs, a stack that is not executable, and both the stack protector
# and the checked functions of the C library in use.
#
#   tests/checks/hardening.sh FILE…             programs, modules, or Debian packages (.deb)
#
# Of the trees headless and studio, and what is installed or packed; a tree of shared libraries (dev) stays on its machine
# and is not hardened. What was linked with libraries outside the system has their path until it is installed.
#
# Asks `hardening-check` (devscripts) too where it is installed. Exit code 1 where something is missing.

set -u -o pipefail
(($# > 0)) || { echo "hardening.sh FILE…" >&2; exit 2; }
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
bad=0

complain() { echo "$1: $2"; bad=1; }

# check FILE NAME
check() {
  local file=$1 name=$2 header dynamic segments symbols
  header=$(readelf -hW "$file") || { complain "$name" "no ELF file"; return; }
  dynamic=$(readelf -dW "$file")
  segments=$(readelf -lW "$file")
  symbols=$(readelf --dyn-syms -W "$file")
  grep -q 'Type: *DYN' <<<"$header" || complain "$name" "not position independent"
  grep -q GNU_RELRO <<<"$segments" || complain "$name" "no read-only relocations"
  grep -qE 'BIND_NOW|FLAGS_1.*NOW' <<<"$dynamic" || complain "$name" "addresses are bound late"
  grep -qE 'GNU_STACK.*RWE' <<<"$segments" && complain "$name" "an executable stack"
  grep -qE 'RPATH|RUNPATH' <<<"$dynamic" && grep -E 'RPATH|RUNPATH' <<<"$dynamic" | grep -vq ORIGIN &&
    complain "$name" "a path of the build is in it"
  grep -q __stack_chk_fail <<<"$symbols" || complain "$name" "no stack protector"
  # A module may call none of which the size is known; a program calls some.
  local except=(--nocfprotection)
  if [[ $file == *.so ]]; then
    except+=(--nofortify)
  else
    grep -qE '_chk(@|$| )' <<<"$(grep -v __stack_chk_fail <<<"$symbols")" ||
      complain "$name" "no checked functions of the C library"
  fi
  if command -v hardening-check >/dev/null; then
    hardening-check --quiet "${except[@]}" "$file" >"$work/said" 2>&1 ||
      complain "$name" "hardening-check: $(tr '\n' ' ' <"$work/said")"
  fi
}

count=0
for given in "$@"; do
  if [[ $given == *.deb ]]; then
    folder=$work/$(basename "$given")
    if ! mkdir "$folder" || ! dpkg-deb -x "$given" "$folder"; then
      complain "$given" "cannot be unpacked"
      continue
    fi
    while IFS= read -r -d '' file; do
      [[ $(head -c 4 "$file" | tail -c 3 | tr -d '\0') == ELF ]] || continue
      check "$file" "$(basename "$given"): ${file#"$folder"}"
      count=$((count + 1))
    done < <(find "$folder" -type f -print0)
  else
    check "$given" "$given"
    count=$((count + 1))
  fi
done
((count > 0)) || complain "$*" "holds no program"
((bad == 0)) && echo "$count programs and modules are hardened"
exit $bad
