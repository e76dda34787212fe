// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QString>

namespace pw::ui {

/// What the window counts.
enum class Noun
{
    Block,
    Chunk,
    Collision,
    Column, ///< of a table
    Core,   ///< of a processor
    Device,
    Gpu,
    Iteration,
    Layer, ///< of a model
    Line,
    Link, ///< between two devices
    MemoryCap,
    MicroBatch,
    Pass,
    Phase, ///< of a network that changes over time
    Problem,
    Rank,
    Replica,
    Run,
    Segment,
    Slice, ///< of a trace
    Stage,
    Step,      ///< of the optimizer
    StepOfJob, ///< all replicas once
    Switch,    ///< from one thing to another
    Unit       ///< of time, in the bench
};

/// A number of things in the form that it takes: "1 pass", "12,288 passes". The one place where a
/// noun has its plural; a language with other forms than English gives its own for both.
QString plural(qint64 count, Noun noun);
/// The same of what need not be whole: "0.5 micro-batches". @param written  the number as it stands
QString plural(double count, const QString& written, Noun noun);

} // namespace pw::ui
