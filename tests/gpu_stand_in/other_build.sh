# shellcheck shell=bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Compiles and links what stands in a build anew, into a folder, with other sources or other options. `build` and `root` are
# the tree and the top of the sources; `options` come last.

: "${build:?}" "${root:?}"
objects=tests/gpu_stand_in/CMakeFiles
options=()

# FOLDER FILE: compiles as the build does, but what lies in the folder comes first. Prints the object.
compile() {
    local folder=$1 file=$2 object source=$root/executor/cuda/$2 command
    object=$objects/pw_gpu_parts.dir/__/__/executor/cuda/$file.o
    if [[ -f $root/tests/gpu_stand_in/$file ]]; then
        object=$objects/pw_gpu_stand_in.dir/$file.o
    elif [[ $file == *.cu ]]; then
        object=$objects/pw_gpu_kernels.dir/translated/executor/cuda/$file.cpp.o
        source=$build/tests/gpu_stand_in/translated/executor/cuda/$file.cpp
    fi
    command=$(ninja -C "$build" -t commands "$object" | tail -n 1)
    [[ $file != *.cu && -f $folder/executor/cuda/$file ]] && command=${command//"$source"/"$folder/executor/cuda/$file"}
    [[ -f $folder/translated/executor/cuda/$file.cpp ]] &&
        command=${command//"$source"/"$folder/translated/executor/cuda/$file.cpp"}
    command=${command//"$object"/"$folder/$file.o"}
    command=${command/ -I/ -w -I$folder/translated -I$folder -I}
    (cd "$build" && eval "${command//-Werror/} ${options[*]}") >"$folder/$file.log" 2>&1 || { tail -n 5 "$folder/$file.log" >&2; return 1; }
    echo "$folder/$file.o"
}

# FOLDER TARGET OUTPUT OBJECTS...: links a target of the build with these objects before those of its archives.
link() {
    local folder=$1 target=$2 output=$3 command
    shift 3
    command=$(ninja -C "$build" -t commands "$target" | tail -n 1)
    command=${command/"-o $target"/"-Wl,-rpath,$folder -o $folder/$output $*"}
    command=${command%% && cd *}
    (cd "$build" && eval "${command% && :} ${options[*]}") >"$folder/link.log" 2>&1 || { tail -n 5 "$folder/link.log" >&2; return 1; }
}
