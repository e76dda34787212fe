// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/trace/rules_file.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/import_hand.h"
#include "tests/support/job_traces.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "ui/traces/rule_lanes.h"
#include "ui/traces/rule_parts.h"
#include "ui/traces/rules_view.h"
#include "ui/window/importing.h"

#include <QFile>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QTableView>
#include <QToolButton>

using namespace pw;
using namespace pw::ui;
using test::button;
using test::closeQuietly;
using test::foundDialog;
using test::listOf;
using test::press;
using test::readDialog;
using test::said;

namespace {

/// A rank's passes under names that no label of ours has: "work fprop 3 at 0".
std::string foreignTrace(const test::FamilyRun& run, DeviceId device)
{
    std::string text =
        "{\"distributedInfo\": {\"rank\": " + std::to_string(device) + "}, \"traceEvents\": [";
    for (const EntryId e : run.schedule.entries(device)) {
        const Pass pass = run.schedule.entry(e).pass;
        const auto at = static_cast<std::size_t>(e);
        const Ticks length = run.result.end[at] - run.result.start[at];
        text += std::string(text.back() == '[' ? "" : ",") +
                "{\"ph\": \"X\", \"pid\": 1, \"tid\": 1, \"name\": \"work " +
                (pass.kind == PassKind::F ? "fprop " : "bprop ") + std::to_string(pass.microBatch) +
                " at " + std::to_string(pass.stage) +
                "\", \"ts\": " + std::to_string(run.result.start[at] / 1000) +
                ", \"dur\": " + std::to_string(length / 1000) + "}";
    }
    return text + "]}";
}

QLineEdit* field(const ImportDialog& dialog)
{
    return dialog.findChild<QLineEdit*>(QStringLiteral("rule"));
}

QString verdict(const ImportDialog& dialog)
{
    return dialog.findChild<QLabel*>(QStringLiteral("ruleSaid"))->text();
}

} // namespace

class TestImportRules : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        test::useStudioHome(m_home, "tst_import_rules");
        for (const DeviceId device : Ids<DeviceId>(m_run.schedule.devices()))
            test::writeTrace(
                m_traces.filePath(QStringLiteral("rank%1.json").arg(device)).toStdString(),
                foreignTrace(m_run, device));
    }

    void init()
    {
        QSettings().clear();
        QFile::remove(m_home.filePath(QStringLiteral("rules.json")));
    }

    /// Processes are replicas, threads stages, and arguments say micro-batch and step: choosing a
    /// name makes the whole rule.
    void aRuleIsMadeByChoosingNames()
    {
        test::MadeJob made;
        const QString path = m_foreign.filePath(QStringLiteral("job.json"));
        test::writeTrace(path.toStdString(), test::foreignText(made));
        MainWindow window;
        window.show();
        importTraces(window, {path});
        ImportDialog* dialog = foundDialog(window);
        QVERIFY(dialog != nullptr);
        auto* rules = listOf<RulesView>(*dialog, "Names and rules");
        QVERIFY(rules != nullptr);
        auto* names = rules->findChild<QTableView*>();
        auto* parts = rules->findChild<RuleParts*>();
        auto* lanes = rules->findChild<RuleLanes*>();
        QVERIFY(names != nullptr && parts != nullptr && lanes != nullptr);
        QTRY_VERIFY(names->model()->rowCount() >= 2);
        QTRY_VERIFY(lanes->picture() != nullptr);
        QVERIFY(lanes->picture()->lanes.empty());
        const auto choose = [&](const QString& name) {
            for (int row = 0; row < names->model()->rowCount(); ++row)
                if (names->model()->index(row, 0).data().toString() == name)
                    names->selectRow(row);
        };
        choose(QStringLiteral("fw"));
        QTRY_COMPARE(field(*dialog)->text(),
                     QStringLiteral("process:replica {replica} & thread:stage {stage} of * & "
                                    "fw{kind=F} & args:round={iteration} & "
                                    "args:batch={micro-batch}"));
        QTRY_COMPARE(verdict(*dialog), QStringLiteral("This rule reads 1 names of 576 spans; 576 "
                                                      "of them are passes."));
        QTRY_COMPARE(lanes->picture()->lanes.size(), std::size_t{12});
        // Another meaning, and back.
        auto* number = rules->findChild<QToolButton*>(QStringLiteral("number-2-1"));
        QVERIFY(number != nullptr);
        const auto take = [&](const char* button, const QString& meaning) {
            auto* of = rules->findChild<QToolButton*>(QString::fromLatin1(button));
            for (QAction* action : of->menu()->actions())
                if (action->text() == meaning)
                    action->trigger();
        };
        take("number-2-1", QStringLiteral("chunk"));
        QTRY_VERIFY(field(*dialog)->text().contains(QStringLiteral("stage {chunk} of *")));
        QCoreApplication::sendPostedEvents(nullptr, QEvent::DeferredDelete);
        take("number-2-1", QStringLiteral("stage"));
        QTRY_VERIFY(field(*dialog)->text().contains(QStringLiteral("stage {stage} of *")));
        QTRY_VERIFY(button(*dialog, "addRule")->isEnabled());
        press(button(*dialog, "addRule"));
        choose(QStringLiteral("bw"));
        QTRY_VERIFY(field(*dialog)->text().contains(QStringLiteral("bw{kind=")));
        QTRY_VERIFY(button(*dialog, "addRule")->isEnabled());
        press(button(*dialog, "addRule"));
        press(button(*dialog, "readAgain"));
        QTRY_VERIFY(dialog->imported() != nullptr && button(*dialog, "keep")->isEnabled());
        QVERIFY(dialog->imported()->job != nullptr);
        QCOMPARE(dialog->imported()->job->job().replicas.size(), std::size_t{3});
        closeQuietly(window);
    }

    void aWrittenRuleIsNotTakenAway()
    {
        MainWindow window;
        window.show();
        importTraces(window, {m_traces.path()});
        ImportDialog* dialog = foundDialog(window);
        QVERIFY(dialog != nullptr);
        auto* rules = listOf<RulesView>(*dialog, "Names and rules");
        auto* names = rules->findChild<QTableView*>();
        QTRY_COMPARE(names->model()->rowCount(), 64);
        QTest::keyClicks(field(*dialog), QStringLiteral("work {kind}"));
        names->selectRow(3);
        auto* parts = rules->findChild<RuleParts*>();
        QTRY_VERIFY(!parts->draft().sources().empty());
        QCOMPARE(field(*dialog)->text(), QStringLiteral("work {kind}"));
        closeQuietly(window);
    }

    void aRuleIsWrittenSeenKeptAndReadNextTime()
    {
        const QString pattern =
            QStringLiteral("work {kind:fprop=F,bprop=BW} {micro-batch} at {stage}");
        {
            MainWindow window;
            window.show();
            importTraces(window, {m_traces.path()});
            ImportDialog* dialog = foundDialog(window);
            QVERIFY(dialog != nullptr);
            QVERIFY(!button(*dialog, "keep")->isEnabled());
            QVERIFY(said(*dialog).contains(QStringLiteral("no span is labelled as a pass")));
            // Where nothing is read a rule is what helps: the field waits for it.
            auto* rules = listOf<RulesView>(*dialog, "Names and rules");
            QVERIFY(rules != nullptr && rules->isVisible());
            QTRY_VERIFY(field(*dialog)->hasFocus());
            const auto* names = rules->findChild<QTableView*>();
            QTRY_COMPARE(names->model()->rowCount(), 64);
            const auto shown = [names](int row, int column) {
                return names->model()->index(row, column).data().toString();
            };
            QCOMPARE(shown(0, 2), QStringLiteral("nothing"));
            QTest::keyClicks(field(*dialog), pattern.left(15));
            QVERIFY2(verdict(*dialog).startsWith(QStringLiteral("Not a rule yet, character ")),
                     qPrintable(verdict(*dialog)));
            QVERIFY(!button(*dialog, "addRule")->isEnabled());
            QTest::keyClicks(field(*dialog), pattern.mid(15));
            QTRY_COMPARE(verdict(*dialog),
                         QStringLiteral("This rule reads 64 names of 64 spans; 64 of them are "
                                        "passes."));
            QVERIFY2(shown(0, 2).contains(QStringLiteral("micro-batch")), qPrintable(shown(0, 2)));
            QCOMPARE(shown(0, 3), QStringLiteral("this rule"));
            QTest::keyClick(field(*dialog), Qt::Key_Return);
            QCOMPARE(dialog->findChild<QListWidget*>(QStringLiteral("keptRules"))->count(), 1);
            QCOMPARE(keptNameRules(defaultRulesPath())->size(), std::size_t{1});
            QVERIFY(field(*dialog)->text().isEmpty());
            QVERIFY(dialog->isVisible()); // Enter was for the rule
            press(button(*dialog, "readAgain"));
            QTRY_VERIFY(dialog->imported() != nullptr && button(*dialog, "keep")->isEnabled());
            QVERIFY2(said(*dialog).contains(QStringLiteral("1F1B, 0 of 64 entries")),
                     qPrintable(said(*dialog)));
            QVERIFY(dialog->imported()->pipeline().measured.start == m_run.result.start);
            QVERIFY(closeQuietly(window));
        }
        MainWindow window;
        window.show();
        importTraces(window, {m_traces.path()});
        const ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        QVERIFY(button(*dialog, "keep")->isEnabled());
        QVERIFY(closeQuietly(window));
    }

    void aRuleIsTakenAwayAgain()
    {
        QVERIFY(keepNameRules(defaultRulesPath(),
                              {*NameRule::parse("work {kind:fprop=F,bprop=BW} {mb} at {stage}"),
                               *NameRule::parse("other {mb}{kind=F}")}));
        MainWindow window;
        window.show();
        importTraces(window, {m_traces.path()});
        ImportDialog* dialog = readDialog(window);
        QVERIFY(dialog != nullptr);
        QVERIFY(button(*dialog, "keep")->isEnabled());
        auto* lists = dialog->findChild<QTabWidget*>(QStringLiteral("lists"));
        lists->setCurrentWidget(listOf<RulesView>(*dialog, "Names and rules"));
        auto* kept = dialog->findChild<QListWidget*>(QStringLiteral("keptRules"));
        QCOMPARE(kept->count(), 2);
        QVERIFY(!button(*dialog, "readAgain")->isEnabled()); // they are those that it was read with
        kept->setFocus();
        QTest::keyClick(kept, Qt::Key_Home);
        kept->setCurrentRow(0);
        press(button(*dialog, "removeRule"));
        QCOMPARE(kept->count(), 1);
        QCOMPARE(keptNameRules(defaultRulesPath())->size(), std::size_t{1});
        press(button(*dialog, "readAgain"));
        QTRY_VERIFY(dialog->imported() != nullptr && !button(*dialog, "keep")->isEnabled());
        QVERIFY(closeQuietly(window));
    }

    void aNameIsPutIntoTheFieldAsItStands()
    {
        MainWindow window;
        window.show();
        importTraces(window, {m_traces.path()});
        ImportDialog* dialog = foundDialog(window);
        QVERIFY(dialog != nullptr);
        auto* names = dialog->findChild<RulesView*>()->findChild<QTableView*>();
        QTRY_COMPARE(names->model()->rowCount(), 64);
        names->setFocus();
        names->selectRow(3);
        const QString name = names->model()->index(3, 0).data().toString();
        Q_EMIT names->activated(names->model()->index(3, 0));
        QCOMPARE(field(*dialog)->text(), name);
        QVERIFY(field(*dialog)->hasFocus());
        QVERIFY(closeQuietly(window));
    }

    void rulesThatCannotBeReadAreLeftAsTheyAre()
    {
        test::writeTrace(defaultRulesPath(), "{\"pipewright_rules\": 1, \"rules\": [");
        MainWindow window;
        window.show();
        importTraces(window, {m_traces.path()});
        ImportDialog* dialog = foundDialog(window);
        QVERIFY(dialog != nullptr);
        QVERIFY2(verdict(*dialog).startsWith(
                     QStringLiteral("The rules that were kept cannot be read, so none can be "
                                    "added: ")),
                 qPrintable(verdict(*dialog)));
        QTest::keyClicks(field(*dialog), QStringLiteral("{kind}"));
        QVERIFY(!button(*dialog, "addRule")->isEnabled());
        QVERIFY(closeQuietly(window));
    }

private:
    QTemporaryDir m_home;
    QTemporaryDir m_traces;
    QTemporaryDir m_foreign;
    test::FamilyRun m_run = test::runFamily(test::familyOf("1f1b"), test::sized(4, 8),
                                            test::equalStages(2'000'000, 1'900'000, 1'700'000));
};

PW_WINDOW_TEST(TestImportRules)
#include "tst_import_rules.moc"
