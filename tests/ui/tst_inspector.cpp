// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/cost/origin_costs.h"
#include "core/edit/phases.h"
#include "core/families/family.h"
#include "tests/support/test_program.h"
#include "ui/panels/inspector_panel.h"
#include "ui/panels/pass_rows.h"
#include "ui/presentation.h"

#include <QApplication>
#include <QLabel>
#include <QRegularExpression>
#include <QTest>
#include <QTextDocument>

using namespace pw;
using namespace pw::ui;

namespace {

struct Bench
{
    ScheduleDocument document;
    InspectorPanel panel;

    explicit Bench(const char* family, FamilyOptions options = {}, UniformCosts costs = {})
    {
        document.reset(projectOf(family, options, costs));
        panel.setDocument(&document);
        panel.show();
    }

    QString shown(const char* name) const
    {
        QTextDocument plain;
        plain.setHtml(panel.findChild<QLabel*>(QString::fromLatin1(name))->text());
        return plain.toPlainText();
    }

    /// Where a pass stands in the lanes.
    SpanRef spanOf(const Pass& pass) const
    {
        const auto& lanes = document.lanes()->lanes();
        for (std::size_t lane = 0; lane < lanes.size(); ++lane)
            for (std::size_t i = 0; i < lanes[lane].size(); ++i) {
                const SpanRef span{static_cast<std::int32_t>(lane), static_cast<std::int64_t>(i)};
                if (document.lanes()->pass(span) == pass)
                    return span;
            }
        return {};
    }

    void wait() const { QTRY_VERIFY(panel.complete()); }
};

QString valueOf(const std::vector<NumberRow>& rows, const char* name)
{
    for (const NumberRow& row : rows)
        if (row.name == QString::fromLatin1(name))
            return row.value;
    return {};
}

const NumberRow* rowOf(const std::vector<NumberRow>& rows, const char* name)
{
    for (const NumberRow& row : rows)
        if (row.name == QString::fromLatin1(name))
            return &row;
    return nullptr;
}

} // namespace

class TestInspector : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }

    void aPassIsToldInFull()
    {
        Bench bench("zb-v");
        bench.wait();
        const SpanRef span = bench.spanOf({PassKind::B, 0, StageId(6), 3, 0});
        QVERIFY(span.valid());
        bench.panel.setSelection({span});
        const QString said = bench.shown("selected-pass");
        for (const char* part : {"B 3 · stage 6 · chunk 1", "Device", "Start – end", "Waited for",
                                 "Frees", "held for W until", "Slack"})
            QVERIFY2(said.contains(QString::fromUtf8(part)), qPrintable(said));
        QVERIFY(said.contains(QStringLiteral("of stage 7 on device 0")) ||
                said.contains(QStringLiteral("its device, busy with")));
    }

    void slackIsThatOfTheSchedule()
    {
        Bench bench("interleaved-1f1b");
        bench.wait();
        const Schedule& schedule = *bench.document.schedule();
        const std::vector<Ticks> slack =
            slackOf(schedule, bench.document.costs(), bench.document.result());
        ScheduleFindings found;
        found.slack = slack;
        for (const std::int32_t entry : {0, 5, 17, schedule.entryCount() - 1}) {
            const Pass pass = schedule.entry(EntryId(entry)).pass;
            const auto rows = passRows(bench.document, bench.spanOf(pass), &found);
            const QString said = valueOf(rows, "Slack");
            QCOMPARE(said.contains(QStringLiteral("critical path")),
                     slack[static_cast<std::size_t>(entry)] == 0);
        }
    }

    void whatHeldAPassUpIsTheLaterOfInputAndDevice()
    {
        // On device 1 the first F waits for the F before it, the second for its device.
        UniformCosts costs;
        Bench bench("1f1b", {}, costs);
        const auto waited = [&](const Pass& pass) {
            return valueOf(passRows(bench.document, bench.spanOf(pass), nullptr), "Waited for");
        };
        QCOMPARE(waited({PassKind::F, 0, StageId(0), 0, 0}), QStringLiteral("nothing"));
        QCOMPARE(waited({PassKind::F, 0, StageId(1), 0, 0}),
                 QStringLiteral("F 0 of stage 0 on device 0"));
        QCOMPARE(waited({PassKind::F, 0, StageId(0), 1, 0}),
                 QStringLiteral("its device, busy with F 0"));
        QCOMPARE(waited({PassKind::BW, 0, StageId(3), 0, 0}),
                 QStringLiteral("F 0 of stage 3 on device 3"));
    }

    void activationIsSaidInBytesWhereTheyAreKnown()
    {
        UniformCosts costs;
        costs.activation = 64 << 20;
        costs.keptForWeight = 0.25;
        Bench bench("zb-h1", {}, costs);
        const auto rows = [&](PassKind kind) {
            return passRows(bench.document, bench.spanOf({kind, 0, StageId(1), 2, 0}), nullptr);
        };
        QCOMPARE(valueOf(rows(PassKind::F), "Holds"), QStringLiteral("64 MiB"));
        QCOMPARE(valueOf(rows(PassKind::B), "Frees"), QStringLiteral("48 MiB"));
        QVERIFY(rowOf(rows(PassKind::B), "Frees")
                    ->note.startsWith(QStringLiteral("16 MiB held for W until")));
        QCOMPARE(valueOf(rows(PassKind::W), "Frees"), QStringLiteral("16 MiB"));
    }

    void severalPassesAreSummedUp()
    {
        Bench bench("1f1b");
        bench.wait();
        std::vector<SpanRef> spans;
        for (const StageId stage : Ids<StageId>(4))
            for (const int microBatch : {0, 1, 2, 5})
                spans.push_back(bench.spanOf({PassKind::F, 0, stage, microBatch, 0}));
        bench.panel.setSelection(spans);
        const QString said = bench.shown("selected-pass");
        for (const char* part : {"16 F", "0–2, 5", "0–3", "16 ms", "Least slack"})
            QVERIFY2(said.contains(QString::fromUtf8(part)), qPrintable(said));
    }

    void everyExactFormulaIsMet_data()
    {
        QTest::addColumn<QString>("id");
        for (const Family& family : allFamilies())
            if (!family.search && !family.closedForms.empty())
                QTest::newRow(std::string(family.id).c_str())
                    << QString::fromStdString(std::string(family.id));
    }

    void everyExactFormulaIsMet()
    {
        QFETCH(QString, id);
        FamilyOptions options;
        options.microBatches = 16;
        Bench bench(id.toLatin1().constData(), options);
        QVERIFY2(bench.document.schedule() != nullptr, "a family of 4 devices, 16 micro-batches");
        for (const NumberRow& row : againstRows(bench.document, nullptr, std::nullopt)) {
            if (row.note.startsWith(QLatin1Char('=')))
                QVERIFY2(row.good, qPrintable(row.name + row.value + row.verdict));
        }
    }

    void theLookOfZbVIsTold()
    {
        Bench bench("zb-v");
        bench.wait();
        const QString said = bench.shown("against");
        for (const char* part : {"= simulated", "33 ms", "22.7 % shorter", "25.5 ms", "met",
                                 "4 micro-batches", "as 1F1B", "313.7 micro-batches/s"})
            QVERIFY2(said.contains(QString::fromUtf8(part)), qPrintable(said));
        QCOMPARE(
            figuresText(bench.document).section(QStringLiteral("     "), 0, 3),
            QStringLiteral("makespan 25.5 ms     span bubble 0 ms (0.0 %)     wall bubble 1.5 ms "
                           "(5.9 %)     peak 4 micro-batches"));
    }

    void aPinnedScheduleIsHeldAgainstTheNextOnes()
    {
        Bench bench("1f1b");
        bench.panel.pin(&bench.document);
        QVERIFY(bench.panel.pinned());
        const QString title = bench.document.title();
        bench.document.reset(projectOf("zb-v", {}, UniformCosts{}));
        bench.wait();
        const QString said = bench.shown("against");
        QVERIFY2(said.contains(title) && said.contains(QStringLiteral("shorter")),
                 qPrintable(said));
        bench.panel.pin(nullptr);
        QVERIFY(!bench.shown("against").contains(title));
    }

    void tokensAreToldWhereAModelIsKnown()
    {
        Bench bench("1f1b");
        Project project = bench.document.project();
        CostOrigin origin;
        origin.model = *findModel("gpt-1.7b");
        project.costs = *costsOf(origin, project.draft.spec);
        project.origin = origin;
        bench.document.reset(project);
        const auto rows = throughputRows(bench.document, nullptr);
        const double seconds = static_cast<double>(bench.document.result().makespan) / 1e9;
        const double tokens = 8 * 2048 / seconds;
        const QString said = valueOf(rows, "Tokens");
        const double shown = said.section(QLatin1Char(' '), 0, 0).toDouble();
        QVERIFY2(std::abs(shown - tokens) <= 1e-3 * tokens, qPrintable(said));
        QVERIFY(rowOf(rows, "Utilisation") != nullptr);
        QVERIFY(figuresText(bench.document).contains(QStringLiteral("GiB")));
    }

    void aDraftThatIsNotWholeIsToldAsFarAsItIsKnown()
    {
        Bench bench("1f1b");
        Project own;
        own.draft = draftOf(*bench.document.schedule());
        own.costs = UniformCosts{};
        // The F of micro-batch 0 on the first stage is missing.
        own.draft.orders[0].erase(own.draft.orders[0].begin());
        bench.document.reset(own);
        QVERIFY(bench.document.schedule() == nullptr);
        QVERIFY(bench.panel.complete());
        bench.panel.setSelection({bench.spanOf({PassKind::F, 0, StageId(1), 0, 0})});
        const QString said = bench.shown("selected-pass");
        QVERIFY2(said.contains(QStringLiteral("missing: F of micro-batch 0 on stage 0")),
                 qPrintable(said));
        QVERIFY(bench.shown("against").contains(QStringLiteral("once every pass has its place")));
        QVERIFY(figuresText(bench.document).contains(QStringLiteral("1 missing or wrong")));
    }

    void numbersHaveFourDigitsAtMost()
    {
        UniformCosts costs;
        costs.forward = 1'234'567;
        costs.backward = 7'654'321;
        costs.hop = 33'333;
        costs.activation = 123'456'789;
        Bench bench("zb-h2", {}, costs);
        bench.wait();
        bench.panel.setSelection({bench.spanOf({PassKind::B, 0, StageId(2), 3, 0})});
        const QString said =
            bench.shown("selected-pass") + bench.shown("against") + figuresText(bench.document);
        static const QRegularExpression number(QStringLiteral("\\d+\\.\\d+"));
        auto found = number.globalMatch(said);
        int numbers = 0;
        while (found.hasNext()) {
            QString digits = found.next().captured();
            digits.remove(QLatin1Char('.'));
            while (digits.startsWith(QLatin1Char('0')))
                digits.remove(0, 1);
            QVERIFY2(digits.size() <= 4, qPrintable(said));
            ++numbers;
        }
        QVERIFY(numbers > 5);
    }
};

PW_WINDOW_TEST(TestInspector)
#include "tst_inspector.moc"
