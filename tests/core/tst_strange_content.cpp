// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/import_trace.h"
#include "core/reading/packing/byte_source.h"
#include "core/reading/strange_content.h"
#include "tests/support/chrome_traces.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>
#include <zlib.h>

#include <algorithm>

using namespace pw;

namespace {

/// A text of characters below 65536 as units of two bytes, with the mark at its front.
std::string wide(std::u16string_view text, bool bigEnd)
{
    std::string bytes;
    const auto put = [&](unsigned unit) {
        const auto low = static_cast<char>(unit & 0xFF), high = static_cast<char>(unit >> 8);
        bytes += bigEnd ? high : low;
        bytes += bigEnd ? low : high;
    };
    put(0xFEFF);
    for (const char16_t unit : text)
        put(unit);
    return bytes;
}

std::string narrowed(const std::string& bytes)
{
    const OpenSource open = asUtf8([&bytes]() -> Result<std::unique_ptr<ByteSource>> {
        return std::make_unique<MemorySource>(bytes);
    });
    return headOf(**open(), bytes.size() * 2 + 8);
}

} // namespace

class TestStrangeContent : public QObject
{
    Q_OBJECT

private slots:
    void whatIsKnownIsNamed_data()
    {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("head");
        QTest::addColumn<QString>("what");
        const auto row = [](const char* what, const char* name, const QByteArray& head) {
            QTest::newRow(what) << name << head << what;
        };
        row("report of Nsight Systems", "report1.nsys-rep", "any");
        row("report of Nsight Compute", "r.ncu-rep", "any");
        row("tar archive", "t.tar.gz", QByteArray(257, 'x') + "ustar  ");
        row("packed by bzip2", "a.json.bz2", "BZh91AY");
        row("packed by xz", "a.json.xz",
            QByteArray("\xFD"
                       "7zXZ\0",
                       6));
        row("packed by zlib", "a", "\x78\x9C\x01");
        row("zip archive in another file", "a.zip.gz", "PK\x03\x04 more");
        row("SQLite file that is packed", "a.sqlite.gz", "SQLite format 3");
        row("pickle of Python", "a.pickle", "\x80\x04\x95");
        row("pointer of Git LFS", "a.json", "version https://git-lfs.github.com/spec/v1");
        row("HTML or XML", "a.json", "\n <html>");
        row("planes of XLA", "a.xplane.pb", "\n\x0F\x12\x0D/device:GPU:0");
        row("planes of XLA's", "b.xplane.pb", "\n\x7F\x08\x01\x12\x0D/device:GPU:0");
    }

    void whatIsKnownIsNamed()
    {
        QFETCH(QString, name);
        QFETCH(QByteArray, head);
        QFETCH(QString, what);
        const auto strange = strangeContent(name.toStdString(), head.toStdString());
        QVERIFY(strange);
        QVERIFY2(strange->english().find(what.toStdString()) != std::string::npos,
                 strange->c_str());
        const Result<Trace> trace = importTraceText(head.toStdString(), name.toStdString());
        QVERIFY(!trace);
        QCOMPARE(trace.error().code, ErrorCode::Syntax);
        QVERIFY(QString::fromStdString(trace.error().message).startsWith(name + ": not a trace: "));
    }

    void whatIsReadIsNotStrange()
    {
        for (const std::string& head :
             {std::string("{\"traceEvents\": []}"), std::string("[]"), std::string(),
              std::string("\n\x04\x08\x01\x50\x01\n\x04\x08\x02\x50\x01"), // of Perfetto
              std::string("\n{\"traceEvents\": []}"), std::string("<3> a line of a log")})
            QVERIFY(!strangeContent("a.json", head));
    }

    void aPackedDatabaseSaysHowItIsRead()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.sqlite.gz").toStdString();
        const gzFile file = gzopen(path.c_str(), "wb");
        const std::string text = "SQLite format 3" + std::string(1000, '\0');
        QCOMPARE(gzwrite(file, text.data(), static_cast<unsigned>(text.size())),
                 static_cast<int>(text.size()));
        gzclose(file);
        const Result<Trace> trace = importTrace({path});
        QVERIFY(!trace);
        QVERIFY2(QString::fromStdString(trace.error().message).contains("unpack it first"),
                 trace.error().message.c_str());
    }

    void aPackedFileThatEndsEarlyIsNamedOnce()
    {
        QTemporaryDir folder;
        const std::string path = folder.filePath("a.json.gz").toStdString();
        test::writeTrace(path, "\x1F\x8B\x08");
        const Result<Trace> trace = importTrace({path});
        QVERIFY(!trace);
        QCOMPARE(QString::fromStdString(trace.error().message).count("a.json.gz"), 1);
    }

    void unitsOfTwoBytesAreText_data()
    {
        QTest::addColumn<bool>("bigEnd");
        QTest::newRow("the low byte first") << false;
        QTest::newRow("the high byte first") << true;
    }

    void unitsOfTwoBytesAreText()
    {
        QFETCH(bool, bigEnd);
        QCOMPARE(narrowed(wide(u"a\u00F6\u20AC\U0001F600", bigEnd)),
                 std::string("a\u00F6\u20AC\U0001F600"));
        const std::u16string halves = {0xD83D, u'x', 0xDE00, 0xD83D};
        QCOMPARE(narrowed(wide(halves, bigEnd)), std::string("\uFFFDx\uFFFD\uFFFD"));
        QCOMPARE(narrowed(wide(u"ab", bigEnd) + "c"), std::string("ab\uFFFD"));
        QVERIFY(narrowed(wide(u"", bigEnd)).empty());
        const std::u16string many(100'000, u'\u00F6'); // more than is held at once
        const std::string text = narrowed(wide(many, bigEnd));
        QCOMPARE(text.size(), many.size() * 2);
        QVERIFY(text.find("\uFFFD") == std::string::npos);
    }

    void aTraceOfWideTextIsRead()
    {
        const std::string bytes = wide(
            u"{\"traceEvents\": [{\"ph\": \"X\", \"name\": \"\u00F6\", \"ts\": 1, \"dur\": 2}]}",
            false);
        const Result<Trace> trace = importTraceText(bytes, "rank0.json");
        QVERIFY2(trace, trace ? "" : trace.error().message.c_str());
        QCOMPARE(trace->spans.size(), std::size_t{1});
        QCOMPARE(trace->names[0], std::string("\u00F6"));
        QCOMPARE(trace->repairs.count, std::int64_t{1});
        QVERIFY(trace->repairs.list[0].text.find("UTF-16") != std::string::npos);
    }
};

PW_TEST(TestStrangeContent)
#include "tst_strange_content.moc"
