// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/plural.h"

#include "core/base/text.h"

#include <QCoreApplication>

#include <cmath>

namespace pw::ui {

namespace {

/// One of it, and many, as English has them: both are looked up with the number.
struct PluralForms
{
    const char* one;
    const char* many;
};

/// Those from S on.
PluralForms laterFormsOf(Noun noun)
{
    switch (noun) {
    case Noun::Slice:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 slice"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 slices")};
    case Noun::Stage:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 stage"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 stages")};
    case Noun::Step:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 optimizer step"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 optimizer steps")};
    case Noun::StepOfJob:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 step"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 steps")};
    case Noun::Switch:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 switch"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 switches")};
    default:
        break; // a unit
    }
    return {QT_TRANSLATE_N_NOOP("Plural", "%1 unit"), QT_TRANSLATE_N_NOOP("Plural", "%1 units")};
}

PluralForms formsOf(Noun noun)
{
    switch (noun) {
    case Noun::Block:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 block"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 blocks")};
    case Noun::Chunk:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 chunk"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 chunks")};
    case Noun::Collision:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 collision"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 collisions")};
    case Noun::Column:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 column"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 columns")};
    case Noun::Core:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 core"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 cores")};
    case Noun::Device:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 device"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 devices")};
    case Noun::Gpu:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 GPU"), QT_TRANSLATE_N_NOOP("Plural", "%1 GPUs")};
    case Noun::Iteration:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 iteration"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 iterations")};
    case Noun::Layer:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 layer"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 layers")};
    case Noun::Line:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 line"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 lines")};
    case Noun::Link:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 link"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 links")};
    case Noun::MemoryCap:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 memory limit"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 memory limits")};
    case Noun::MicroBatch:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 micro-batch"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 micro-batches")};
    case Noun::Pass:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 pass"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 passes")};
    case Noun::Phase:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 phase"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 phases")};
    case Noun::Problem:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 problem"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 problems")};
    case Noun::Rank:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 rank"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 ranks")};
    case Noun::Replica:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 replica"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 replicas")};
    case Noun::Run:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 run"), QT_TRANSLATE_N_NOOP("Plural", "%1 runs")};
    case Noun::Segment:
        return {QT_TRANSLATE_N_NOOP("Plural", "%1 segment"),
                QT_TRANSLATE_N_NOOP("Plural", "%1 segments")};
    case Noun::Slice:
    case Noun::Stage:
    case Noun::Step:
    case Noun::StepOfJob:
    case Noun::Switch:
    case Noun::Unit:
        break;
    }
    return laterFormsOf(noun);
}

} // namespace

QString plural(qint64 count, Noun noun)
{
    return plural(static_cast<double>(count), QString::fromStdString(groupedNumber(count)), noun);
}

QString plural(double count, const QString& written, Noun noun)
{
    const PluralForms forms = formsOf(noun);
    // What is written as one is one: sums of parts are rarely it exactly. Half a thing takes the
    // form of many, in the languages that are here.
    if (written == QLatin1String("1"))
        count = 1;
    const bool whole = count >= 0 && count < 1e9 && std::floor(count) == count;
    return QCoreApplication::translate("Plural", count == 1 ? forms.one : forms.many, nullptr,
                                       whole ? static_cast<int>(count) : 2)
        .arg(written);
}

} // namespace pw::ui
