#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# SPDX-FileCopyrightText: The Pipewright authors
#
# Writes the samples of the studio's welcome page: samples/make.sh [PIPEWRIGHT [FOLDER]].
# A test compares what it writes with what lies here.

set -u -e -o pipefail
pipewright=${1:-pipewright}
folder=${2:-$(dirname "${BASH_SOURCE[0]}")}

sample() { # NAME TITLE NOTES FAMILY OPTIONS...
    local name=$1 title=$2 notes=$3 family=$4
    shift 4
    "$pipewright" convert "$family" "$folder/$name.pipewright.json" --title "$title" \
        --notes "$notes" "$@"
}

sample 01-gpipe "GPipe: fill, then drain" \
"All forwards, then all backwards. Look at the memory chart: device 0 holds all 8 micro-batches at once, and every device idles (p − 1)(F + BW) = 9 ms.

Try: open the 1F1B sample beside it and pin this one. The makespan is the same; what differs is the memory." \
    gpipe --activation 1073741824

sample 02-1f1b "1F1B: the same time, half the memory" \
"One forward, one backward in turn. A backward starts as soon as it can, so device 0 holds p = 4 micro-batches and not m = 8. The bubble is that of GPipe.

Try: raise the micro-batches to 16. The bubble stays 9 ms, but it is a smaller part of a longer step." \
    1f1b --activation 1073741824

sample 03-interleaved "Interleaved 1F1B: smaller steps fill faster" \
"Every device has two chunks of the model, laid round and round. The pipeline fills in half the time, so the bubble halves to 4.5 ms. The price: twice the messages, and 5.5 micro-batches on device 0.

Try: set the link to 0.2 ms and watch the gain shrink." \
    interleaved-1f1b --chunks 2 --activation 1073741824

sample 04-zero-bubble "ZB-H2: no idle time inside a span" \
"The backward is split: B, for the input, is what the next device waits for; W, for the weights, can wait and fills the gaps. With twice the warm-up of 1F1B nothing idles between a device's first and last pass: the span bubble is 0, the wall bubble 3 ms. It costs 2p − 1 = 7 micro-batches of memory.

Try: change the family to ZB-H1. Its memory is that of 1F1B, and 3 ms of bubble come back." \
    zb-h2 --activation 1073741824

sample 05-zb-v "ZB-V: zero bubble in 1F1B's memory" \
"The chunks lie in a V: the last stage is on the device of the first. A micro-batch comes back early, so its memory is free early: 4 micro-batches on every device, and a span bubble of 0.

Try: click a B of device 0 and follow the arrows with [ and ]." \
    zb-v --activation 1073741824

sample 06-v-half "V-Half: less memory than 1F1B" \
"A GPT of 22 billion parameters on four H100. The building block of V-Half frees activations after about half the time: 45 GiB where 1F1B needs 59, at a shorter step too.

Try: change the family to 1F1B, to ZB-H2 (which the memory limit refuses) and to V-Min." \
    v-half --micro-batches 16 --model gpt-22b --hardware h100

sample 07-kfkb "kFkB: when the network is slow" \
"Between 20 and 60 ms the network is three times as slow. Two forwards and two backwards in turn: while a message of one micro-batch travels, the device works on the other. Pay with memory: k·p = 8 micro-batches.

Try: set the group to 1, which is plain 1F1B. The makespan grows by a third." \
    kfkb --group 2 --micro-batches 12 --comm 0.5 --link-trace 0:1,20:3,60:1

sample 08-seq1f1b "Seq1F1B: long sequences in segments" \
"Each sequence is cut into four segments that follow each other through the pipeline. The bubble shrinks with the segment, from 9 to 2.25 ms, and device 0 holds 1.75 micro-batches: room for long contexts.

Try: two segments, then eight." \
    seq1f1b --segments 4 --activation 1073741824

sample 09-dualpipe "DualPipe: from both ends" \
"Two copies of the model in opposite directions; micro-batches enter at both ends. A forward of one direction and a backward of the other run as one pair, which takes 2.5 ms in place of 3, as its messages hide behind its work.

Try: Chimera has two directions without pairs." \
    dualpipe --micro-batches 12 --pair 2.5 --activation 1073741824

sample 10-pipedream-2bw "PipeDream-2BW: no flush between steps" \
"Three optimizer steps without waiting at their ends: one bubble in all, not one a step. Gradients of a step make a weight version that is first read two steps later, so every device keeps two versions.

Try: change the family to 1F1B: three steps, three bubbles." \
    pipedream-2bw --steps 3 --micro-batches 4 --activation 1073741824
