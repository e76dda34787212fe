// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/chrome/json_scan.h"
#include "core/reading/import_trace.h"
#include "core/reading/packing/chunk_stream.h"
#include "tests/support/seed.h"
#include "tests/support/test_program.h"

#include <QTest>

#include <algorithm>
#include <initializer_list>
#include <random>
#include <string>

using namespace pw;

namespace {

/// Notes every call.
struct Calls
{
    std::string all;

    bool note(const std::string& what)
    {
        all += what + "\n";
        return true;
    }
    bool Null() { return note("null"); }
    bool Bool(bool value) { return note(value ? "true" : "false"); }
    bool Int(int) { return false; }
    bool Uint(unsigned) { return false; }
    bool Int64(std::int64_t) { return false; }
    bool Uint64(std::uint64_t) { return false; }
    bool Double(double) { return false; }
    bool RawNumber(const char* text, rapidjson::SizeType length, bool)
    {
        return note("number " + std::string(text, length));
    }
    bool String(const char* text, rapidjson::SizeType length, bool)
    {
        return note("text " + std::string(text, length));
    }
    bool Key(const char* text, rapidjson::SizeType length, bool)
    {
        return note("key " + std::string(text, length));
    }
    bool StartObject() { return note("{"); }
    bool EndObject(rapidjson::SizeType count) { return note("} " + std::to_string(count)); }
    bool StartArray() { return note("["); }
    bool EndArray(rapidjson::SizeType count) { return note("] " + std::to_string(count)); }
};

/// Bytes in pieces of a few each.
class SmallPieces : public ByteSource
{
public:
    SmallPieces(std::string_view bytes, std::size_t most)
        : m_rest(bytes)
        , m_most(most)
    {
    }
    std::size_t read(char* buffer, std::size_t size) override
    {
        const std::size_t count = std::min({size, m_rest.size(), m_most});
        std::copy_n(m_rest.data(), count, buffer);
        m_rest.remove_prefix(count);
        return count;
    }

private:
    std::string_view m_rest;
    std::size_t m_most;
};

struct Read
{
    bool sound = false;
    std::string calls;
};

Read scanned(const std::string& text, std::size_t piece)
{
    SmallPieces source(text, piece);
    Calls calls;
    JsonScan<Calls> scan(source, calls, {});
    const bool sound = scan.run();
    return {sound, calls.all};
}

Read parsed(const std::string& text)
{
    MemorySource source(text);
    Calls calls;
    ChunkStream stream(source, {});
    JsonStreamParser parser;
    const bool sound = !parser.Parse<jsonStreamFlags>(stream, calls).IsError() && stream.ended();
    return {sound, calls.all};
}

std::string sample()
{
    return "{\"schemaVersion\": 1, \"a\": [], \"b\": {}, \"c\": [[], {}, [1, -2.5e+10, 0, 0.25, "
           "1E5]],\n  \"traceEvents\": [\n  {\"ph\": \"X\", \"cat\": \"cpu_op\", \"name\": "
           "\"aten::add \\\"quoted\\\" \\\\ \\/ \\b\\f\\n\\r\\t\", \"pid\": 1,\r\n\t\"tid\": "
           "\"0x1F\", \"ts\": 12.125, \"dur\": 0.5, \"args\": {\"Input Dims\": [[4096], [2048, "
           "1024], []], \"on\": true, \"off\": false, \"none\": null, \"text\": "
           "\"\\u00e4\\u20AC\\uD83D\\uDE00 \xC3\xBCnic\xC3\xB6"
           "de\"}},\n  {\"ph\": \"i\", \"name\": \"a name that is longer than a few stretches of "
           "sixteen bytes at once\", \"ts\": 1}\n],\"last\": -0.0}";
}

} // namespace

/// Objects of a few shapes, as programs write events: keys come again in the same order, now and
/// then others, with other spaces, or not at all.
std::string shapes(std::mt19937& random, int objects)
{
    const auto one = [&random](std::initializer_list<const char*> of) {
        return std::string(of.begin()[random() % of.size()]);
    };
    std::string text = "{\"list\":[";
    for (int i = 0; i < objects; ++i) {
        text += i > 0 ? one({",", ",\n", " , "}) : "";
        const std::string comma = one({",", ",", ", ", ",\n    "}), colon = one({":", ":", ": "});
        std::string object;
        const auto member = [&](const std::string& key, const std::string& value) {
            object += (object.empty() ? "" : comma) + "\"" + key + "\"" + colon + value;
        };
        member("ph", one({"\"X\"", "\"C\""}));
        if (random() % 3 > 0)
            member("cat", one({"\"kernel\"", "\"cpu_op\""}));
        member(one({"name", "name", "na\\u006de"}), "\"n" + std::to_string(random() % 9) + "\"");
        if (random() % 2 == 0)
            member("args", "{" + one({"\"External id\":1", "", "\"stream\" :7,\"grid\":[1,{}]"}) +
                               one({"", " "}) + "}");
        member(one({"ts", "ts", "a key that is longer than what is compared at once, by far"}),
               std::to_string(random() % 1000) + ".5");
        if (random() % 4 == 0)
            member("more", "[{\"a\":1,\"b\":[]},{\"a\":2},{\"b\":{\"a\":3}}]");
        text += "{" + object + "}";
    }
    return text + "]}";
}

/// The fast reading of sound JSON is that of RapidJSON.
class TestJsonScan : public QObject
{
    Q_OBJECT

private slots:
    void itMakesTheSameCalls()
    {
        const Read expected = parsed(sample());
        QVERIFY(expected.sound);
        for (const std::size_t piece : {1U, 2U, 3U, 7U, 15U, 16U, 17U, 64U, 1U << 20U}) {
            const Read found = scanned(sample(), piece);
            QVERIFY(found.sound);
            QCOMPARE(found.calls, expected.calls);
        }
    }

    void itRefusesWhatIsNoJson_data()
    {
        QTest::addColumn<QString>("text");
        for (const char* text : {"",
                                 " ",
                                 "{",
                                 "[1",
                                 "[1,]",
                                 "{\"a\"}",
                                 "{\"a\":}",
                                 "{\"a\":1,}",
                                 "{a:1}",
                                 "[01]",
                                 "[1.]",
                                 "[.5]",
                                 "[-]",
                                 "[1e]",
                                 "[1e+]",
                                 "[+1]",
                                 "[nan]",
                                 "[tru]",
                                 "[\"a]",
                                 "[\"\\x\"]",
                                 "[\"\\u12G4\"]",
                                 "[\"\\u12\"]",
                                 "[\"a\tb\"]",
                                 "[1] 2",
                                 "[1]]",
                                 "[1}",
                                 "{\"a\":1]",
                                 "[\"\\",
                                 "[\"\\\"",
                                 "nul",
                                 "[1 2]",
                                 "[,1]",
                                 "-"})
            QTest::newRow(text) << QString::fromUtf8(text);
    }
    void itRefusesWhatIsNoJson()
    {
        QFETCH(const QString, text);
        const std::string bytes = text.toStdString();
        QVERIFY(!parsed(bytes).sound);
        for (const std::size_t piece : {1U, 3U, 100U})
            QVERIFY(!scanned(bytes, piece).sound);
    }

    void bytesThatAreNoTextAreRefused()
    {
        std::string zero = "[1, 2]";
        zero += '\0';
        QVERIFY(!scanned(zero, 100).sound);
        std::string inside = "[\"a b\"]";
        inside[3] = '\0';
        QVERIFY(!scanned(inside, 100).sound);
        QVERIFY(scanned("\xEF\xBB\xBF[1]", 100).sound);
        QVERIFY(scanned(" \r\n\t7 ", 100).sound);
        const std::string deep(100, '[');
        QVERIFY(!scanned(deep + std::string(100, ']'), 100).sound);
    }

    void changedTextsAreReadAlike()
    {
        const unsigned seed = test::randomSeed();
        std::mt19937 random(seed);
        const std::string whole = sample();
        int sound = 0, unlike = 0;
        for (int i = 0; i < 6000; ++i) {
            std::string text = whole;
            const int changes = static_cast<int>(random() % 3) + (i % 2);
            for (int c = 0; c < changes; ++c) {
                const std::size_t at = random() % text.size();
                constexpr std::string_view bytes = "{}[],:\"\\ 0123456789.-+eEtrufalsn\n\x01\x80";
                switch (random() % 4) {
                case 0:
                    text[at] = bytes[random() % bytes.size()];
                    break;
                case 1:
                    text.erase(at, 1 + random() % 3);
                    break;
                case 2:
                    text.insert(at, 1, bytes[random() % bytes.size()]);
                    break;
                default:
                    text = text.substr(0, text.size() - random() % 4);
                }
            }
            const Read one = parsed(text);
            const Read two = scanned(text, 1 + random() % 40);
            // Half of a pair of surrogates is left to the other reader.
            const bool half =
                text.find("\\ud") != std::string::npos || text.find("\\uD") != std::string::npos;
            if (two.sound || !half)
                QVERIFY2(one.sound == two.sound, text.c_str());
            if (two.sound)
                QVERIFY2(one.calls == two.calls, text.c_str());
            sound += two.sound ? 1 : 0;
        }
        QVERIFY(sound > 500);
        QVERIFY(unlike < 100);
        QVERIFY(sound < 5500);
    }

    void keysThatComeAgainAreTheSame()
    {
        const unsigned seed = test::randomSeed();
        std::mt19937 random(seed);
        for (int i = 0; i < 300; ++i) {
            const std::string text = shapes(random, 1 + static_cast<int>(random() % 60));
            const Read expected = parsed(text);
            QVERIFY(expected.sound);
            for (const std::size_t piece :
                 {std::size_t{1} + random() % 100, std::size_t{1} << 16U}) {
                const Read found = scanned(text, piece);
                QVERIFY2(found.sound, text.c_str());
                QCOMPARE(found.calls, expected.calls);
            }
            // A text that ends early is refused wherever it ends.
            QVERIFY(!scanned(text.substr(0, random() % text.size()), 1000).sound);
        }
    }

    void manyKeysAreReadToo()
    {
        std::string text = "[";
        for (int i = 0; i < 5000; ++i)
            text += std::string(i > 0 ? "," : "") + "{\"k" + std::to_string(i % 3000) +
                    "\":1,\"again\":{\"k" + std::to_string(i) + "\":2}}";
        text += "]";
        const Read found = scanned(text, 1U << 16U);
        QVERIFY(found.sound);
        QCOMPARE(found.calls, parsed(text).calls);
    }

    /// The same argument is a number of a counter, and says a collective of a slice.
    void aKeyMeansWhatItsEventMakesOfIt()
    {
        std::string events;
        for (int i = 0; i < 3; ++i) {
            const std::string at = std::to_string(10 * i);
            events += std::string(i > 0 ? "," : "") +
                      R"({"ph":"X","cat":"kernel","name":"k","pid":0,"tid":7,"ts":)" + at +
                      R"(,"dur":5,"args":{"Group size":2}},)" +
                      R"({"ph":"C","cat":"kernel","name":"c","pid":0,"tid":7,"ts":)" + at +
                      R"(,"dur":5,"args":{"Group size":2}})";
        }
        const Result<Trace> trace = importTraceText(
            R"({"distributedInfo":{"rank":0},"traceEvents":[)" + events + "]}", "rank0.json");
        QVERIFY(trace);
        QCOMPARE(trace->counters.size(), std::size_t{1});
        QCOMPARE(trace->counters[0].samples.size(), std::size_t{3});
    }

    void numbersBeyondAllUseAreLeftToTheOther()
    {
        QVERIFY(!scanned("[" + std::string(80, '7') + "]", 5).sound);
        QVERIFY(!scanned("[1e400]", 5).sound);
        QVERIFY(scanned("[1E+22, 12345678901234567890.125]", 5).sound);
    }

    void aTextOfManyPiecesIsWhole()
    {
        const std::string name(3'000'000, 'n');
        const Read found = scanned("[\"" + name + "\\n\", \"" + name + "\"]", 4096);
        QVERIFY(found.sound);
        QCOMPARE(found.calls, "[\ntext " + name + "\n\ntext " + name + "\n] 2\n");
        // Beyond what is read the other reader says so.
        const std::string far(2 * ScanWindow::longest, 'x');
        QVERIFY(!scanned("[\"" + far + "\"]", 1U << 20U).sound);
        const Result<Trace> trace = importTraceText("[{\"name\":\"" + far + "\"}]", "rank0.json");
        QVERIFY(!trace);
        QVERIFY(trace.error().code == ErrorCode::TooLarge);
    }

    void itStopsWhenAsked()
    {
        const std::string text = "[" + std::string(1'000'000, ' ') + "1]";
        SmallPieces source(text, 1000);
        Calls calls;
        int asked = 0;
        JsonScan<Calls> scan(source, calls, [&asked] { return ++asked < 10; });
        QVERIFY(!scan.run());
        QVERIFY(scan.stopped());
        QCOMPARE(asked, 10);
    }
};

PW_TEST(TestJsonScan)
#include "tst_json_scan.moc"
