// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/ran_here.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTest>

#include <cmath>

using namespace pw;
using namespace pw::app;

namespace {

struct Ended
{
    ExitCode code = ExitCode::Good;
    QString out, err;
};

Ended planned(const QString& line)
{
    const test::Said said = test::ranLine(line);
    return {said.code, QString::fromUtf8(said.out), QString::fromUtf8(said.err)};
}

/// The beginning of a line for one shape.
QString oneShape()
{
    return QStringLiteral("plan --hidden 2048 --layers 24 --heads 16 --sequence 1024 --vocabulary "
                          "51200 --hardware a100 "
                          "--gpus 8 --global-batch 32 ");
}

QJsonArray plannedRows(const QString& told)
{
    return QJsonDocument::fromJson(told.toUtf8()).array();
}

} // namespace

class TestPlanCommand : public QObject
{
    Q_OBJECT

private slots:
    void rowsHaveTheFieldsOfTheManual()
    {
        const Ended ended = planned(oneShape() + QStringLiteral("--json --top 3"));
        QCOMPARE(ended.code, ExitCode::Good);
        const QJsonArray rows = plannedRows(ended.out);
        QCOMPARE(rows.size(), 3);
        QStringList wanted = {QStringLiteral("family"),
                              QStringLiteral("parameters"),
                              QStringLiteral("pipeline_parallel"),
                              QStringLiteral("tensor_parallel"),
                              QStringLiteral("data_parallel"),
                              QStringLiteral("context_parallel"),
                              QStringLiteral("expert_parallel"),
                              QStringLiteral("micro_batch_size"),
                              QStringLiteral("micro_batches"),
                              QStringLiteral("chunks"),
                              QStringLiteral("recompute"),
                              QStringLiteral("split"),
                              QStringLiteral("iteration_ms"),
                              QStringLiteral("iteration_ms_from"),
                              QStringLiteral("iteration_ms_to"),
                              QStringLiteral("pipeline_ms"),
                              QStringLiteral("bubble_rate"),
                              QStringLiteral("fitted_rows"),
                              QStringLiteral("precision"),
                              QStringLiteral("tokens_per_second"),
                              QStringLiteral("mfu"),
                              QStringLiteral("peak_bytes"),
                              QStringLiteral("memory"),
                              QStringLiteral("fits"),
                              QStringLiteral("proven"),
                              QStringLiteral("reason")};
        wanted.sort();
        double before = 0;
        for (const QJsonValue& value : rows) {
            const QJsonObject row = value.toObject();
            QStringList names = row.keys();
            names.sort();
            QStringList ofRow = wanted;
            // Only where a part of the layers is computed again, and then one that there can be.
            if (const QJsonValue again = row[QStringLiteral("recompute_layers")];
                !again.isUndefined()) {
                QVERIFY(row[QStringLiteral("recompute")] != QStringLiteral("none"));
                QVERIFY(again.toInt() > 0 && again.toInt() < 24);
                ofRow << QStringLiteral("recompute_layers");
                ofRow.sort();
            }
            QCOMPARE(names, ofRow);
            QVERIFY(row[QStringLiteral("iteration_ms")].toDouble() >= before);
            QVERIFY(row[QStringLiteral("iteration_ms_from")].toDouble() <
                    row[QStringLiteral("iteration_ms")].toDouble());
            QVERIFY(row[QStringLiteral("iteration_ms_to")].toDouble() >
                    row[QStringLiteral("iteration_ms")].toDouble());
            before = row[QStringLiteral("iteration_ms")].toDouble();
            const double tokens = 32 * 1024 / (before / 1000);
            QVERIFY(qAbs(row[QStringLiteral("tokens_per_second")].toDouble() / tokens - 1) < 1e-9);
            int layers = 0;
            const QJsonArray split = row[QStringLiteral("split")].toArray();
            for (const QJsonValue& stage : split)
                layers += stage.toInt();
            QCOMPARE(layers, 24);
            QCOMPARE(row[QStringLiteral("peak_bytes")].toArray().size(),
                     row[QStringLiteral("pipeline_parallel")].toInt());
            QVERIFY(row[QStringLiteral("mfu")].toDouble() > 0 &&
                    row[QStringLiteral("mfu")].toDouble() < 1);
            QVERIFY(row[QStringLiteral("fits")].toBool());
            QVERIFY(row[QStringLiteral("proven")].toBool());
        }
    }

    void oneConfigurationIsOnlyEvaluated()
    {
        const Ended ended =
            planned(oneShape() +
                    QStringLiteral("--tensor-parallel 2 --pipeline-parallel 2 "
                                   "--data-parallel 2 --micro-batch-size 2 --recompute-policy full "
                                   "--family 1f1b --json"));
        QCOMPARE(ended.code, ExitCode::Good);
        const QJsonArray rows = plannedRows(ended.out);
        QCOMPARE(rows.size(), 1);
        QCOMPARE(rows[0][QStringLiteral("split")].toArray(), (QJsonArray{12, 12}));
        QCOMPARE(rows[0][QStringLiteral("micro_batches")].toInt(), 8);
        QCOMPARE(rows[0][QStringLiteral("recompute")].toString(), QStringLiteral("full"));
        const Ended told = planned(
            oneShape() + QStringLiteral("--tensor-parallel 2 --pipeline-parallel 2 "
                                        "--data-parallel 2 --micro-batch-size 2 --family 1f1b "
                                        "--recompute-policy full"));
        QVERIFY2(told.out.contains(QStringLiteral("\n1 configuration, simulated\n")),
                 qPrintable(told.out));
    }

    void whatIsGivenNarrows_data()
    {
        QTest::addColumn<QString>("given");
        QTest::addColumn<QJsonObject>("has");
        const auto row = [](const char* given, const char* key, const QJsonValue& value) {
            QTest::newRow(given) << QString::fromLatin1(given)
                                 << QJsonObject{{QString::fromLatin1(key), value}};
        };
        row("--micro-batch-size 2", "micro_batch_size", 2);
        row("--tensor-parallel 4", "tensor_parallel", 4);
        row("--data-parallel 2", "data_parallel", 2);
        row("--pipeline-parallel 4", "pipeline_parallel", 4);
        row("--context-parallel 1", "context_parallel", 1);
        row("--expert-parallel 1", "expert_parallel", 1);
        row("--chunks 2", "chunks", 2);
        row("--recompute-policy none", "recompute", QStringLiteral("none"));
        row("--recompute-policy selective", "recompute", QStringLiteral("selective"));
        row("--recompute-policy full", "recompute", QStringLiteral("full"));
        row("--family gis", "family", QStringLiteral("gis"));
        QTest::newRow("several")
            << QStringLiteral("--family interleaved-1f1b --chunks 3 "
                              "--data-parallel 2 --recompute-policy full")
            << QJsonObject{{QStringLiteral("family"), QStringLiteral("interleaved-1f1b")},
                           {QStringLiteral("chunks"), 3},
                           {QStringLiteral("data_parallel"), 2},
                           {QStringLiteral("recompute"), QStringLiteral("full")}};
    }

    /// Every option alone, and several together.
    void whatIsGivenNarrows()
    {
        QFETCH(QString, given);
        QFETCH(QJsonObject, has);
        const Ended ended = planned(oneShape() + given + QStringLiteral(" --json"));
        QVERIFY2(ended.code == ExitCode::Good, qPrintable(ended.err));
        const QJsonArray rows = plannedRows(ended.out);
        QVERIFY(!rows.isEmpty());
        for (const QJsonValue& value : rows) {
            for (auto one = has.begin(); one != has.end(); ++one)
                QCOMPARE(value[one.key()], one.value());
        }
    }

    void wishesThatCannotBeSayWhatWould_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("says");
        QTest::newRow("heads") << QStringLiteral("--tensor-parallel 5") << QStringLiteral("4 or 8");
        QTest::newRow("family") << QStringLiteral("--family 1f1c") << QStringLiteral("1f1b");
        QTest::newRow("memory") << QStringLiteral("--memory-limit 3")
                                << QStringLiteral("--memory-limit");
        QTest::newRow("split") << QStringLiteral("--split 1,2")
                               << QStringLiteral("the model has 24");
        QTest::newRow("experts") << QStringLiteral("--expert-parallel 2")
                                 << QStringLiteral("1 would");
    }

    void wishesThatCannotBeSayWhatWould()
    {
        QFETCH(QString, options);
        QFETCH(QString, says);
        const Ended ended = planned(oneShape() + options);
        QVERIFY(ended.code != ExitCode::Good);
        QVERIFY2(ended.err.contains(says), qPrintable(ended.err));
    }

    void tablesExplain()
    {
        const Ended ended = planned(oneShape() + QStringLiteral("--why"));
        QCOMPARE(ended.code, ExitCode::Good);
        for (const char* part :
             {"Row 2", "matrix products", "activations", "10 % more memory", "links twice as fast"})
            QVERIFY2(ended.out.contains(QLatin1String(part)), part);
        // Nine devices are no use for this batch.
        QVERIFY(!ended.out.contains(QStringLiteral("one more GPU")));
        QVERIFY(ended.out.contains(QStringLiteral("GiB")) &&
                !ended.out.contains(QStringLiteral(" GB\n")));
    }

    void termsAddUpAndNameTheirSource_data()
    {
        QTest::addColumn<QString>("line");
        const auto row = [](const char* name, const QString& line) {
            QTest::newRow(name) << QStringLiteral("plan --model ") + line +
                                       QStringLiteral(" --top 1 --why");
        };
        row("one device", QStringLiteral("tiny --gpus 1 --global-batch 4"));
        row("a pipeline", QStringLiteral("gpt-22b --hardware h100 --gpus 32 --global-batch 64 "
                                         "--tp 8 --pp 4 --family 1f1b --recompute none"));
        row("a time of every pass", QStringLiteral("llama3-8b --hardware gh200 --gpus 16 "
                                                   "--global-batch 64 --pp 4 --family zb-v"));
        row("experts on two routes",
            QStringLiteral("qwen3-30b-a3b --hardware gb200 --precision mxfp8 --gpus 64 "
                           "--global-batch 512 --pp 4 --expert-parallel 8 --family dualpipe-v"));
        row("a ring", QStringLiteral("llama3-8b --hardware b200 --gpus 16 --global-batch 32 "
                                     "--context-parallel 4 --pp 2 --family interleaved-1f1b"));
        row("slices", QStringLiteral("seq1f1b-7b --hardware a100 --gpus 32 --global-batch 32 "
                                     "--tp 8 --pp 4 --family seq1f1b"));
        row("two kinds", QStringLiteral("llama3-8b --hardware h100:8,a100:8 --global-batch 32 "
                                        "--pp 2 --family 1f1b"));
        row("the vocabulary on all devices",
            QStringLiteral("llama3-8b --hardware h100 --gpus 16 --global-batch 64 --pp 4 "
                           "--family 1f1b --vocabulary-parallel yes"));
        row("no flush", QStringLiteral("llama3-8b --hardware h100 --gpus 16 --global-batch 64 "
                                       "--pp 4 --family pipedream-2bw"));
        row("some layers computed again",
            QStringLiteral("llama3-8b --hardware h100 --gpus 16 --global-batch 64 --pp 4 "
                           "--family zb-h1 --recompute full --recompute-layers 3"));
    }

    /// What is printed adds up to what is printed, but for the digits that are not.
    void termsAddUpAndNameTheirSource()
    {
        QFETCH(QString, line);
        const Ended ended = planned(line);
        QVERIFY2(ended.code == ExitCode::Good, qPrintable(ended.err));
        static const QRegularExpression term(
            QStringLiteral("^  (\\S[^\\d]*?) {2,}([\\d.,]+) +([\\d.]+)(?:  (\\S.*))?$"));
        const auto number = [](QString text) { return text.remove(QLatin1Char(',')).toDouble(); };
        double sum = 0, all = 0, parts = 0, unsaid = 0;
        const QStringList lines = ended.out.split(QLatin1Char('\n'));
        int at = 0;
        while (at < lines.size() &&
               !lines[at].startsWith(QLatin1String("What the iteration takes")))
            ++at;
        for (; at < lines.size() && all == 0; ++at) {
            const QRegularExpressionMatch found = term.match(lines[at]);
            if (!found.hasMatch())
                continue;
            const QString time = found.captured(2);
            QVERIFY2(!found.captured(4).isEmpty(), qPrintable(lines[at]));
            // Half of the last digit.
            const int decimals =
                time.contains(QLatin1Char('.')) ? int(time.size() - time.indexOf('.') - 1) : 0;
            unsaid += std::pow(10.0, -decimals) / 2;
            if (found.captured(1) == QLatin1String("all")) {
                all = number(time);
                continue;
            }
            sum += number(time);
            parts += number(found.captured(3));
        }
        QVERIFY2(all > 0, qPrintable(ended.out));
        QVERIFY2(qAbs(sum - all) <= unsaid * 1.0001,
                 qPrintable(QStringLiteral("%1 of %2\n").arg(sum).arg(all) + ended.out));
        QVERIFY2(qAbs(parts - 100) < 0.7, qPrintable(ended.out));
    }

    /// What a card of 80 GB has is 80 GiB, and no row needs more of them than it can have.
    void plansStayWithinTheCard()
    {
        for (const char* memory : {"", " --memory-limit 80", " --memory-limit 40"}) {
            const Ended ended =
                planned(QStringLiteral("plan --model qwen3-32b --hardware a100 --gpus 16 "
                                       "--global-batch 64 --json") +
                        QLatin1String(memory));
            QCOMPARE(ended.code, ExitCode::Good);
            const double card = QLatin1String(memory).contains(QLatin1String("40")) ? 40 : 80;
            const QJsonArray rows = plannedRows(ended.out);
            QVERIFY(!rows.isEmpty());
            double fullest = 0;
            for (const QJsonValue& row : rows) {
                const QJsonArray peaks = row[QStringLiteral("peak_bytes")].toArray();
                const QJsonArray kinds = row[QStringLiteral("memory")].toArray();
                QCOMPARE(kinds.size(), peaks.size());
                for (int rank = 0; rank < peaks.size(); ++rank) {
                    double sum = 0;
                    const QJsonObject held = kinds[rank].toObject();
                    for (const QString& kind : held.keys())
                        sum += held[kind].toDouble();
                    QVERIFY(qAbs(sum - peaks[rank].toDouble()) < 16);
                    fullest = qMax(fullest, peaks[rank].toDouble() / 1073741824.0);
                }
            }
            QVERIFY2(fullest < card && fullest > card / 2, qPrintable(QString::number(fullest)));
        }
    }

    /// `--top 3` is the beginning of `--top 200`.
    void fewRowsAreTheFirstOfMany()
    {
        const QString line = QStringLiteral("plan --model qwen3-32b --hardware h100 --gpus 8 "
                                            "--global-batch 64 --json --top ");
        const QJsonArray many = plannedRows(planned(line + QStringLiteral("200")).out);
        for (const int rows : {1, 3, 10}) {
            const QJsonArray few = plannedRows(planned(line + QString::number(rows)).out);
            QCOMPARE(few.size(), rows);
            for (int i = 0; i < rows; ++i)
                QCOMPARE(few[i].toObject(), many[i].toObject());
        }
    }

    /// What the text shows in a table of its own is asked for by itself: with as few rows as
    /// anybody wants, and none where a family is asked for.
    void familiesWithoutAFlushAreAskedForByThemselves()
    {
        const QString line = QStringLiteral("plan --model gpt-1.7b --hardware a100 --gpus 8 "
                                            "--global-batch 64 --pp 4 --top 1 ");
        const QString shown = planned(line).out;
        const QJsonArray rows = plannedRows(planned(line + QStringLiteral("--json")).out);
        const QJsonArray unflushed =
            plannedRows(planned(line + QStringLiteral("--json --unflushed")).out);
        QCOMPARE(rows.size(), 1);
        QVERIFY(!unflushed.isEmpty());
        const QString table = shown.section(QStringLiteral("Without a flush"), 1);
        for (const QJsonValue& row : unflushed) {
            QCOMPARE(row.toObject().keys(), rows[0].toObject().keys());
            QVERIFY2(table.contains(row[QStringLiteral("family")].toString()), qPrintable(shown));
            QVERIFY(!row[QStringLiteral("proven")].toBool());
        }
        const Ended alone = planned(line + QStringLiteral("--family 1f1b --json --unflushed"));
        QCOMPARE(alone.out.trimmed(), QStringLiteral("[]"));
        QCOMPARE(planned(line + QStringLiteral("--unflushed")).code, ExitCode::Usage);
    }

    /// A model with experts by its fields is the preset.
    void expertsAreOptions()
    {
        const QString rest =
            QStringLiteral(" --hardware h100 --gpus 16 --global-batch 64 --json --top 2");
        const Ended preset = planned(QStringLiteral("plan --model mixtral-8x7b") + rest);
        const Ended own =
            planned(QStringLiteral(
                        "plan --model llama3-8b --layers 32 --hidden 4096 --heads 32 --kv-heads 8 "
                        "--ffn 14336 --vocabulary 32000 --sequence 4096 --experts 8 "
                        "--experts-per-token 2 --expert-width 14336") +
                    rest);
        QCOMPARE(own.code, ExitCode::Good);
        QCOMPARE(own.out, preset.out);
        const Ended wrong = planned(
            QStringLiteral(
                "plan --model llama3-8b --experts 4 --experts-per-token 9 --expert-width 64") +
            rest);
        QVERIFY2(wrong.code != ExitCode::Good && wrong.err.contains(QLatin1String("9")),
                 qPrintable(wrong.err));
    }

    void rowsBecomeProjectsAndFiles()
    {
        QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("plan.json"));
        const QString csv = folder.filePath(QStringLiteral("plan.csv"));
        const QString given =
            oneShape() + QStringLiteral("--tensor-parallel 2 --pipeline-parallel 4 "
                                        "--family zb-h1 --emit torch --output ");
        QCOMPARE(planned(given + csv + QStringLiteral(" --save ") + project).code, ExitCode::Good);
        QFile table(csv);
        QVERIFY(table.open(QIODevice::ReadOnly));
        QCOMPARE(table.readAll().count('\n'), 4);
        const Ended simulated = planned(QStringLiteral("simulate ") + project);
        QVERIFY2(simulated.code == ExitCode::Good, qPrintable(simulated.err));
    }

    void nothingIsPassedOverInSilence_data()
    {
        QTest::addColumn<QString>("options");
        QTest::addColumn<QString>("says");
        QTest::newRow("both to the output")
            << QStringLiteral("--json --emit torch") << QStringLiteral("--output FILE");
        QTest::newRow("a file for nothing")
            << QStringLiteral("--output /nowhere.csv") << QStringLiteral("--emit");
        QTest::newRow("no rows") << QStringLiteral("--planner 2bw --save /nowhere.json")
                                 << QStringLiteral("--save is for the rows of a search");
    }

    void nothingIsPassedOverInSilence()
    {
        QFETCH(QString, options);
        QFETCH(QString, says);
        const Ended ended = planned(oneShape() + options);
        QCOMPARE(ended.code, ExitCode::Usage);
        QVERIFY2(ended.err.contains(says), qPrintable(ended.err));
    }

    void oneRunWritesAllThatIsAskedFor()
    {
        QTemporaryDir folder;
        const QString project = folder.filePath(QStringLiteral("plan.json"));
        const QString flags = folder.filePath(QStringLiteral("megatron.txt"));
        const Ended ended = planned(oneShape() + QStringLiteral("--json --top 1 --save ") +
                                    project + QStringLiteral(" --emit megatron --output ") + flags);
        QVERIFY2(ended.code == ExitCode::Good, qPrintable(ended.err));
        // Families that Megatron does not run are not looked at.
        const QJsonArray rows = plannedRows(ended.out);
        QCOMPARE(rows.size(), 1);
        QVERIFY(rows[0][QStringLiteral("family")].toString().endsWith(QStringLiteral("1f1b")));
        QFile written(flags);
        QVERIFY(written.open(QIODevice::ReadOnly));
        QVERIFY(written.readAll().contains(
            "--pipeline-model-parallel-size " +
            QByteArray::number(rows[0][QStringLiteral("pipeline_parallel")].toInt())));
        QVERIFY(QFile::exists(project));
        const Ended other = planned(oneShape() + QStringLiteral("--family zb-h1 --emit megatron"));
        QVERIFY(other.code != ExitCode::Good);
        QVERIFY2(other.err.contains(QStringLiteral("--emit torch")), qPrintable(other.err));
    }

    /// Where memory rules out what is faster, the host's memory is named; where it does not, not.
    void theHostsMemoryIsNamedWhereItWouldHelp()
    {
        const QString shape =
            QStringLiteral("plan --hidden 8192 --layers 32 --heads 64 --sequence 4096 "
                           "--flash-attention yes --dropout no --hardware h100 --gpus 8 "
                           "--global-batch 64 --family 1f1b --tensor-parallel 1 ");
        const Ended tight = planned(shape + QStringLiteral("--zero 1 --memory-limit 78.23"));
        const Ended loose = planned(shape + QStringLiteral("--zero 1 --memory-limit 2000"));
        QVERIFY2(tight.out.contains(QStringLiteral("--offload search")), qPrintable(tight.out));
        QVERIFY2(loose.out.contains(QStringLiteral("activations in the host's memory: nothing")),
                 qPrintable(loose.out));
    }

    void papersPlannersAnswer()
    {
        const Ended pipeDream = planned(oneShape() + QStringLiteral("--planner pipedream --json"));
        QCOMPARE(pipeDream.code, ExitCode::Good);
        const QJsonObject stages = QJsonDocument::fromJson(pipeDream.out.toUtf8()).object();
        int replicas = 0;
        const QJsonArray list = stages[QStringLiteral("stages")].toArray();
        for (const QJsonValue& stage : list)
            replicas += stage[QStringLiteral("replicas")].toInt();
        QCOMPARE(replicas, 8);
        const Ended doubled = planned(oneShape() + QStringLiteral("--planner 2bw --json"));
        QCOMPARE(doubled.code, ExitCode::Good);
        const QJsonObject plan = QJsonDocument::fromJson(doubled.out.toUtf8()).object();
        QCOMPARE(plan[QStringLiteral("width")].toInt() * plan[QStringLiteral("depth")].toInt(), 8);
    }

    void activationsGoToTheHost()
    {
        const QString given =
            QStringLiteral("--pipeline-parallel 8 --tensor-parallel 1 --family 1f1b "
                           "--micro-batch-size 1 --recompute-policy none --host-link 60 ");
        const auto rowOf = [&](const char* offload) {
            const Ended ended = planned(oneShape() + given + QStringLiteral("--json --offload ") +
                                        QLatin1String(offload));
            return plannedRows(ended.out).first().toObject();
        };
        const QJsonObject none = rowOf("none"), all = rowOf("all"), half = rowOf("0.5");
        QVERIFY(!none.contains(QStringLiteral("offload")));
        QCOMPARE(all[QStringLiteral("offload")].toString(), QStringLiteral("all"));
        QCOMPARE(half[QStringLiteral("offload")].toString(), QStringLiteral("shares"));
        QCOMPARE(half[QStringLiteral("offload_shares")].toArray().size(), 8);
        const QString peaks = QStringLiteral("peak_bytes");
        QVERIFY(all[peaks].toArray().first().toDouble() < none[peaks].toArray().first().toDouble());
        const Ended why =
            planned(oneShape() + given + QStringLiteral("--why --offload activations"));
        QVERIFY2(why.out.contains(QStringLiteral("copies over passes")), qPrintable(why.out));
        for (const char* wrong : {"2", "0.5,", "most"})
            QVERIFY(
                planned(oneShape() + QStringLiteral("--offload ") + QLatin1String(wrong)).code ==
                ExitCode::Usage);
        const Ended alone =
            planned(oneShape() + QStringLiteral("--pipeline-parallel 1 --offload all"));
        QVERIFY(alone.code != ExitCode::Good);
        QVERIFY(alone.err.contains(QStringLiteral("2 pipeline ranks would do")));
    }

    void severalKindsArePlannedFor()
    {
        const QString start = QStringLiteral("plan --model llama3-8b --global-batch 32 "
                                             "--hardware ");
        const Ended ended = planned(
            start + QStringLiteral("h100:8,a100:8 --pipeline-parallel 4 --tensor-parallel 4 "
                                   "--family 1f1b --micro-batch-size 1 --json --top 1"));
        QVERIFY2(ended.code == ExitCode::Good, qPrintable(ended.err));
        const QJsonObject row = plannedRows(ended.out).first().toObject();
        const QJsonArray split = row[QStringLiteral("split")].toArray();
        QCOMPARE(split.size(), 4);
        QVERIFY(split[1].toInt() > split[2].toInt());
        QCOMPARE(row[QStringLiteral("hardware")].toArray().last().toString(),
                 QStringLiteral("a100"));
        const Ended cut = planned(start + QStringLiteral("h100:12,a100:4 --tensor-parallel 8 "
                                                         "--pipeline-parallel 2"));
        QVERIFY(cut.code != ExitCode::Good);
        QVERIFY2(cut.err.contains(QStringLiteral("8 or 16")), qPrintable(cut.err));
        for (const char* wrong : {"h100:8,a100", "h100:0", "abacus", "h100:8,",
                                  "h100:8,a100:8 "
                                  "--gpus 8"})
            QVERIFY(planned(start + QLatin1String(wrong)).code == ExitCode::Usage);
    }

    void measurementsBecomeConstants()
    {
        QTemporaryDir folder;
        const QString table = folder.filePath(QStringLiteral("measured.csv"));
        QFile file(table);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write("gpus,global_batch,micro_batch,hidden,heads,layers,sequence,tensor_parallel,"
                   "data_parallel,pipeline_parallel,iteration_ms\n"
                   "8,32,4,1024,16,24,1024,2,2,2,219.7\n8,4,1,1024,16,16,1024,1,2,4,77.2\n");
        file.close();
        const QString constants = folder.filePath(QStringLiteral("constants.json"));
        const Ended fitted = planned(QStringLiteral("fit --measured ") + table +
                                     QStringLiteral(" --output ") + constants);
        QVERIFY2(fitted.code == ExitCode::Good, qPrintable(fitted.err));
        QVERIFY(planned(oneShape() + QStringLiteral("--json --constants ") + constants).code ==
                ExitCode::Good);
        QVERIFY(planned(oneShape() + QStringLiteral("--json --constants ") + table).code !=
                ExitCode::Good);
        QVERIFY(planned(QStringLiteral("fit --measured /nowhere.csv")).code != ExitCode::Good);
    }
};

PW_TEST(TestPlanCommand)
#include "tst_plan_command.moc"
