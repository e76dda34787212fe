// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/families/family.h"
#include "tests/support/family_runs.h"

#include <QtTest>

#include <string>

namespace pw::test {

/// Rows of a test: every family, in one step and, where it does not search, in two with updates,
/// and with parameters that change its order. Columns id, parameter (or ""), value, steps.
inline void addFamilyForms()
{
    QTest::addColumn<QString>("id");
    QTest::addColumn<QString>("parameter");
    QTest::addColumn<double>("value");
    QTest::addColumn<int>("steps");
    for (const Family& family : allFamilies()) {
        const QString id = QString::fromStdString(std::string(family.id));
        // With one step PipeDream-2BW never reads its second version: it is 1F1B.
        const int fewest = family.id == "pipedream-2bw" ? 2 : 1;
        for (int steps = fewest; steps <= (family.search ? 1 : 2); ++steps)
            QTest::newRow(qPrintable(QString("%1, %2 steps").arg(id).arg(steps)))
                << id << "" << 0.0 << steps;
    }
    const auto row = [](const char* id, const char* parameter, double value) {
        QTest::newRow(qPrintable(QString("%1 %2 %3").arg(id, parameter).arg(value)))
            << id << parameter << value << 1;
    };
    row("interleaved-1f1b", "chunks", 4);
    row("interleaved-1f1b", "chunks", 3);
    row("interleaved-1f1b", "group", 8);
    row("interleaved-1f1b", "overlap", 1);
    row("1f1b", "eager", 1);
    row("1f1b", "overlap", 1);
    row("gpipe", "recompute", 1);
    row("kfkb", "group", 4);
    row("seq1f1b", "segments", 4);
    row("seq1f1b-zb", "segments", 3);
    row("hanayo", "waves", 2);
    row("gis", "delay-weight", 1);
    row("zb-v", "order", 1);
    row("breadth-first", "chunks", 3);
    row("zb-auto", "memory-limit", 8);
    row("zb-auto", "memory-limit", 5);
    row("v-auto", "memory-limit", 3);
    row("v-auto", "aim", 1);
}

/// The options of a row for four devices and eight micro-batches.
inline FamilyOptions formOptions(const QString& parameter, double value, int steps)
{
    FamilyOptions options = sized(4, 8);
    options.steps = steps;
    options.updates = steps > 1;
    if (!parameter.isEmpty())
        options.parameters = {{parameter.toStdString(), value}};
    return options;
}

} // namespace pw::test
