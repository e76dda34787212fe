// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command.h"
#include "app/old_spellings.h"
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QDir>
#include <QTemporaryDir>
#include <QtTest>

#include <sstream>

using namespace pw::app;

namespace {

struct OldSaid
{
    ExitCode code = ExitCode::Good;
    QString out;
    QString err;
};

OldSaid saidTo(const QString& line)
{
    std::vector<std::string> words;
    for (const QString& word : line.split(' ', Qt::SkipEmptyParts))
        words.push_back(word.toStdString());
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return {code, QString::fromStdString(out.str()), QString::fromStdString(err.str())};
}

} // namespace

/// What an older version called a command: it works for one version more, and says once what to
/// type.
class TestOldSpellings : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        m_before = QDir::currentPath();
        QVERIFY(QDir::setCurrent(m_folder.path()));
        qputenv("COLUMNS", "100");
    }
    void cleanupTestCase() { QDir::setCurrent(m_before); }

    void bothLinesDoTheSame_data()
    {
        QTest::addColumn<QString>("old");
        QTest::addColumn<QString>("now");
        const auto row = [](const char* old, const char* now) {
            QTest::newRow(old) << QString::fromLatin1(old) << QString::fromLatin1(now);
        };
        row("emit megatron 1f1b --devices 4 --micro-batches 8 --layers 16",
            "convert 1f1b --devices=4 --micro-batches=8 --layers=16 --to=megatron");
        row("emit --devices 4 nemo zb-v", "convert zb-v --devices=4 --to=nemo");
        row("emit torch zb-v --to zb-v.torch", "convert zb-v zb-v.torch --to=torch");
        row("emit torch zb-v", "convert zb-v --to=torch");
        row("Emit galvatron zb-h1", "convert zb-h1 --to=galvatron");
        row("export 1f1b --to html", "convert 1f1b --to html");
        row("export 1f1b --format html --output page.html", "convert 1f1b --to html page.html");
        row("export 1f1b --output=page.html", "convert 1f1b page.html");
        row("export 1f1b --output=-page.html", "convert 1f1b ./-page.html");
        row("export last --format csv", "convert last --to table");
        row("export last --to=chrome", "convert last --to chrome-json");
        row("fit nowhere.json", "costs fit nowhere.json");
        row("calibrate 1f1b --devices 65537", "costs calibrate 1f1b --devices 65537");
        row("adapt --devices 2 --batch 8 --iterations 3",
            "noise kfkb --adapt --devices 2 --batch 8 --iterations 3");
        row("manual files", "help --manual files");
        row("manual", "help --manual");
        row("manual --search lifespan", "help --manual --search lifespan");
        row("man", "help --roff");
        row("fit --help", "costs fit --help");
    }

    void bothLinesDoTheSame()
    {
        QFETCH(QString, old);
        QFETCH(QString, now);
        const OldSaid today = saidTo(now), before = saidTo(old);
        QCOMPARE(before.out, today.out);
        QCOMPARE(before.code, today.code);
        const QString note = QStringLiteral("pipewright: '%1' is an old name, and goes with the "
                                            "next version: pipewright %2\n")
                                 .arg(old.section(' ', 0, 0), now);
        QCOMPARE(before.err, note + today.err);
    }

    void noHelpAndNoCompletionHasThem()
    {
        const QString help = saidTo(QStringLiteral("help")).out;
        for (const char* name : {"emit", "export", "fit", "calibrate", "adapt", "manual", "man"}) {
            QVERIFY2(findCommand(name) == nullptr, name);
            QVERIFY2(!help.contains(QStringLiteral("\n  %1 ").arg(name)), name);
        }
        const QString bash = saidTo(QStringLiteral("completion bash")).out;
        QVERIFY(!bash.contains(QStringLiteral("    'emit')")));
        QVERIFY(bash.contains(QStringLiteral("    'costs fit')")));
        QVERIFY(bash.contains(QStringLiteral("compgen -W 'calibrate fit'")));
    }

    void aLineOfTodayStaysAsItIs()
    {
        QVERIFY(!currentSpelling({"convert", "1f1b", "--to", "text"}));
        QVERIFY(!currentSpelling({"costs", "fit"}));
        QVERIFY(!currentSpelling({"unheard-of"}));
        const std::vector<std::string> line = {"run", "-"}, two = {"Costs", "FIT", "-"};
        QCOMPARE(commandIn(line).words, std::size_t{1});
        QCOMPARE(commandIn(two).words, std::size_t{2});
    }

private:
    QTemporaryDir m_folder;
    QString m_before;
};

PW_TEST(TestOldSpellings)
#include "tst_old_spellings.moc"
