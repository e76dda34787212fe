#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Runs a command as four MPI processes on two hosts: two network namespaces of this machine, each with a
# host name and an address of its own and a cable between them. Says "skipped: …" and ends well where that
# cannot be had.
#
#     two_hosts.sh COMMAND [ARGUMENTS...]

set -u -o pipefail

readonly net=10.213.77 # of a private range; only the namespaces see it
readonly limit=${PW_TWO_HOSTS_LIMIT:-240}

skip() {
    echo "skipped: $1"
    exit 0
}

[[ $# -gt 0 ]] || { echo "usage: two_hosts.sh COMMAND [ARGUMENTS...]" >&2; exit 2; }
command -v mpirun >/dev/null || skip "there is no mpirun (Debian: openmpi-bin)"
mpirun --version 2>/dev/null | grep -q "Open MPI" || skip "mpirun is not that of Open MPI"
command -v ip >/dev/null || skip "there is no ip (Debian: iproute2)"
[[ $(id -u) -eq 0 ]] || skip "network namespaces need root"

readonly hosts=("pw-first-$$" "pw-second-$$") # of the namespaces, too
readonly cable=("pwa$$" "pwb$$")
folder=$(mktemp -d) || exit 1

clean_up() {
    local host
    for host in "${hosts[@]}"; do
        # What still runs in there would keep the namespace alive.
        ip netns pids "$host" 2>/dev/null | xargs -r kill -9 2>/dev/null
        ip netns del "$host" 2>/dev/null
    done
    rm -rf "$folder"
}
trap clean_up EXIT
trap 'exit 1' INT TERM

build_hosts() {
    local i
    for i in 0 1; do
        ip netns add "${hosts[i]}" || return 1
    done
    ip link add "${cable[0]}" netns "${hosts[0]}" type veth peer name "${cable[1]}" netns "${hosts[1]}" ||
        return 1
    for i in 0 1; do
        ip -n "${hosts[i]}" addr add "$net.$((i + 1))/24" dev "${cable[i]}" &&
            ip -n "${hosts[i]}" link set "${cable[i]}" up &&
            ip -n "${hosts[i]}" link set lo up || return 1
    done
    on_host 0 true
}

on_host() { # NUMBER COMMAND...: with the namespace's network and a host name of its own
    local host=${hosts[$1]}
    shift
    # shellcheck disable=SC2016 # the inner shell expands them
    ip netns exec "$host" unshare --uts sh -c 'hostname "$0" && exec "$@"' "$host" "$@"
}

problem=$(build_hosts 2>&1) || skip "no network namespaces here: ${problem//$'\n'/; }"

# What mpirun calls in place of ssh: HOST COMMAND..., the command for a shell there.
cat >"$folder/agent" <<AGENT
#!/bin/sh
host=\$1
shift
case \$host in
$net.1) namespace=${hosts[0]} ;;
$net.2) namespace=${hosts[1]} ;;
*) echo "no host \$host" >&2; exit 1 ;;
esac
exec ip netns exec "\$namespace" unshare --uts sh -c "hostname \$namespace && \$*"
AGENT
chmod +x "$folder/agent"

export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
forwarded=()
[[ -n ${PW_MODULE_PATH:-} ]] && forwarded+=(-x PW_MODULE_PATH)
on_host 0 timeout --kill-after=5 "$limit" mpirun -np 4 --host "$net.1:2,$net.2:2" --bind-to none \
    --mca plm_rsh_agent "$folder/agent" --mca plm_rsh_no_tree_spawn 1 \
    --mca oob_tcp_if_include "$net.0/24" --mca btl tcp,vader,self --mca btl_tcp_if_include "$net.0/24" \
    --mca btl_vader_single_copy_mechanism none "${forwarded[@]}" "$@" </dev/null
