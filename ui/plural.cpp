// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plural.h"

#include "core/base/text.h"

#include <QCoreApplication>

#include <utility>

namespace pw::ui {

namespace {

struct PluralWords
{
    Q_DECLARE_TR_FUNCTIONS(Plural)
};

/// One of it, and many.
std::pair<QString, QString> formsOf(Noun noun)
{
    switch (noun) {
    case Noun::Block:
        return {PluralWords::tr("%1 block"), PluralWords::tr("%1 blocks")};
    case Noun::Chunk:
        return {PluralWords::tr("%1 chunk"), PluralWords::tr("%1 chunks")};
    case Noun::Collision:
        return {PluralWords::tr("%1 collision"), PluralWords::tr("%1 collisions")};
    case Noun::Device:
        return {PluralWords::tr("%1 device"), PluralWords::tr("%1 devices")};
    case Noun::Iteration:
        return {PluralWords::tr("%1 iteration"), PluralWords::tr("%1 iterations")};
    case Noun::Line:
        return {PluralWords::tr("%1 line"), PluralWords::tr("%1 lines")};
    case Noun::MemoryCap:
        return {PluralWords::tr("%1 memory cap"), PluralWords::tr("%1 memory caps")};
    case Noun::MicroBatch:
        return {PluralWords::tr("%1 micro-batch"), PluralWords::tr("%1 micro-batches")};
    case Noun::Pass:
        return {PluralWords::tr("%1 pass"), PluralWords::tr("%1 passes")};
    case Noun::Problem:
        return {PluralWords::tr("%1 problem"), PluralWords::tr("%1 problems")};
    case Noun::Rank:
        return {PluralWords::tr("%1 rank"), PluralWords::tr("%1 ranks")};
    case Noun::Replica:
        return {PluralWords::tr("%1 replica"), PluralWords::tr("%1 replicas")};
    case Noun::Run:
        return {PluralWords::tr("%1 run"), PluralWords::tr("%1 runs")};
    case Noun::Segment:
        return {PluralWords::tr("%1 segment"), PluralWords::tr("%1 segments")};
    case Noun::Stage:
        return {PluralWords::tr("%1 stage"), PluralWords::tr("%1 stages")};
    case Noun::Step:
        return {PluralWords::tr("%1 optimizer step"), PluralWords::tr("%1 optimizer steps")};
    case Noun::Unit:
        break;
    }
    return {PluralWords::tr("%1 unit"), PluralWords::tr("%1 units")};
}

} // namespace

QString plural(qint64 count, Noun noun)
{
    return plural(static_cast<double>(count), QString::fromStdString(groupedNumber(count)), noun);
}

QString plural(double count, const QString& written, Noun noun)
{
    const auto [one, many] = formsOf(noun);
    return (count == 1 ? one : many).arg(written);
}

} // namespace pw::ui
