// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/analysis/account.h"
#include "core/reading/import_trace.h"
#include "core/reading/sniff.h"
#include "core/trace/align_clocks.h"
#include "core/trace/message_split.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"
#include "tests/support/trace_maker.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>

#include <algorithm>
#include <random>

using namespace pw;
using test::TraceFormat;

// Files of every format with random damage: each is read, mended or refused in words. What crashed
// lies in the temporary folder that is named first; what hangs is ended by Qt Test's own watchdog.

namespace {

constexpr unsigned firstSeed = 2024;
constexpr int rounds = 1'000;

/// Damages bytes in one to eight places.
class Damage
{
public:
    explicit Damage(unsigned seed)
        : m_random(seed)
    {
    }

    std::size_t below(std::size_t bound) { return bound == 0 ? 0 : m_random() % bound; }

    /// A text, or anything else of which nothing is known.
    void text(std::string& bytes)
    {
        for (std::size_t changes = 1 + below(8); changes > 0; --changes)
            change(bytes);
    }

    /// Pages of 4,096 bytes, whose headers say where everything is.
    void database(std::string& bytes)
    {
        constexpr std::size_t page = 4096, header = 40;
        for (std::size_t changes = 1 + below(20); changes > 0 && !bytes.empty(); --changes)
            switch (below(4)) {
            case 0:
                bytes[below(bytes.size())] = anyByte();
                break;
            case 1: {
                const std::size_t at = page * below(bytes.size() / page + 1) + below(header);
                bytes[std::min(at, bytes.size() - 1)] = anyByte();
                break;
            }
            case 2: {
                const std::size_t from = below(bytes.size());
                const std::string piece = bytes.substr(from, below(200));
                bytes.replace(below(bytes.size() - piece.size()), piece.size(), piece);
                break;
            }
            default:
                if (below(20) == 0)
                    bytes.resize(1 + below(bytes.size()));
            }
    }

private:
    char anyByte() { return static_cast<char>(below(256)); }

    void change(std::string& bytes)
    {
        const std::size_t at = below(bytes.size() + 1);
        const std::size_t length = 1 + below(60);
        switch (below(11)) {
        case 0:
            if (at < bytes.size())
                bytes[at] = anyByte();
            break;
        case 1:
            if (at < bytes.size())
                bytes[at] =
                    static_cast<char>(static_cast<unsigned char>(bytes[at]) ^ (1U << below(8)));
            break;
        case 2:
            if (below(4) == 0)
                bytes.resize(at);
            break;
        case 3:
            bytes.erase(at, length);
            break;
        case 4: { // doubled, here or elsewhere
            const std::string piece = bytes.substr(at, 10 * length);
            bytes.insert(below(2) == 0 ? at : below(bytes.size() + 1), piece);
            break;
        }
        case 5: // control characters, or bytes that are not UTF-8
            for (std::size_t i = below(4); i < 4; ++i)
                bytes.insert(at, 1,
                             static_cast<char>(below(2) == 0 ? below(32) : 128 + below(128)));
            break;
        case 6:
            bytes.insert(at, 1, '"');
            break;
        case 7:
            bytes.insert(at, 1 + below(100), "[]{},:\n\\"[below(8)]);
            break;
        case 8:
            bytes.insert(at, token());
            break;
        default:
            number(bytes, at);
        }
    }

    const char* token()
    {
        static const char* const tokens[] = {"Infinity", "-Infinity", "NaN",     "null", "1e999",
                                             "\\u0000",  "\\ud800",   "\\x",     "PP:",  "\r\n",
                                             "rank 3: ", "\"ts\":",   "\"ph\":", "}{",   "]}"};
        return tokens[below(sizeof tokens / sizeof *tokens)];
    }

    /// The next number becomes one that nobody expects.
    void number(std::string& bytes, std::size_t from)
    {
        static const char* const numbers[] = {
            "Infinity",   "-Infinity",           "NaN",   "-1",
            "0",          "0.0000000001",        "1e308", "99999999999999999999999",
            "2147483648", "9223372036854775807", "\"7\"", "0x1F"};
        const std::size_t at = bytes.find_first_of("0123456789", from);
        if (at == std::string::npos)
            return;
        const std::size_t end = bytes.find_first_not_of("0123456789.", at);
        bytes.replace(at, end == std::string::npos ? end : end - at,
                      numbers[below(sizeof numbers / sizeof *numbers)]);
    }

    std::mt19937 m_random;
};

std::string bytesOf(const std::string& path)
{
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::ReadOnly))
        qFatal("cannot read %s", path.c_str());
    return file.readAll().toStdString();
}

void put(const std::string& path, const std::string& bytes)
{
    // A file that is written anew in its place waits for the disk on some systems.
    QFile::remove(QString::fromStdString(path));
    QFile file(QString::fromStdString(path));
    if (!file.open(QIODevice::WriteOnly) ||
        file.write(bytes.data(), static_cast<qint64>(bytes.size())) < 0)
        qFatal("cannot write %s", path.c_str());
}

/// What is wrong with a trace that came out of damaged files; empty where all holds together.
std::string flawOf(Trace trace, std::size_t bytes)
{
    const auto below = [](std::int32_t index, std::size_t bound) {
        return index >= 0 && static_cast<std::size_t>(index) < bound;
    };
    for (const TraceSpan& span : trace.spans) {
        if (span.start < 0 || span.end < span.start)
            return "a span ends before it begins";
        if (!below(span.rank, trace.ranks.size()) || !below(span.track, trace.tracks.size()) ||
            !below(span.name, trace.names.size()) || span.label < -1 ||
            (span.label >= 0 && !below(span.label, trace.labels.size())))
            return "a span is of nothing";
    }
    // An event is written in more bytes than this.
    if (trace.spans.size() > bytes / 4)
        return "spans are made up";
    for (const TraceRepair& repair : trace.repairs.list)
        if (repair.position < 0 || repair.text.empty() || !below(repair.file, trace.files.size()))
            return "a repair has no place";
    const AlignedPipeline found = recoverAligned(trace);
    if (pairMessages(trace).apart < 0)
        return "messages are apart by less than nothing";
    if (!found.pipeline.schedule)
        return {};
    const Account whole = account(found.pipeline);
    for (const RankAccount& rank : whole.ranks) {
        Ticks sum = 0;
        for (const Ticks part : rank.parts)
            sum += part;
        if (sum != whole.wall)
            return "the account of a rank is not its wall time";
    }
    return {};
}

} // namespace

class TestTraceDamage : public QObject
{
    Q_OBJECT

private slots:
    void damagedFilesAreReadOrRefused_data()
    {
        QTest::addColumn<int>("format");
        QTest::addColumn<bool>("packed");
        for (const TraceFormat format : test::allTraceFormats)
            QTest::newRow(test::name(format)) << static_cast<int>(format) << false;
        // The damage is in what is packed, or in the packing.
        QTest::newRow("packed events") << static_cast<int>(TraceFormat::Kineto) << true;
        QTest::newRow("a packed log") << static_cast<int>(TraceFormat::PaddleLog) << true;
    }

    void damagedFilesAreReadOrRefused()
    {
        QFETCH(int, format);
        QFETCH(bool, packed);
        const QTemporaryDir folder;
        const std::string where = folder.path().toStdString();
        qInfo("seeds from %u, in %s", firstSeed, where.c_str());
        const test::FamilyRun run =
            test::runFamily(test::familyOf("1f1b"), test::sized(2, 3),
                            test::equalStages(4 * ticksPerMs, 5 * ticksPerMs, 3 * ticksPerMs));
        const auto of = static_cast<TraceFormat>(format);
        test::TraceSize size;
        size.iterations = of == TraceFormat::MegatronTimers ? 1 : 2;
        size.packed = packed;
        const std::vector<std::string> files =
            test::makeTrace(where, of, run.schedule, run.result, size).files;
        std::vector<std::string> sound;
        for (const std::string& file : files)
            sound.push_back(bytesOf(file));
        int refusals = 0, readings = 0;
        for (int round = 0; round < rounds; ++round) {
            const unsigned seed = firstSeed + static_cast<unsigned>(round);
            Damage damage(seed);
            std::size_t bytes = 0;
            const std::size_t chosen = damage.below(files.size());
            for (std::size_t i = 0; i < files.size(); ++i) {
                std::string content = sound[i];
                // Now and then all files are damaged.
                if (i == chosen || damage.below(8) == 0) {
                    if (of == TraceFormat::Nsys)
                        damage.database(content);
                    else
                        damage.text(content);
                }
                bytes += content.size();
                put(files[i], content);
            }
            (void)looksLikeTrace(files[chosen]);
            const Result<Trace> trace = importTrace(files);
            if (!trace) {
                ++refusals;
                const QString message = QString::fromStdString(trace.error().message);
                const bool named =
                    std::any_of(files.begin(), files.end(), [&](const std::string& file) {
                        return message.contains(QString::fromStdString(file));
                    });
                QVERIFY2(named && message.size() < 2'000,
                         qPrintable(QString("seed %1: %2").arg(seed).arg(message)));
                continue;
            }
            ++readings;
            constexpr std::size_t mostUnpacked = 1'000;
            const std::string flaw = flawOf(*trace, packed ? bytes * mostUnpacked : bytes);
            QVERIFY2(flaw.empty(), qPrintable(QString("seed %1: %2").arg(seed).arg(flaw.c_str())));
        }
        qInfo("%d read, %d refused", readings, refusals);
        QCOMPARE(readings + refusals, rounds);
        QVERIFY(readings > rounds / 100);
    }
};

PW_TEST(TestTraceDamage)
#include "tst_trace_damage.moc"
