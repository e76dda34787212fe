// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/core_words.h"

#include "ui/core_sentences.h"
#include "ui/text.h"

#include <QCoreApplication>

#include <string>

namespace pw::ui {

namespace {

struct CoreWords
{
    Q_DECLARE_TR_FUNCTIONS(Core)
};

/// For the tool that collects what is to be translated: it reads sources, not tables of the core.
[[maybe_unused]] constexpr const char* coreWordsToTranslate[] = {
    // Choices of families.
    QT_TRANSLATE_NOOP("Core", "best"),
    QT_TRANSLATE_NOOP("Core", "fixed"),
    QT_TRANSLATE_NOOP("Core", "greedy"),
    QT_TRANSLATE_NOOP("Core", "span"),
    QT_TRANSLATE_NOOP("Core", "makespan"),
    // How a time is known; what a slice of a trace is; memory by use; what is kept; how a run
    // ended; lost time.
    QT_TRANSLATE_NOOP("Core", "measured on the device"),
    QT_TRANSLATE_NOOP("Core", "host clock"),
    QT_TRANSLATE_NOOP("Core", "by containment"),
    QT_TRANSLATE_NOOP("Core", "counted"),
    QT_TRANSLATE_NOOP("Core", "guessed"),
    QT_TRANSLATE_NOOP("Core", "other"),
    QT_TRANSLATE_NOOP("Core", "compute"),
    QT_TRANSLATE_NOOP("Core", "communication"),
    QT_TRANSLATE_NOOP("Core", "memory"),
    QT_TRANSLATE_NOOP("Core", "operator"),
    QT_TRANSLATE_NOOP("Core", "launch"),
    QT_TRANSLATE_NOOP("Core", "wait"),
    QT_TRANSLATE_NOOP("Core", "annotation"),
    QT_TRANSLATE_NOOP("Core", "script"),
    QT_TRANSLATE_NOOP("Core", "weights"),
    QT_TRANSLATE_NOOP("Core", "weight versions"),
    QT_TRANSLATE_NOOP("Core", "gradients"),
    QT_TRANSLATE_NOOP("Core", "optimizer"),
    QT_TRANSLATE_NOOP("Core", "activations"),
    QT_TRANSLATE_NOOP("Core", "held for W"),
    QT_TRANSLATE_NOOP("Core", "messages"),
    QT_TRANSLATE_NOOP("Core", "workspace"),
    QT_TRANSLATE_NOOP("Core", "buffers"),
    QT_TRANSLATE_NOOP("Core", "fragments"),
    QT_TRANSLATE_NOOP("Core", "plan"),
    QT_TRANSLATE_NOOP("Core", "comparison"),
    QT_TRANSLATE_NOOP("Core", "running"),
    QT_TRANSLATE_NOOP("Core", "finished"),
    QT_TRANSLATE_NOOP("Core", "stopped"),
    QT_TRANSLATE_NOOP("Core", "failed"),
    QT_TRANSLATE_NOOP("Core", "incomplete"),
    QT_TRANSLATE_NOOP("Core", "computing"),
    QT_TRANSLATE_NOOP("Core", "recompute"),
    QT_TRANSLATE_NOOP("Core", "warm-up and cool-down"),
    QT_TRANSLATE_NOOP("Core", "dependency"),
    QT_TRANSLATE_NOOP("Core", "transfer"),
    QT_TRANSLATE_NOOP("Core", "peer late"),
    QT_TRANSLATE_NOOP("Core", "imbalance"),
    QT_TRANSLATE_NOOP("Core", "launch gap"),
    QT_TRANSLATE_NOOP("Core", "jitter"),
    QT_TRANSLATE_NOOP("Core", "unexplained"),
    // What an iteration of a plan goes into, and the first row.
    QT_TRANSLATE_NOOP("Core", "matrix products"),
    QT_TRANSLATE_NOOP("Core", "attention"),
    QT_TRANSLATE_NOOP("Core", "element-wise kernels"),
    QT_TRANSLATE_NOOP("Core", "waiting for the host"),
    QT_TRANSLATE_NOOP("Core", "tensor collectives"),
    QT_TRANSLATE_NOOP("Core", "expert exchange"),
    QT_TRANSLATE_NOOP("Core", "context exchange"),
    QT_TRANSLATE_NOOP("Core", "copies to the host, exposed"),
    QT_TRANSLATE_NOOP("Core", "messages between stages"),
    QT_TRANSLATE_NOOP("Core", "bubble of the busiest device"),
    QT_TRANSLATE_NOOP("Core", "barrier of a shared vocabulary"),
    QT_TRANSLATE_NOOP("Core", "sum of gradients"),
    QT_TRANSLATE_NOOP("Core", "tied embedding"),
    QT_TRANSLATE_NOOP("Core", "rest of a step"),
    QT_TRANSLATE_NOOP("Core", "fastest that fits"),
    QT_TRANSLATE_NOOP("Core", "no flush: trains with weights a step old or more"),
    // Families and their parameters. One that is not here is shown as it is.
    QT_TRANSLATE_NOOP("Core", "aim"),
    QT_TRANSLATE_NOOP("Core", "chunks"),
    QT_TRANSLATE_NOOP("Core", "delay-weight"),
    QT_TRANSLATE_NOOP("Core", "eager"),
    QT_TRANSLATE_NOOP("Core", "group"),
    QT_TRANSLATE_NOOP("Core", "memory-limit"),
    QT_TRANSLATE_NOOP("Core", "order"),
    QT_TRANSLATE_NOOP("Core", "overlap"),
    QT_TRANSLATE_NOOP("Core", "segments"),
    QT_TRANSLATE_NOOP("Core", "time-limit"),
    QT_TRANSLATE_NOOP("Core", "waves"),
    QT_TRANSLATE_NOOP("Core", "chunks a device"),
    QT_TRANSLATE_NOOP("Core", "segments a sequence"),
    QT_TRANSLATE_NOOP("Core", "micro-batches in a group, k"),
    QT_TRANSLATE_NOOP("Core", "Micro-batches from both ends over two copies of the model; forwards "
                              "and backwards of opposite directions run as overlapped pairs."),
    QT_TRANSLATE_NOOP("Core", "V placement from a building block with long hops: 1F1B's activation "
                              "and no idle time inside a device's span."),
    QT_TRANSLATE_NOOP("Core", "Waves through a zig-zag of stages, one weight copy: Chimera's two "
                              "directions folded into one pipeline."),
    QT_TRANSLATE_NOOP("Core", "times that a micro-batch goes down the devices and back"),
    QT_TRANSLATE_NOOP("Core", "1F1B over segments of each sequence: forwards from the first "
                              "segment, backwards from the last."),
    QT_TRANSLATE_NOOP("Core", "Zero bubble on a V placement: 1F1B's activation, the same on every "
                              "device, and no idle time inside a device's span."),
    QT_TRANSLATE_NOOP("Core",
                      "0 the best found for the times, 1 the fixed order, 2 the greedy one"),
    QT_TRANSLATE_NOOP("Core", "most micro-batches of activation on a device"),
    QT_TRANSLATE_NOOP("Core", "0 the shortest span of a device, 1 the shortest makespan"),
    QT_TRANSLATE_NOOP("Core", "Twice the warm-up forwards of 1F1B and weight gradients held back: "
                              "no bubble inside a device's span where all passes take the same."),
    QT_TRANSLATE_NOOP("Core",
                      "The best V-shaped schedule found for any memory limit and the given times."),
    QT_TRANSLATE_NOOP("Core", "1F1B without a flush: gradients of a step make a version that is "
                              "first read two steps later, so two versions are enough."),
    QT_TRANSLATE_NOOP(
        "Core",
        "V placement with half of 1F1B's activation; steady where W+2B ≥ 2F and W+2F ≥ 2B."),
    QT_TRANSLATE_NOOP("Core", "One forward, one backward in turn, with a flush at the end of the "
                              "step (PipeDream-Flush, DAPPLE)."),
    QT_TRANSLATE_NOOP("Core", "1 doubles the warm-up, to hide communication for more memory"),
    QT_TRANSLATE_NOOP("Core",
                      "1 runs each forward and backward of the steady state as an overlapped pair"),
    QT_TRANSLATE_NOOP(
        "Core",
        "1F1B with the weight gradients held back to fill the bubbles, within the memory of 1F1B."),
    QT_TRANSLATE_NOOP("Core",
                      "micro-batches that go through a chunk before the next chunk follows"),
    QT_TRANSLATE_NOOP("Core", "p, or the next that m allows"),
    QT_TRANSLATE_NOOP("Core", "Two pipelines in opposite directions over two copies of the model; "
                              "each fills the other's bubbles."),
    QT_TRANSLATE_NOOP("Core", "k forwards and k backwards in turn: 1F1B over groups, which hides "
                              "communication for more memory."),
    QT_TRANSLATE_NOOP("Core",
                      "Orders F, B and W for the shortest span within a memory limit, from the "
                      "real times of stages and links (ZB-1p: limit p, ZB-2p: limit 2p)."),
    QT_TRANSLATE_NOOP("Core", "activation that a device may hold, in micro-batches"),
    QT_TRANSLATE_NOOP("Core",
                      "seconds that the search may take; 0 takes the published heuristic as it is"),
    QT_TRANSLATE_NOOP("Core", "Interleaved 1F1B over segments of each sequence."),
    QT_TRANSLATE_NOOP("Core", "segments a sequence; divides p, unless m is p"),
    QT_TRANSLATE_NOOP(
        "Core", "1F1B without a flush: each stage updates its weights after every micro-batch and "
                "keeps the version that a micro-batch started with for its backward."),
    QT_TRANSLATE_NOOP("Core", "V placement with a third of 1F1B's activation; unequal times cost "
                              "idle time in every micro-batch."),
    QT_TRANSLATE_NOOP(
        "Core", "micro-batches that go through a chunk before the next chunk follows, from p/2"),
    QT_TRANSLATE_NOOP("Core", "1 puts W on device r behind the backward r places later"),
    QT_TRANSLATE_NOOP(
        "Core", "Half of DualPipe on a V placement: overlapped pairs with one copy of the model."),
    QT_TRANSLATE_NOOP("Core",
                      "All forwards, then all backwards; optionally with re-materialisation."),
    QT_TRANSLATE_NOOP("Core", "1 keeps stage inputs only and runs each forward once more"),
    QT_TRANSLATE_NOOP("Core", "All micro-batches through a chunk before the next chunk: each "
                              "chunk's weights are gathered and its gradients reduced once."),
    QT_TRANSLATE_NOOP("Core", "1F1B with several chunks a device, laid round and round: a smaller "
                              "bubble for more messages and memory (Megatron's virtual pipeline)."),
    QT_TRANSLATE_NOOP("Core", "Interleaved 1F1B with a split backward and a short warm-up; groups "
                              "of p/2 make GIS-H, a delayed W makes interleaved zero bubble."),
    QT_TRANSLATE_NOOP(
        "Core", "Seq1F1B with a split backward, its weight part delayed by device as in ZB-H1."),
};

} // namespace

QString coreWords(std::string_view english)
{
    if (english.empty())
        return {};
    return QCoreApplication::translate("Core", std::string(english).c_str());
}

QString passText(const Pass& pass, const PipelineSpec& spec)
{
    return coreSentence(describe(pass, spec));
}

} // namespace pw::ui
