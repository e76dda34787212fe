// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/base/json.h"
#include "core/reading/import_trace.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <zlib.h>

#include <csignal>
#include <fcntl.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>

using namespace pw;

namespace {

/// Events one after another, in an array.
std::string events(int count, bool ownNames = false, bool ownTracks = false)
{
    std::string text = "[";
    for (int i = 0; i < count; ++i) {
        const std::string number = std::to_string(i);
        text += std::string(i == 0 ? "" : ",\n") + "{\"ph\":\"X\",\"name\":\"F" +
                (ownNames ? number : "0") + "\",\"ts\":" + number +
                ",\"dur\":1,\"pid\":1,\"tid\":" + (ownTracks ? number : "1") + "}";
    }
    return text + "]";
}

} // namespace

class TestImportBudget : public QObject
{
    Q_OBJECT

private:
    std::string write(const char* name, const std::string& content)
    {
        const QString path = m_folder.filePath(name);
        QFile file(path);
        if (!file.open(QIODevice::WriteOnly) ||
            file.write(content.data(), qint64(content.size())) < 0)
            qFatal("cannot write %s", qUtf8Printable(path));
        return path.toStdString();
    }
    std::string pack(const char* name, const std::string& content, int times)
    {
        const std::string path = m_folder.filePath(name).toStdString();
        gzFile file = gzopen(path.c_str(), "wb9");
        for (int i = 0; i < times; ++i)
            gzwrite(file, content.data(), static_cast<unsigned>(content.size()));
        gzclose(file);
        return path;
    }

    QTemporaryDir m_folder;

private slots:
    void whatIsBeyondALimitIsRefusedByItsName_data()
    {
        QTest::addColumn<QByteArray>("content");
        QTest::addColumn<QString>("limit");
        QTest::addColumn<QString>("message");
        QTest::newRow("spans") << QByteArray::fromStdString(events(101)) << "spans"
                               << "has more than 100 spans, the most that is read";
        QTest::newRow("names") << QByteArray::fromStdString(events(101, true)) << "names"
                               << "has names of more than 200 B together, the most that is read";
        QTest::newRow("tracks") << QByteArray::fromStdString(events(101, false, true)) << "tracks"
                                << "has more than 100 tracks, the most that is read";
    }
    void whatIsBeyondALimitIsRefusedByItsName()
    {
        QFETCH(QByteArray, content);
        QFETCH(QString, limit);
        QFETCH(QString, message);
        const std::string path = write("trace.json", content.toStdString());
        ImportOptions options;
        if (limit == "spans")
            options.budget.spans = 100;
        else if (limit == "names")
            options.budget.nameBytes = 200;
        else
            options.budget.tracks = 100;
        const Result<Trace> trace = importTrace({path}, options);
        QVERIFY(!trace);
        QCOMPARE(trace.error().code, ErrorCode::TooLarge);
        QCOMPARE(trace.error().message, path + " " + message.toStdString());
        options.budget = {};
        QVERIFY(importTrace({path}, options));
    }

    /// 64 MiB of blanks in 64 KiB; the same limit lets a file through that is packed as traces are.
    void aFileThatUnpacksWithoutEndIsRefused()
    {
        const std::string bomb = pack("bomb.json.gz", std::string(1 << 20, ' '), 64);
        ImportOptions options;
        options.budget.freeUnpacked = 1 << 20;
        const Result<Trace> trace = importTrace({bomb}, options);
        QVERIFY(!trace);
        QCOMPARE(trace.error().code, ErrorCode::TooLarge);
        QVERIFY2(trace.error().message.english().find(
                     "more than 200 times, the most that is read") != std::string::npos,
                 trace.error().message.c_str());
        const std::string fine = pack("fine.json.gz", events(100'000), 1);
        QVERIFY(importTrace({fine}, options));
    }

    /// A text is held whole while it is read.
    void aTextWithoutEndIsRefused()
    {
        const std::string begin = "[{\"ph\":\"X\",\"ts\":1,\"dur\":1,\"name\":\"";
        const std::string longest(JsonStreamMemory::longestText / 8, 'n');
        const std::string path = m_folder.filePath("long.json").toStdString();
        QFile file(QString::fromStdString(path));
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(begin.c_str());
        for (int i = 0; i < 16; ++i)
            file.write(longest.data(), qint64(longest.size()));
        file.write("\"}]");
        file.close();
        const Result<Trace> trace = importTrace({path});
        QVERIFY(!trace);
        QVERIFY2(trace.error().message.english().find(
                     ": a text of more than 32 MiB, the most that is read") != std::string::npos,
                 trace.error().message.c_str());
    }

    void aPipeIsReadOnce_data()
    {
        QTest::addColumn<bool>("damaged");
        QTest::newRow("sound") << false;
        QTest::newRow("damaged, and read a second time") << true;
    }
    void aPipeIsReadOnce()
    {
        QFETCH(bool, damaged);
        const std::string pipe = m_folder.filePath(damaged ? "pipe1" : "pipe0").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        const std::string content = events(50'000) + (damaged ? "]]" : "");
        std::thread writer([&] {
            const int file = ::open(pipe.c_str(), O_WRONLY);
            for (std::size_t at = 0; at < content.size();) {
                const ssize_t written = ::write(file, content.data() + at, content.size() - at);
                if (written < 0)
                    break;
                at += static_cast<std::size_t>(written);
            }
            ::close(file);
        });
        const Result<Trace> trace = importTrace({pipe});
        writer.join();
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->spans.size(), std::size_t{50'000});
        QCOMPARE(trace->files, std::vector<std::string>{pipe});
        QCOMPARE(trace->repairs.count, std::int64_t{damaged ? 1 : 0});
    }

    void aPipeHasALimitToo()
    {
        const std::string pipe = m_folder.filePath("endless").toStdString();
        QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
        std::signal(SIGPIPE, SIG_IGN);
        std::thread writer([&] {
            const int file = ::open(pipe.c_str(), O_WRONLY);
            const std::string piece(4096, ' ');
            while (::write(file, piece.data(), piece.size()) > 0)
                continue;
            ::close(file);
        });
        ImportOptions options;
        options.budget.pipeBytes = 1 << 20;
        const Result<Trace> trace = importTrace({pipe}, options);
        writer.join();
        QVERIFY(!trace);
        QCOMPARE(trace.error().message, pipe + " gives more than 1 MiB, the most that is read");
    }

    void aDeviceIsRefused()
    {
        for (const char* device : {"/dev/zero", "/dev/null"}) {
            const Result<Trace> trace = importTrace({device});
            QVERIFY(!trace);
            QCOMPARE(trace.error().message,
                     std::string("cannot read ") + device + ": it is a device and no file");
        }
    }

    /// A zero byte is no end: what stands behind it is left out by name.
    void bytesBehindAZeroByteAreTold()
    {
        const std::string text = events(3) + std::string(1, '\0') + "[more]";
        const Result<Trace> trace = importTraceText(text, "rank0.json");
        QVERIFY(trace);
        QCOMPARE(trace->spans.size(), std::size_t{3});
        QCOMPARE(trace->repairs.count, std::int64_t{1});
        QCOMPARE(trace->repairs.list[0].text, std::string("text behind the end, left out"));
    }
};

PW_TEST(TestImportBudget)
#include "tst_import_budget.moc"
