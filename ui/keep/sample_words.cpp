// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/sample_words.h"

#include <QCoreApplication>
#include <QString>
#include <QStringList>

#include <algorithm>

namespace pw::ui {

namespace {

// The files are English, so that they are the same everywhere; what a reader sees is not.
constexpr const char* sentences[] = {
    QT_TRANSLATE_NOOP("pw::ui::Samples", "GPipe: fill, then drain"),
    QT_TRANSLATE_NOOP(
        "pw::ui::Samples",
        "All forwards, then all backwards. Look at the memory chart: device 0 holds "
        "all 8 micro-batches at once, and every device idles (p − 1)(F + BW) = 9 ms."),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Try: open the 1F1B sample beside it and pin this one. The makespan is the "
                      "same; what differs is the memory."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "1F1B: the same time, half the memory"),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "One forward, one backward in turn. A backward starts as soon as it can, so "
                      "device 0 holds p = 4 micro-batches and not m = 8. The bubble is that of "
                      "GPipe."),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Try: raise the micro-batches to 16. The bubble stays 9 ms, but it is a "
                      "smaller part of a longer step."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "Interleaved 1F1B: smaller steps fill faster"),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Every device has two chunks of the model, laid round and round. The "
                      "pipeline fills in half the time, so the bubble halves to 4.5 ms. The "
                      "price: twice the messages, and 5.5 micro-batches on device 0."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "Try: set the link to 0.2 ms and watch the gain shrink."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "ZB-H2: no idle time inside a span"),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "The backward is split: B, for the input, is what the next device waits "
                      "for; W, for the weights, can wait and fills the gaps. With twice the "
                      "warm-up of 1F1B nothing idles between a device's first and last pass: the "
                      "span bubble is 0, the wall bubble 3 ms. It costs 2p − 1 = 7 micro-batches "
                      "of memory."),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Try: change the family to ZB-H1. Its memory is that of 1F1B, and 3 ms of "
                      "bubble come back."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "ZB-V: zero bubble in 1F1B's memory"),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "The chunks lie in a V: the last stage is on the device of the first. A "
                      "micro-batch comes back early, so its memory is free early: 4 micro-batches "
                      "on every device, and a span bubble of 0."),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Try: click a B of device 0 and follow the arrows with [ and ]."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "V-Half: less memory than 1F1B"),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "A GPT of 22 billion parameters on four H100. The building block of V-Half "
                      "frees activations after about half the time: 45 GiB where 1F1B needs 59, "
                      "at a shorter step too."),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Try: change the family to 1F1B, to ZB-H2 (which the memory limit refuses) "
                      "and to V-Min."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "kFkB: when the network is slow"),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Between 20 and 60 ms the network is three times as slow. Two forwards and "
                      "two backwards in turn: while a message of one micro-batch travels, the "
                      "device works on the other. Pay with memory: k·p = 8 micro-batches."),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Try: set the group to 1, which is plain 1F1B. The makespan grows by a "
                      "third."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "Seq1F1B: long sequences in segments"),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Each sequence is cut into four segments that follow each other through the "
                      "pipeline. The bubble shrinks with the segment, from 9 to 2.25 ms, and "
                      "device 0 holds 1.75 micro-batches: room for long contexts."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "Try: two segments, then eight."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "DualPipe: from both ends"),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Two copies of the model in opposite directions; micro-batches enter at "
                      "both ends. A forward of one direction and a backward of the other run as "
                      "one pair, which takes 2.5 ms in place of 3, as its messages hide behind "
                      "its work."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "Try: Chimera has two directions without pairs."),
    QT_TRANSLATE_NOOP("pw::ui::Samples", "PipeDream-2BW: no flush between steps"),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Three optimizer steps without waiting at their ends: one bubble in all, "
                      "not one a step. Gradients of a step make a weight version that is first "
                      "read two steps later, so every device keeps two versions."),
    QT_TRANSLATE_NOOP("pw::ui::Samples",
                      "Try: change the family to 1F1B: three steps, three bubbles."),
};

} // namespace

std::span<const char* const> sampleSentences()
{
    return sentences;
}

std::string sampleWords(const std::string& english)
{
    const QString between = QStringLiteral("\n\n");
    QStringList paragraphs = QString::fromStdString(english).split(between);
    const std::span<const char* const> known = sampleSentences();
    for (QString& paragraph : paragraphs) {
        const QByteArray sentence = paragraph.toUtf8();
        const auto same = [&sentence](const char* one) { return sentence == one; };
        if (std::any_of(known.begin(), known.end(), same))
            paragraph = QCoreApplication::translate("pw::ui::Samples", sentence.constData());
    }
    return paragraphs.join(between).toStdString();
}

} // namespace pw::ui
