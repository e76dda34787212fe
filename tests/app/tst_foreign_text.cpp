// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/safe_output.h"
#include "core/io/project_file.h"
#include "core/sqlite/sqlite.h"
#include "core/store/run_store.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/family_runs.h"
#include "tests/support/recorded_run.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QFile>
#include <QJsonDocument>
#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace pw;
using namespace pw::app;

namespace {

/// Clears the screen, sets the window's title, turns the order of reading, ends the line, and is no
/// UTF-8.
const char* const hostile = "nice\x1b[2J\x1b]0;owned\a\xC2\x9B"
                            "31m\xE2\x80\xAE"
                            "txt\r\nrun: all "
                            "good\x7f\xFF";

struct ForeignSaid
{
    ExitCode code = ExitCode::Good;
    QByteArray all;
};

ForeignSaid spoken(const std::vector<std::string>& words)
{
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, QByteArray::fromStdString(out.str() + err.str())};
}

/// What no output may hold; empty: it holds nothing of it.
QString whatSteers(const QByteArray& output)
{
    const QString text = QString::fromUtf8(output);
    if (text.toUtf8() != output)
        return QStringLiteral("no UTF-8");
    for (const QChar c : text) {
        const ushort u = c.unicode();
        const bool steers = (u < 0x20 && u != '\n' && u != '\t') || (u >= 0x7f && u <= 0x9f) ||
                            (u >= 0x202a && u <= 0x202e) || (u >= 0x2066 && u <= 0x2069) ||
                            u == 0x200e || u == 0x200f || u == 0x2028 || u == 0x2029;
        if (steers)
            return QStringLiteral("U+%1").arg(u, 4, 16, QLatin1Char('0'));
    }
    return {};
}

} // namespace

/// What a terminal shows of names, titles and notes that come from anyone.
class TestForeignText : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        QVERIFY(m_folder.isValid());
        qputenv("PIPEWRIGHT_STORE", path("runs.sqlite").toLocal8Bit());
        m_project = path("hostile.pipewright.json");
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), UniformCosts{});
        NewRun begun = test::newRun(run.schedule, run.costs, "title", "1f1b");
        begun.title = begun.family = hostile;
        begun.origin = hostile;
        begun.environment.host = begun.environment.backend = begun.environment.driver =
            begun.environment.transport = begun.environment.build = hostile;
        for (RunDevice& device : begun.environment.devices)
            device.name = hostile;
        RunBatch batch = test::recordedRun(run.schedule, run.costs, 0, 3);
        batch.logs.push_back({0, RankId::none(), LogLevel::Warning, hostile});
        batch.faults.push_back({RankId(0), RankId(1), hostile, hostile});
        RunStore store = *RunStore::open(path("runs.sqlite").toStdString());
        for (int i = 0; i < 2; ++i) {
            RunWriter writer = *store.begin(begun);
            QVERIFY(writer.append(batch));
            QVERIFY(
                writer.finish(RunStatus::Failed, test::figuresOf(run.schedule, run.costs, batch)));
            QVERIFY(store.annotate(writer.number(), hostile));
        }
        // JSON cannot hold bytes that are not UTF-8; the rest can stand in a project.
        Project project;
        project.title = std::string(hostile).substr(0, std::string(hostile).size() - 1);
        project.draft = draftOf(run.schedule);
        project.notes = project.title;
        QFile file(m_project);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(QByteArray::fromStdString(*writeProject(project)));
        const test::FamilyRun traced =
            test::runFamily(test::familyOf("zb-h1"), test::sized(4, 8), UniformCosts{});
        QVERIFY(QDir().mkpath(path("trace")));
        for (const test::TraceText& text :
             test::chromeTraces(traced.schedule, traced.result, test::TraceForm::Kineto, 2)) {
            std::string content = text.text;
            // A name of a kernel that nobody knows, on every rank.
            const std::string list = "\"traceEvents\": [";
            const std::size_t at = content.find(list);
            QVERIFY(at != std::string::npos);
            content.insert(at + list.size(),
                           "{\"ph\":\"X\",\"name\":\"\\u001b[2Jkernel\\u202e\",\"cat\":\"kernel\","
                           "\"pid\":0,\"tid\":7,\"ts\":1,\"dur\":1},");
            test::writeTrace((path("trace") + "/\x1b]0;x").toStdString() + text.name, content);
        }
    }

    void noCommandSteersTheTerminal_data()
    {
        QTest::addColumn<QStringList>("words");
        const QString project = path("hostile.pipewright.json");
        const auto row = [](const char* name, const QStringList& words) {
            QTest::newRow(name) << words;
        };
        row("runs", {"runs"});
        row("runs as JSON", {"runs", "--json"});
        row("show", {"show", "last"});
        row("show as JSON", {"show", "last", "--json"});
        row("diff", {"diff", "1", "2"});
        row("convert of a run", {"convert", "1"});
        row("simulate", {"simulate", project});
        row("simulate as JSON", {"simulate", project, "--json"});
        row("simulate with gaps", {"simulate", project, "--gaps", "9"});
        row("check", {"check", project});
        row("compare", {"compare", project, "1f1b"});
        row("block", {"block", project});
        row("convert", {"convert", project, "-"});
        row("whatif", {"whatif", project});
        row("run", {"run", project, "--backend", "emulated", "--iterations", "1"});
        row("run as JSON",
            {"run", project, "--backend", "emulated", "--iterations", "1", "--json", "--no-store"});
        row("import", {"import", path("trace")});
        row("import as JSON", {"import", path("trace"), "--json"});
        row("fit", {"costs", "fit", path("trace"), "-"});
        row("query", {"query", "SELECT title, notes, family, host FROM runs"});
        row("query as CSV", {"query", "--csv", "SELECT title, notes, family, host FROM runs"});
        row("query as JSON", {"query", "--json", "SELECT title, notes, family, host FROM runs"});
        row("query for foreign columns", {"query", "--csv", "SELECT 1 AS \"a\r\nb\x1b[2J\""});
        row("a file that is nowhere", {"simulate", "\x1b[31m/nowhere"});
        row("an option that is none", {"simulate", "--\x1b[31m"});
        row("a value that is none", {"simulate", "1f1b", "--devices", "\x1b[31m"});
        row("a command that is none", {"\x1b[31m"});
        row("a store that is nowhere", {"runs", "--store", "/nowhere/\x1b[31m"});
        row("words that no run has", {"runs", "\xE2\x80\xAE"});
        row("a title", {"runs", "1", "--rename", "\x1b[31m"});
    }
    void noCommandSteersTheTerminal()
    {
        QFETCH(QStringList, words);
        std::vector<std::string> given;
        for (const QString& word : words)
            given.push_back(word.toStdString());
        const ForeignSaid said = spoken(given);
        QVERIFY(!said.all.isEmpty());
        QVERIFY2(whatSteers(said.all).isEmpty(),
                 (whatSteers(said.all).toUtf8() + " in: " + said.all.toPercentEncoding(" \n"))
                     .constData());
        QVERIFY2(!said.all.contains("\nrun: all good"), said.all.toPercentEncoding(" \n").data());
    }

    void aTitleIsOneLine()
    {
        QVERIFY(!spoken({"runs"}).all.contains("\nrun: all good"));
        QVERIFY(spoken({"runs"}).all.contains("\\u000arun:"));
        QVERIFY(!spoken({"simulate", m_project.toStdString()}).all.contains("\nrun: all good"));
    }

    /// For those who read it line by line, too.
    void aRowOfCsvIsALine()
    {
        const ForeignSaid said = spoken({"query", "--csv",
                                         "SELECT run, title, notes, host, 'a,\"b' FROM runs "
                                         "WHERE run < 3"});
        QCOMPARE(said.code, ExitCode::Good);
        const QList<QByteArray> lines = said.all.trimmed().split('\n');
        QCOMPARE(lines.size(), 3);
        for (const QByteArray& line : lines.mid(1)) {
            QVERIFY2(line.endsWith(",\"a,\"\"b\""), line.toPercentEncoding().data());
            QVERIFY(line.contains("txt\\u000d\\u000arun: all good"));
        }
    }

    void jsonStaysJson()
    {
        const ForeignSaid said = spoken({"runs", "--json"});
        QJsonParseError problem{};
        QJsonDocument::fromJson(said.all, &problem);
        QCOMPARE(problem.error, QJsonParseError::NoError);
    }

    void ourColoursPassAndTheirsDoNot()
    {
        const ForeignSaid said = spoken({"runs", "--color", "always"});
        QVERIFY(said.all.contains("\x1b[1m"));
        QVERIFY(!said.all.contains("\x1b[2J") && !said.all.contains("\x1b]"));
    }

    void theWayOutTakesTextInAnyPieces()
    {
        const std::string text = "ä\x1b[38;5;7mб日\x1b[2J🚀\xC2\x9B\n";
        for (std::size_t piece = 1; piece < text.size(); ++piece) {
            std::ostringstream target;
            {
                SafeOutput safe(target);
                safe.allowColors(true);
                std::ostream out(&safe);
                for (std::size_t at = 0; at < text.size(); at += piece)
                    out << text.substr(at, piece);
                SafeOutput::writeCode(out, "\r");
            }
            QCOMPARE(target.str(), std::string("ä\x1b[38;5;7mб日\\u001b[2J🚀\\u009b\n\r"));
        }
    }

    void aDamagedStoreIsToldAndRepaired()
    {
        const std::string store = path("damaged.sqlite").toStdString();
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(4, 8), UniformCosts{});
        {
            RunStore made = *RunStore::open(store);
            RunWriter writer = *made.begin(test::newRun(run.schedule, run.costs, "one", "1f1b"));
            QVERIFY(writer.append(test::recordedRun(run.schedule, run.costs, 0, 3)));
            QVERIFY(writer.finish(RunStatus::Finished, {}));
        }
        const ForeignSaid whole = spoken({"runs", "--check", "--store", store});
        QCOMPARE(whole.code, ExitCode::Good);
        QVERIFY(whole.all.contains(": 1 run, no damage"));
        {
            const auto database = *Database::open(store, Database::Mode::Write);
            QVERIFY(database->run("UPDATE pass SET duration = -5", "cannot be changed"));
        }
        // Time that runs backwards must be an error, not a signal.
        const ForeignSaid shown = spoken({"show", "1", "--store", store});
        QCOMPARE(shown.code, ExitCode::Wrong);
        QVERIFY2(shown.all.contains("duration of a pass is -5"), shown.all.constData());
        const ForeignSaid checked = spoken({"runs", "--check", "--store", store});
        QCOMPARE(checked.code, ExitCode::Wrong);
        QVERIFY2(checked.all.contains("run 1: ") && checked.all.contains("--repair"),
                 checked.all.constData());
        const ForeignSaid repaired = spoken({"runs", "--repair", "--store", store});
        QCOMPARE(repaired.code, ExitCode::Good);
        QVERIFY2(repaired.all.contains("1 run with "), repaired.all.constData());
        QCOMPARE(spoken({"runs", "--check", "--store", store}).code, ExitCode::Good);
        QCOMPARE(spoken({"runs", "--check", "--repair"}).code, ExitCode::Usage);
        QCOMPARE(spoken({"runs", "1", "--check"}).code, ExitCode::Usage);
    }

private:
    QString path(const char* name) const { return m_folder.filePath(QString::fromUtf8(name)); }

    QTemporaryDir m_folder;
    QString m_project;
};

PW_TEST(TestForeignText)
#include "tst_foreign_text.moc"
