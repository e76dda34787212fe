// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/help/glossary_sketches.h"

#include <algorithm>
#include <iterator>

namespace pw::ui {

namespace {

constexpr GlossarySketch sketches[] = {
    // The pipeline
    {"activation", "1f1b", 3, 4, "", "F0@0 BW0@0", "memory@0 F0@0-BW0@0"},
    {"chunk", "interleaved-1f1b", 2, 4, "", "chunk1"},
    {"device", "1f1b", 3, 4, "", "device1"},
    {"gradient", "1f1b", 3, 3, "", "BW0@1 BW0@0", "BW0@1>BW0@0"},
    {"message", "1f1b", 3, 3, "", "F1@0 F1@1", "F1@0>F1@1"},
    {"micro-batch", "1f1b", 3, 4, "", "mb1"},
    {"optimizer step", "1f1b", 3, 3, "steps=2", "all", "F0@0-BW2@0"},
    {"pass", "1f1b", 3, 4, "", "F1@1"},
    {"placement", "zb-v", 3, 3},
    {"rank", "1f1b", 3, 4, "", "device2"},
    {"route", "chimera", 4, 4, "", "route1"},
    {"segment", "seq1f1b", 3, 3, "", "mb1"},
    {"stage", "1f1b", 3, 4, "", "device0"},
    {"step", "1f1b", 3, 3, "steps=2", "all", "F0@0-BW2@0"},
    // The passes
    {"F", "zb-h1", 3, 4, "", "F"},
    {"B", "zb-h1", 3, 4, "", "B"},
    {"W", "zb-h1", 3, 4, "", "W"},
    {"BW", "1f1b", 3, 4, "", "BW"},
    {"R", "gpipe", 3, 3, "recompute=1", "R"},
    {"U", "1f1b", 3, 3, "steps=2 updates", "U"},
    {"overlapped pair", "dualpipe-v", 3, 6, "", "pairs"},
    {"recomputation", "gpipe", 3, 3, "recompute=1", "R BW"},
    {"split backward", "zb-h1", 3, 4, "", "B W"},
    {"stash", "gpipe", 3, 3, "recompute=1", "F0@0 R0@0", "F0@0-R0@0"},
    // Time
    {"bubble", "1f1b", 3, 4, "", "gaps"},
    {"span bubble", "1f1b", 3, 4, "", "gaps", "F0@1-BW3@1"},
    {"wall bubble", "1f1b", 3, 4, "", "gaps", "F0@0-BW3@0"},
    {"bubble rate", "1f1b", 3, 4, "", "gaps", "F0@0-BW3@0"},
    {"cool-down", "1f1b", 3, 6, "", "cool"},
    {"critical path", "1f1b", 3, 4, "", "critical"},
    {"makespan", "1f1b", 3, 4, "", "all", "F0@0-BW3@0"},
    {"slack", "1f1b", 3, 4, "", "F2@0 gaps"},
    {"steady state", "1f1b", 3, 8, "", "steady"},
    {"T_F, T_B, T_W, T_c", "zb-h1", 2, 2, "", "F0@0 B0@0 W0@0", "F0@0-F0@0 B0@0-B0@0 W0@0-W0@0"},
    {"tick", "1f1b", 2, 2, "", "F0@0", "F0@0-F0@0"},
    {"warm-up", "1f1b", 3, 6, "", "warm"},
    // Memory
    {"held for W", "zb-h1", 3, 4, "", "B0@0 W0@0", "B0@0-W0@0 memory@0"},
    {"lifespan", "1f1b", 3, 4, "", "F1@0 BW1@0", "F1@0-BW1@0"},
    {"mb", "1f1b", 3, 4, "", "device0", "memory@0"},
    {"memory limit", "1f1b", 3, 5, "", "device0", "memory@0 cap@3"},
    {"peak activation", "gpipe", 3, 4, "", "device0", "memory@0 cap@4"},
    {"weight version", "pipedream", 3, 4, "", "U"},
    // Building blocks
    {"building block", "v-half", 3, 6, "", "mb2"},
    {"interval", "v-half", 3, 6, "", "mb2 mb3", "F2@0|F3@0"},
    {"offset", "v-half", 3, 6, "", "mb2", "F2@0|F2@2"},
    {"repeat", "v-half", 3, 6, "", "mb1 mb2 mb3"},
    {"reorder", "v-half", 3, 6, "", "warm cool"},
    {"residue", "v-half", 3, 6, "", "mb2 mb3", "F2@0|F3@0"},
    {"squeeze", "v-half", 3, 6, "", "warm"},
    {"stable block", "zb-v", 3, 6, "", "steady"},
    {"V shape", "v-half", 4, 8, "", "mb2"},
    // Families
    {"1F1B", "1f1b", 3, 5},
    {"2BW", "pipedream-2bw", 3, 4, "steps=2"},
    {"breadth-first", "breadth-first", 3, 4},
    {"Chimera", "chimera", 4, 4},
    {"DualPipe, DualPipeV", "dualpipe-v", 3, 6},
    {"GIS", "gis", 4, 4},
    {"GPipe", "gpipe", 3, 4},
    {"Hanayo", "hanayo", 3, 4},
    {"interleaving", "interleaved-1f1b", 3, 6},
    {"kFkB", "kfkb", 3, 6},
    {"PipeDream", "pipedream", 3, 4},
    {"Seq1F1B", "seq1f1b", 3, 3},
    {"V-Min, V-Half, V-ZB", "v-half", 3, 6},
    {"ZB-H1, ZB-H2", "zb-h1", 3, 5},
    {"ZB-V", "zb-v", 3, 5},
    // Running and measuring
    {"committed message", "1f1b", 3, 3, "", "F0@0 F0@1", "F0@0>F0@1"},
    {"flush", "1f1b", 3, 3, "steps=2", "cool gaps"},
    {"lowering", "1f1b", 3, 3, "", "mb0", "F0@0>F0@1 F0@1>F0@2 BW0@2>BW0@1 BW0@1>BW0@0"},
    {"run", "1f1b", 3, 5},
    {"trace", "1f1b", 3, 5},
    {"post-validation", "zb-h1", 3, 3, "steps=2 updates", "U"},
    {"waiting and transfer", "1f1b", 3, 3, "", "BW0@1 BW0@0 gaps", "BW0@1>BW0@0"},
};

} // namespace

const GlossarySketch* glossarySketch(std::string_view word)
{
    const auto* const found =
        std::find_if(std::begin(sketches), std::end(sketches),
                     [word](const GlossarySketch& one) { return one.word == word; });
    return found == std::end(sketches) ? nullptr : found;
}

} // namespace pw::ui
