// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/project_file.h"
#include "core/sqlite/sqlite.h"
#include "tests/support/places.h"
#include "tests/support/run_settings.h"
#include "tests/support/studio_home.h"
#include "tests/support/test_program.h"
#include "tests/support/withheld_time.h"
#include "ui/run/connection.h"
#include "ui/run/executor_client.h"
#include "ui/window/commands.h"
#include "ui/window/schedule_page.h"

#include <QAction>
#include <QElapsedTimer>
#include <QPointer>
#include <QProcess>
#include <QTest>

#include <memory>

using namespace pw;
using namespace pw::ui;

namespace {

const char* const helloWord =
    R"({"t":"hello","protocol":1,"program":"0.1.0","backend":"cpu","devices":[]})";

QByteArray begun(const QByteArray& more = R"("ranks":2,"stages":2,"micro_batches":4)")
{
    return QByteArray(R"({"t":"started","title":"a lie","iterations":3,)") + more + "}\n";
}

QByteArray passLine(const QByteArray& rank, const QByteArray& start, const QByteArray& end,
                    const QByteArray& rest = R"("kind":"F","stage":0,"mb":0)")
{
    return R"({"t":"pass","it":0,"rank":)" + rank + R"(,"entry":0,)" + rest + R"(,"start":)" +
           start + R"(,"end":)" + end + "}\n";
}

const char* const finishedWord =
    R"({"t":"finished","status":"finished","iterations":3,"makespan":5,"makespan_low":5,)"
    R"("makespan_high":5,"predicted_makespan":5,"span_bubble":0,"predicted_span_bubble":0,)"
    R"("peak_activation":0,"predicted_peak_activation":0,"first_loss":0,"last_loss":0})"
    "\n";

} // namespace

/// An executor that says what is not so, too much, nothing, or never ends: the window stays alive,
/// and closes within two seconds.
class TestLyingExecutor : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase() { test::useStudioHome(m_home, "lying-executor"); }

    void theWindowLivesAndCloses_data();
    void theWindowLivesAndCloses();
    void aStoreThatIsHeldDoesNotHoldTheWindow();

private:
    void saysNothing();
    void saysTooMuch();
    void saysWhatIsNotSo();
    static void row(const char* name, const QByteArray& said, const char* then = "exit 0")
    {
        QTest::newRow(name) << said << QString::fromLatin1(then);
    }
    /// A program that answers what it is asked about backends, and lies about runs.
    QString liar(const QByteArray& said, const QString& then);
    /// Begins a run there. @return  the window
    std::unique_ptr<MainWindow> running(const QString& program);
    void closeInTime(std::unique_ptr<MainWindow> window, const QString& program);

    static constexpr const char* hangs = "exec tail -f /dev/null";
    const QByteArray m_hello = QByteArray(helloWord) + '\n';
    QTemporaryDir m_home;
    PrivateFolder m_folder;
    int m_count = 0;
};

void TestLyingExecutor::theWindowLivesAndCloses_data()
{
    QTest::addColumn<QByteArray>("said");
    QTest::addColumn<QString>("then");
    saysNothing();
    saysTooMuch();
    saysWhatIsNotSo();
}

void TestLyingExecutor::saysNothing()
{
    const QByteArray start = m_hello + begun();
    row("no word, and no end", {}, hangs);
    row("deaf to every signal", m_hello, "trap '' TERM INT HUP\nwhile :; do sleep 1; done");
    row("ends before its first word", {});
    row("crashes in the middle", start, "kill -SEGV $$");
    row("leaves a child that holds its output", start, "tail -f /dev/null &\nexit 0");
    row("closes its output and stays", start, "exec >&- 2>&-\nexec tail -f /dev/null");
}

void TestLyingExecutor::saysTooMuch()
{
    const QByteArray start = m_hello + begun();
    row("garbage without end", m_hello, "exec yes nonsense");
    row("words without end on standard error", start, "exec yes 'device 3 fell over' >&2");
    row("one line without end", m_hello, "exec tr '\\0' 'x' < /dev/zero");
    row("one line without end on standard error", start, "exec tr '\\0' 'x' < /dev/zero >&2");
    row("zero bytes without end", m_hello, "exec cat /dev/zero");
    row("the log without end", start,
        R"(exec yes '{"t":"log","time":0,"rank":0,"level":"info","text":"again"}')");
    row("faults without end", start,
        R"(exec yes '{"t":"error","rank":0,"peer":1,"pass":"","text":"again"}')");
    row("one pass without end", start,
        R"(exec yes '{"t":"pass","it":0,"rank":0,"entry":0,"kind":"F","stage":0,"mb":0,"start":5,"end":6}')");
    row("one sample without end", start,
        R"(exec yes '{"t":"memory","it":0,"rank":0,"time":5,"bytes":[1,2,3,4,5,6,7,8]}')");
    row("losses without end", start, R"(exec yes '{"t":"loss","step":0,"loss":1.5}')");
    row("beginnings without end", start,
        R"(exec yes '{"t":"started","title":"x","ranks":2,"stages":2,"micro_batches":4,"iterations":3}')");
    row("a long title",
        m_hello + begun("\"host\":\"" + QByteArray(4'000'000, 'x') +
                        R"(","ranks":2,"stages":2,"micro_batches":4)"),
        hangs);
}

void TestLyingExecutor::saysWhatIsNotSo()
{
    const QByteArray start = m_hello + begun();
    row("two billion ranks",
        m_hello + begun(R"("ranks":2147483647,"stages":2147483647,"micro_batches":2147483647)"),
        hangs);
    row("the most that is read",
        m_hello + begun(R"("ranks":1073741823,"stages":1073741823,"micro_batches":1073741823)"),
        hangs);
    row("a rank that is none", start + passLine("2147483647", "0", "5"), hangs);
    row("an end before its start", start + passLine("0", "5", "-5"), hangs);
    row("times beyond all", start + passLine("0", "-4611686018427387904", "4611686018427387904"),
        hangs);
    row("a stage and micro-batch that are none",
        start + passLine("0", "0", "5", R"("kind":"BW","stage":2147483647,"mb":2147483647)"),
        hangs);
    row("iterations beyond all",
        start + QByteArray(passLine("0", "0", "5")).replace("\"it\":0", "\"it\":2147483647") +
            QByteArray(passLine("0", "0", "5")).replace("\"it\":0", "\"it\":-2147483648"),
        hangs);
    row("the last iterations that are read",
        start + QByteArray(passLine("0", "0", "5")).replace("\"it\":0", "\"it\":1073741823") +
            QByteArray(passLine("0", "0", "5")).replace("\"it\":0", "\"it\":-1073741823"),
        hangs);
    row("a makespan below 0",
        start + QByteArray(finishedWord).replace("\"makespan\":5", "\"makespan\":-5"));
    row("a loss that is not a number", start + R"({"t":"loss","step":0,"loss":"nan"})" + "\n",
        hangs);
    row("finished before it began", m_hello + finishedWord, hangs);
    row("finished twice and going on",
        start + finishedWord + finishedWord + passLine("0", "0", "5"), hangs);
    row("finished with a failure", start + finishedWord, "exit 3");
    row("hello twice", m_hello + m_hello + begun(), hangs);
    row("another protocol", QByteArray(helloWord).replace(":1,", ":99,") + '\n', hangs);
    row("markup and escapes",
        m_hello + QByteArray(begun()).replace("a lie", "<img src='/dev/zero'>\\u001b[2J\\u202e"),
        hangs);
    row("a project that is none",
        m_hello +
            begun(R"("ranks":2,"stages":2,"micro_batches":4,"project":"{\"pipewright\":99}")"),
        hangs);
    row("no UTF-8", start + "{\"t\":\"log\",\"text\":\"\xff\xfe\"}\n", hangs);
}

void TestLyingExecutor::theWindowLivesAndCloses()
{
    QFETCH(QByteArray, said);
    QFETCH(QString, then);
    const QString program = liar(said, then);
    std::unique_ptr<MainWindow> window = running(program);
    // Alive: what a person does is done within a moment, again and again.
    qint64 longest = 0;
    QElapsedTimer all;
    all.start();
    while (all.elapsed() < 700) {
        QElapsedTimer turn;
        turn.start();
        const qint64 withheld = test::withheldTime();
        QTest::qWait(10);
        longest = std::max(longest, turn.elapsed() - (test::withheldTime() - withheld));
    }
    QVERIFY2(longest < 1000, qPrintable(QStringLiteral("away for %1 ms").arg(longest)));
    closeInTime(std::move(window), program);
    // Whatever was kept can be read.
    const QString path = m_home.filePath("runs.sqlite");
    if (QFile::exists(path)) {
        Result<RunStore> store = RunStore::openToRead(path.toStdString());
        QVERIFY2(store, store ? "" : store.error().message.c_str());
        const auto runs = store->runs();
        QVERIFY2(runs, runs ? "" : runs.error().message.c_str());
        if (!runs->empty()) {
            const auto passes = store->passes({.run = runs->front().number, .to = 1000});
            QVERIFY2(passes, passes ? "" : passes.error().message.c_str());
        }
    }
}

void TestLyingExecutor::aStoreThatIsHeldDoesNotHoldTheWindow()
{
    const std::string path = m_home.filePath("runs.sqlite").toStdString();
    QVERIFY(RunStore::open(path));
    const auto other = *Database::open(path, Database::Mode::Write);
    const Result<Transaction> held = Transaction::begin(*other);
    QVERIFY(held);
    const QString program = liar(
        QByteArray(helloWord) + '\n' + begun(),
        QStringLiteral("yes '%1'").arg(QString::fromLatin1(passLine("0", "5", "6")).trimmed()));
    std::unique_ptr<MainWindow> window = running(program);
    QTest::qWait(500);
    closeInTime(std::move(window), program);
}

QString TestLyingExecutor::liar(const QByteArray& said, const QString& then)
{
    const QString name = QString::number(++m_count);
    QFile words(m_folder.path(name + QStringLiteral(".words")));
    if (!words.open(QIODevice::WriteOnly) || words.write(said) != said.size())
        return {};
    words.close();
    return m_folder.script(name + QStringLiteral(".sh"),
                           QStringLiteral("if [ \"$1\" = backends ]; then exec '%1' \"$@\"; fi\n"
                                          "cat '%2'\n%3")
                               .arg(QStringLiteral(PW_PROGRAM), words.fileName(), then));
}

std::unique_ptr<MainWindow> TestLyingExecutor::running(const QString& program)
{
    QSettings().setValue(QStringLiteral("run/backend"), QStringLiteral("emulated"));
    {
        Connections connections;
        const Result<void> added = connections.setOthers(
            {{QStringLiteral("liar"), QStringLiteral("\"%1\"").arg(program)}});
        if (!added)
            qFatal("%s", added.error().message.c_str());
        connections.setCurrentIndex(1);
    }
    auto window = std::make_unique<MainWindow>();
    FamilyOptions options;
    options.devices = 2;
    options.microBatches = 4;
    window->openProject(projectOf("1f1b", options, UniformCosts{}));
    window->show();
    QAction* const run = window->commands().action(QStringLiteral("run.run"));
    QAction* const stop = window->commands().action(QStringLiteral("run.stop"));
    [&] {
        QTRY_VERIFY_WITH_TIMEOUT(run->isEnabled(), 20'000);
        run->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(stop->isEnabled(), 20'000);
        // Past the question about backends, which the program itself answers.
        QTest::qWait(400);
    }();
    return window;
}

/// What closing waits for is done by other threads too, and on a busy machine they get their turn
/// late: one of three windows closes in time.
void TestLyingExecutor::closeInTime(std::unique_ptr<MainWindow> window, const QString& program)
{
    constexpr int tries = 3;
    qint64 took = 0;
    for (int i = 0; i < tries; ++i) {
        if (i > 0) {
            window = running(program);
            QTest::qWait(700);
        }
        QElapsedTimer clock;
        clock.start();
        const qint64 withheld = test::withheldTime();
        QVERIFY(test::closeQuietly(*window));
        window.reset();
        took = clock.elapsed() - (test::withheldTime() - withheld);
        if (took < 2000)
            return;
    }
    QVERIFY2(took < 2000, qPrintable(QStringLiteral("%1 ms").arg(took)));
}

PW_WINDOW_TEST(TestLyingExecutor)
#include "tst_lying_executor.moc"
