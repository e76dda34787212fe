// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/measured_memory.h"
#include "tests/support/data_files.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <cmath>

using namespace pw;
using namespace pw::plan;

/// Measured peaks of memory, and whose terms meet them.
class TestMeasuredMemory : public QObject
{
    Q_OBJECT

private slots:
    /// Peaks that an engine's terms make are met by that engine, exactly.
    void theEngineIsFoundAgain()
    {
        const Accelerator device = *findAccelerator("h100");
        const Constants constants = constantsFor("h100", true);
        const auto table = parseMeasured(
            "model,layers,gpus,micro_batch,global_batch,tensor_parallel,pipeline_parallel,"
            "iteration_ms\nllama3-8b,32,8,1,16,2,4,1000\nllama3-8b,32,8,1,32,1,4,1000\n");
        QVERIFY(table);
        QVERIFY(judgeMemory(table->rows, device, constants).empty());
        for (const char* name : {"plain", "megatron-te", "megatron-local"}) {
            std::vector<MeasuredRow> rows = table->rows;
            for (MeasuredRow& row : rows) {
                Configuration c = row.configuration;
                c.engine = *findEngineMemory(name);
                const auto made = evaluate(row.model, {device, row.devices, constants}, c);
                QVERIFY(made);
                row.firstPeak = made->memory.front().total() - made->memory.front().fragments;
                row.lastPeak = made->memory.back().total() - made->memory.back().fragments;
            }
            const std::vector<MemoryJudgement> judged = judgeMemory(rows, device, constants);
            QVERIFY(!judged.empty());
            QVERIFY2(judged.front().engine.starts_with(name), judged.front().engine.c_str());
            QCOMPARE(judged.front().peaks, 4);
            QVERIFY(judged.front().worst < 1e-9);
            QVERIFY(judged.back().meanError > 0.01);
        }
    }

    void columnsOfPeaksAreRead()
    {
        const auto table = parseMeasured(
            "model,gpus,micro_batch,global_batch,iteration_ms,peak_bytes,last_stage_peak_bytes\n"
            "llama3-8b,8,1,16,1000,3e10,\nllama3-8b,8,1,16,1000,,2e10\n");
        QVERIFY(table);
        QCOMPARE(table->rows[0].peak, 3e10);
        QCOMPARE(table->rows[0].lastPeak, 0.0);
        QCOMPARE(table->rows[1].lastPeak, 2e10);
        const auto refused =
            parseMeasured("model,gpus,micro_batch,global_batch,iteration_ms,peak_bytes\n"
                          "llama3-8b,8,1,16,1000,much\n");
        QVERIFY(!refused);
        const QString said = QString::fromStdString(refused.error().message);
        QVERIFY2(said.contains(QLatin1String("peak_bytes")), qPrintable(said));
    }

    /// Twelve runs of Megatron-LM with Transformer Engine: first and last rank within 1 %.
    void megatronsPeaksAreMet()
    {
        auto table = readMeasured(pw::test::testData("measured/b200-llama70b.csv"),
                                  {std::nullopt, 51200, std::string(defaultFamily), false});
        QVERIFY(table);
        constexpr double mebi = 1024.0 * 1024;
        // The first and the last stage's of the table, in MiB.
        const double first[] = {68149, 62136, 40010, 28965}, last[] = {64479, 62136, 40010, 28965};
        for (std::size_t i = 0; i < 4; ++i) {
            table->rows[i].firstPeak = mebi * first[i];
            table->rows[i].lastPeak = mebi * last[i];
        }
        const auto judged =
            judgeMemory(table->rows, *findAccelerator("b200"), constantsFor("b200", true));
        QCOMPARE(judged.front().engine, std::string("megatron-te"));
        QCOMPARE(judged.front().peaks, 8);
        QVERIFY(judged.front().worst < 0.01);
    }
};

PW_TEST(TestMeasuredMemory)
#include "tst_measured_memory.moc"
