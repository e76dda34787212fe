// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/store/run_store.h"
#include "tests/support/run_settings.h"
#include "tests/support/slurm_stand_ins.h"
#include "tests/support/test_program.h"
#include "ui/presentation.h"
#include "ui/run/connections_dialog.h"
#include "ui/run/run_panel.h"
#include "ui/run/run_session.h"
#include "ui/run/slurm_fields.h"

#include <QLabel>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSettings>
#include <QSignalSpy>
#include <QTest>

using namespace pw;
using namespace pw::ui;

namespace {

/// The stand-ins are on the path of whatever is started here.
void usePath(const test::StandIns& slurm)
{
    qputenv("PATH", slurm.file("bin").toUtf8());
    qputenv("HERE", slurm.file("").toUtf8());
}

/// A small schedule that goes to a cluster.
struct Desk
{
    test::StandIns slurm;
    Connections connections{PW_PROGRAM};
    ScheduleDocument document;
    RunSession session{connections};

    /// @param job  options of `pipewright submit`
    explicit Desk(const QString& job)
    {
        usePath(slurm);
        const QString command =
            QString(PW_PROGRAM) + " submit " + job + " --folder " + slurm.file("job") + " --";
        if (!connections.setOthers({{"cluster", command}}))
            qFatal("%s is no connection", qPrintable(command));
        connections.setCurrentIndex(1);
        FamilyOptions options;
        options.devices = 2;
        options.microBatches = 2;
        document.reset(projectOf("1f1b", options, UniformCosts{}));
        session.setDocument(&document);
        RunSettings settings;
        settings.backend = "emulated";
        settings.iterations = 1;
        session.setSettings(settings);
    }
};

} // namespace

class TestSlurmConnection : public QObject
{
    Q_OBJECT

private:
    static void type(QLineEdit* field, const QString& words)
    {
        field->clear();
        QTest::keyClicks(field, words);
    }

    QByteArray m_path = qgetenv("PATH");
    PrivateFolder m_folder;

private slots:
    void initTestCase() { applyGround(*qApp, Ground::Light); }
    void init() { QSettings().clear(); }
    void cleanup()
    {
        qputenv("PATH", m_path);
        qunsetenv("HOLD");
    }

    void fieldsBecomeTheCommandLineAndTheScript()
    {
        SlurmFields fields;
        QVERIFY(!fields.showJob("ssh node pipewright"));
        QVERIFY(fields.showJob("ssh login pipewright submit --mpi pmi2 --folder /scratch/me --"));
        QSignalSpy edited(&fields, &SlurmFields::edited);
        type(fields.findChild<QLineEdit*>("partition"), "gpu");
        type(fields.findChild<QLineEdit*>("nodes"), "2");
        type(fields.findChild<QLineEdit*>("time"), "1:00:00");
        QCOMPARE(edited.last().first().toString(),
                 QString("ssh login pipewright submit --partition gpu --nodes 2 --time 1:00:00 "
                         "--mpi pmi2 --folder /scratch/me --"));
        auto* script = fields.findChild<QPlainTextEdit*>("script");
        QVERIFY(script->toPlainText().contains("#SBATCH --partition=gpu\n#SBATCH --nodes=2\n"));
        QVERIFY(script->toPlainText().contains("--ntasks=(the schedule's devices)"));
        QVERIFY(script->toPlainText().contains("--mpi=${PIPEWRIGHT_MPI:-pmi2}"));
        type(fields.findChild<QLineEdit*>("tasks"), "1");
        QVERIFY(script->toPlainText().contains("#SBATCH --ntasks=1\n"));
        QVERIFY(!script->toPlainText().contains("srun"));
        // What no job can have is told, and the line stays.
        const QString before = edited.last().first().toString();
        type(fields.findChild<QLineEdit*>("time"), "soon");
        QVERIFY(fields.findChild<QLabel*>("jobRefusal")->text().contains("--time takes minutes"));
        QVERIFY(!edited.last().first().toString().contains("soon"));
        QVERIFY(edited.last().first().toString().startsWith(before.section(" --time", 0, 0)));
    }

    void theDialogAddsTheClusterAndAsksIt()
    {
        const test::StandIns slurm;
        usePath(slurm);
        Connections connections(PW_PROGRAM);
        ConnectionsDialog dialog(connections);
        dialog.show();
        auto* state = dialog.findChild<QLabel*>("state");
        QTest::mouseClick(dialog.findChild<QPushButton*>("slurm"), Qt::LeftButton);
        QVERIFY(dialog.findChild<QLineEdit*>("command")->text().endsWith(" submit --"));
        QVERIFY(dialog.findChild<QPlainTextEdit*>("script")->isVisible());
        QTRY_VERIFY_WITH_TIMEOUT(state->text().contains("answers"), test::submitLimit);
        QVERIFY(dialog.findChild<QPlainTextEdit*>("report")->toPlainText().contains("test* up"));
        type(dialog.findChild<QLineEdit*>("partition"), "test");
        QVERIFY(dialog.findChild<QLineEdit*>("command")->text().endsWith(
            " submit --partition test --"));
        dialog.accept();
        QVERIFY(connections.current().command.endsWith(" submit --partition test --"));
    }

    void withoutSlurmTheTestSaysSo()
    {
        const test::StandIns slurm;
        slurm.remove("sbatch");
        usePath(slurm);
        Connections connections(PW_PROGRAM);
        ConnectionsDialog dialog(connections);
        dialog.show();
        QTest::mouseClick(dialog.findChild<QPushButton*>("slurm"), Qt::LeftButton);
        auto* report = dialog.findChild<QPlainTextEdit*>("report");
        QTRY_VERIFY_WITH_TIMEOUT(
            report->toPlainText().contains("there is no sbatch on this computer"),
            test::submitLimit);
    }

    void aRunIsAJobThatIsShownSentAndKept()
    {
        Desk desk("--partition test --tasks 1");
        const test::StandIns& slurm = desk.slurm;
        RunSession& session = desk.session;
        QTRY_VERIFY_WITH_TIMEOUT(!session.jobScript().isEmpty(), test::submitLimit);
        QVERIFY2(session.jobScript().contains("#SBATCH --partition=test\n#SBATCH --ntasks=1\n"),
                 qPrintable(session.jobScript()));
        QVERIFY(session.jobScript().contains(
            "pipewright run plan.pipewright.json --wire --no-store --iterations 1"));
        // As many iterations warm up as the backend there needs, unless somebody says how many.
        QVERIFY(!session.jobScript().contains("--warmup"));
        RunSettings colder = session.settings();
        colder.warmup = 0;
        session.setSettings(colder);
        QVERIFY(session.jobScript().contains("--iterations 1 --warmup 0"));
        RunPanel panel(session);
        panel.show();
        auto* text = panel.findChild<QLabel*>("runText");
        QTRY_VERIFY_WITH_TIMEOUT(text->text().contains("#SBATCH --partition=test"),
                                 test::submitLimit);
        QSignalSpy stored(&session, &RunSession::runStored);
        QTRY_VERIFY_WITH_TIMEOUT(session.report() != nullptr, test::submitLimit);
        session.run();
        QTRY_VERIFY_WITH_TIMEOUT(!stored.isEmpty(), test::submitLimit);
        QVERIFY2(session.client().queue().startsWith("Slurm: job 17 "),
                 qPrintable(session.client().queue()));
        QCOMPARE(session.client().state(), RunState::Finished);
        QCOMPARE(slurm.calls("sbatch").size(), 1);
        // The script that was sent is the one that was shown, but for where things lie.
        QString sent = slurm.said("script");
        sent.replace(slurm.file("job/"), QString());
        sent.replace(QString(PW_PROGRAM), QString("pipewright"));
        QCOMPARE(sent, session.jobScript());
    }

    void stopCancelsTheJob()
    {
        qputenv("HOLD", "1");
        Desk desk(QStringLiteral("--nodes 1"));
        const test::StandIns& slurm = desk.slurm;
        RunSession& session = desk.session;
        RunPanel panel(session);
        panel.show();
        QTRY_VERIFY_WITH_TIMEOUT(session.report() != nullptr, test::submitLimit);
        session.run();
        auto* text = panel.findChild<QLabel*>("runText");
        QTRY_VERIFY2_WITH_TIMEOUT(text->text().contains("waits for free nodes (Resources)"),
                                  qPrintable(text->text()), test::submitLimit);
        session.stop();
        QTRY_COMPARE_WITH_TIMEOUT(session.activity(), RunSession::Activity::Idle,
                                  test::submitLimit);
        QCOMPARE(slurm.calls("scancel"), QStringList("17"));
        QCOMPARE(session.client().state(), RunState::Stopped);
    }
};

PW_WINDOW_TEST(TestSlurmConnection)
#include "tst_slurm_connection.moc"
