// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QTemporaryDir>
#include <QtTest>

// The files of tests/extended are each put beside those of the program, and nothing else is
// changed: what is looked for here was found by the build.
class TstOneFileAThing : public QObject
{
    Q_OBJECT

private:
    static QString said(const QStringList& words, const char* program = PW_EXTENDED)
    {
        QProcess process;
        process.setProcessChannelMode(QProcess::MergedChannels);
        process.start(QString::fromUtf8(program), words);
        if (!process.waitForFinished(60'000) || process.exitStatus() != QProcess::NormalExit)
            return QStringLiteral("it did not end");
        return QString::fromUtf8(process.readAll()) +
               (process.exitCode() == 0 ? QString()
                                        : QStringLiteral("exit %1").arg(process.exitCode()));
    }

    static QString fileWith(const QTemporaryDir& folder, const char* name, const QByteArray& text)
    {
        const QString path = folder.filePath(QString::fromLatin1(name));
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) || file.write(text) != text.size())
            return {};
        return path;
    }

private slots:
    void aThingIsInListsHelpAndCompletion_data()
    {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("expected");
        const auto row = [](const char* name, const char* line, const char* expected) {
            QTest::newRow(name) << QString::fromLatin1(line) << QString::fromLatin1(expected);
        };
        row("the family in the list", "families", "one-by-one");
        row("its page", "families one-by-one", "last-first");
        row("its parameter in the help", "simulate --help", "--last-first");
        row("its owner in the help", "simulate --help", "(one-by-one)");
        row("the family in the completion", "completion bash", "one-by-one");
        row("its parameter in the completion", "completion fish", "-l last-first");
        row("the family in the table of all", "compare all --devices 2 --micro-batches 2",
            "one-by-one");
        row("the format in the help", "import --help", "logs of stages (an example)");
        row("the dialect in the help", "import --help", "events of phases (an example)");
        row("the format in the man page", "help --roff", "logs of stages");
        row("the command in the overview", "help", "devices-of");
        row("its help", "help devices-of", "how many of four devices");
        row("the command in the completion", "completion bash", "devices-of");
        row("its option in the completion", "completion bash", "--micro-batches");
        row("the command in the man page", "help --roff", "how many of four devices");
        row("the lesson in the list", "lesson list", "An added lesson");
        row("the lesson in the completion", "completion bash", "99-added");
    }

    void aThingIsInListsHelpAndCompletion()
    {
        QFETCH(QString, line);
        QFETCH(QString, expected);
        const QStringList words = line.split(QLatin1Char(' '));
        QVERIFY2(said(words).contains(expected), qPrintable(said(words)));
        // Words that the program itself has say nothing.
        if (expected != QStringLiteral("--micro-batches"))
            QVERIFY(!said(words, PW_PROGRAM).contains(expected));
    }

    void theFamilyIsSimulatedAndTrains()
    {
        const QString text = said({"simulate", "one-by-one", "--devices", "2", "--micro-batches",
                                   "3", "--last-first", "--json"});
        const QJsonObject made = QJsonDocument::fromJson(text.toUtf8()).object();
        QCOMPARE(made["makespan_ms"].toDouble(), 3 * 2 * 3.0);
        QCOMPARE(made["parameters"].toObject()["last-first"].toInt(), 1);
        QVERIFY2(said({"verify", "one-by-one", "--devices", "2", "--micro-batches", "2"})
                     .contains(QStringLiteral("one-by-one")),
                 "verify");
        QVERIFY(said({"one-by-one", "--last-second"}).contains(QStringLiteral("exit 2")));
    }

    void theFormatIsReadByItsContentAndFoundInFolders()
    {
        const QTemporaryDir folder;
        QByteArray log;
        for (int rank = 0; rank < 2; ++rank) {
            const int own = rank;
            log += "stage-log: rank " + QByteArray::number(rank) + " forward 0 from " +
                   QByteArray::number(own) + ".0 to " + QByteArray::number(own + 1) + ".0 ms\n";
            log += "noise\nstage-log: rank " + QByteArray::number(rank) + " backward 0 from " +
                   QByteArray::number(5 - own) + ".0 to " + QByteArray::number(6 - own) + ".0 ms\n";
        }
        QVERIFY(!fileWith(folder, "run.stagelog", log).isEmpty());
        const QString other = fileWith(folder, "run.txt", log);
        for (const QString& path : {folder.path(), other}) {
            const QString text = said({"import", path, "--json"});
            const QJsonObject found = QJsonDocument::fromJson(text.toUtf8()).object();
            QVERIFY2(text.contains(QStringLiteral("Stage log")), qPrintable(text));
            QVERIFY2(!found.isEmpty(), qPrintable(text));
        }
        QVERIFY(said({"import", folder.path()}, PW_PROGRAM).contains(QStringLiteral("has no")));
    }

    void theDialectSaysItsArguments()
    {
        const QTemporaryDir folder;
        QJsonArray events;
        for (int rank = 0; rank < 2; ++rank)
            for (const bool forward : {true, false})
                events.append(QJsonObject{{"ph", "X"},
                                          {"cat", "phase"},
                                          {"name", forward ? "fprop" : "bprop"},
                                          {"pid", rank},
                                          {"tid", 0},
                                          {"ts", forward ? rank * 10 : 60 - rank * 10},
                                          {"dur", 10},
                                          {"args", QJsonObject{{"mbs_id", 0}, {"pp_rank", rank}}}});
        const QString path = fileWith(
            folder, "phases.json",
            QJsonDocument(QJsonObject{{"traceEvents", events}}).toJson(QJsonDocument::Compact));
        const QString text = said({"import", path});
        QVERIFY2(text.contains(QStringLiteral("Phases")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("4 passes")), qPrintable(text));
        QVERIFY(!said({"import", path}, PW_PROGRAM).contains(QStringLiteral("4 passes")));
    }

    void theCommandRuns() { QCOMPARE(said({"devices-of", "one-by-one"}), QStringLiteral("4\n")); }

    void theLessonIsPlayed()
    {
        const QString text = said({"lesson", "show", "99-added"});
        QVERIFY2(text.contains(QStringLiteral("One model, several devices")), qPrintable(text));
    }
};

PW_TEST(TstOneFileAThing)
#include "tst_one_file_a_thing.moc"
