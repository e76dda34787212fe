// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/places.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <cerrno>
#include <fcntl.h>
#include <spawn.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <vector>

namespace {

/// The most memory that a run of the program had, in MB; −1: it failed.
double memoryOf(std::vector<std::string> words)
{
    words.insert(words.begin(), PW_PROGRAM);
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    pid_t child = -1;
    const int problem =
        posix_spawn(&child, PW_PROGRAM, &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    int status = -1;
    rusage usage{};
    while (problem == 0 && ::wait4(child, &status, 0, &usage) < 0 && errno == EINTR) {
    }
    constexpr double kibPerMb = 1e6 / 1024;
    return status == 0 ? static_cast<double>(usage.ru_maxrss) / kibPerMb : -1;
}

} // namespace

/// Memory of a run does not grow with its length, and that of a proof has a limit.
class TestLongRuns : public QObject
{
    Q_OBJECT

private slots:
    void memoryHasABound_data()
    {
        QTest::addColumn<QString>("keeping");
        QTest::newRow("without a store") << "--no-store";
        QTest::newRow("with a store") << "--store";
    }
    void memoryHasABound()
    {
        QFETCH(const QString, keeping);
        const QTemporaryDir folder;
        const auto memory = [&](int iterations) {
            std::vector<std::string> words = {"run",
                                              "1f1b",
                                              "--backend",
                                              "emulated",
                                              "--devices",
                                              "4",
                                              "--micro-batches",
                                              "32",
                                              "--forward",
                                              "0.02",
                                              "--backward",
                                              "0.02",
                                              "--weight",
                                              "0.02",
                                              "--warmup",
                                              "0",
                                              "--iterations",
                                              std::to_string(iterations),
                                              keeping.toStdString()};
            if (keeping == QLatin1String("--store"))
                words.push_back(folder.filePath(QStringLiteral("a.sqlite")).toStdString());
            return memoryOf(words);
        };
        // An iteration has 256 passes and 192 messages, 40 KB, of which 512 are told of at most: 60
        // MB more, were there no bound. A store has 16 MiB of its file in memory.
        const double some = memory(520), many = memory(2000);
        QVERIFY(some > 0 && many > 0);
        qInfo("%.1f MB after 520 iterations, %.1f MB after 2000", some, many);
        QVERIFY(many < some + (keeping == QLatin1String("--store") ? 45 : 25));
    }

    void aProofHasABound()
    {
        const double memory = memoryOf({"optimise", "1f1b", "--devices", "128", "--micro-batches",
                                        "256", "--comm", "0.1", "--json"});
        QVERIFY(memory > 0);
        QVERIFY2(memory < 110, qPrintable(QString::number(memory)));
    }
};

PW_TEST(TestLongRuns)
#include "tst_long_runs.moc"
