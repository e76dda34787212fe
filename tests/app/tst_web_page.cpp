// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "core/io/offload_text.h"
#include "core/io/web_page.h"
#include "core/sim/metrics.h"
#include "tests/support/test_program.h"

#include <QFile>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QtTest>

using namespace pw;

namespace {

/// A family's schedule, simulated, as a page.
struct Paged
{
    std::optional<Schedule> schedule;
    Costs costs;
    SimResult result;
    QByteArray html;

    Paged(std::string_view family, int devices, int microBatches, std::string title = "Page",
          std::string notes = {}, const char* offload = nullptr)
    {
        FamilyOptions options;
        options.devices = devices;
        options.microBatches = microBatches;
        auto built = buildUniform(**findFamily(family), options, UniformCosts{});
        if (!built)
            qFatal("%s", built.error().message.c_str());
        schedule = std::move(*built);
        costs = expand(UniformCosts{}, schedule->spec());
        if (offload != nullptr) {
            costs.offload.cells = *parseOffload(offload, schedule->spec());
            costs.offload.link.latency = ticksPerMs / 2;
        }
        result = *simulate(*schedule, costs);
        html = QByteArray::fromStdString(writeWebPage(
            {std::move(title), std::move(notes), {{"Schedule", &*schedule, &costs, &result}}}));
    }
};

QJsonObject dataOf(const QByteArray& html)
{
    static const QByteArray mark = "<script type=\"application/json\" id=\"data\">";
    const qsizetype begin = html.indexOf(mark) + mark.size();
    const qsizetype end = html.indexOf("</script>", begin);
    QJsonParseError error{};
    const auto document = QJsonDocument::fromJson(html.mid(begin, end - begin), &error);
    if (error.error != QJsonParseError::NoError)
        qFatal("%s", qPrintable(error.errorString()));
    return document.object();
}

QString browser()
{
    for (const char* name : {"chromium", "chromium-browser", "google-chrome"}) {
        const QString path = QStandardPaths::findExecutable(QString::fromLatin1(name));
        if (!path.isEmpty())
            return path;
    }
    return {};
}

/// The page's document after a while in a browser without a window.
QString shown(const QByteArray& html, const QString& hash, int virtualMilliseconds = 4000)
{
    const QTemporaryDir folder;
    QFile file(folder.filePath(QStringLiteral("page.html")));
    if (!file.open(QIODevice::WriteOnly))
        return {};
    file.write(html);
    file.close();
    QProcess process;
    process.start(
        browser(),
        {QStringLiteral("--headless"), QStringLiteral("--no-sandbox"),
         QStringLiteral("--disable-gpu"),
         QStringLiteral("--user-data-dir=%1").arg(folder.filePath(QStringLiteral("home"))),
         QStringLiteral("--virtual-time-budget=%1").arg(virtualMilliseconds),
         QStringLiteral("--dump-dom"), QStringLiteral("file://%1#%2").arg(file.fileName(), hash)});
    if (!process.waitForFinished(60'000))
        return {};
    return QString::fromUtf8(process.readAllStandardOutput());
}

double attribute(const QString& dom, const QString& name)
{
    const QString before = QStringLiteral("data-%1=\"").arg(name);
    const qsizetype at = dom.indexOf(before);
    return at < 0 ? 0 : dom.mid(at + before.size()).section(QLatin1Char('"'), 0, 0).toDouble();
}

} // namespace

class TestWebPage : public QObject
{
    Q_OBJECT

private slots:
    /// What the page is told is what was simulated.
    void itHoldsEveryPassWithItsTimes()
    {
        for (const char* family : {"1f1b", "zb-v", "dualpipe", "seq1f1b"}) {
            const Paged page(family, 4, 8);
            const QJsonObject data = dataOf(page.html);
            const QJsonObject track = data["tracks"].toArray().at(0).toObject();
            const qint64 unit = data["unit"].toInteger();
            const QJsonArray devices = track["devices"].toArray();
            QCOMPARE(devices.size(), 4);
            qsizetype entries = 0;
            for (const DeviceId d : Ids<DeviceId>(4)) {
                const QJsonArray flat = devices.at(d).toArray();
                qint64 at = 0;
                EntryId e = page.schedule->begin(d);
                for (qsizetype i = 0; i < flat.size(); ++e, ++entries) {
                    const qint64 start = at + flat.at(i).toInteger();
                    at = start + flat.at(i + 1).toInteger();
                    QCOMPARE(start * unit, page.result.start[static_cast<std::size_t>(e)]);
                    QCOMPARE(at * unit, page.result.end[static_cast<std::size_t>(e)]);
                    const qint64 kind = flat.at(i + 2).toInteger();
                    const OrderEntry entry = page.schedule->entry(e);
                    QCOMPARE(kind % 8, static_cast<qint64>(entry.pass.kind));
                    QCOMPARE(flat.at(i + 3).toInteger(), qint64(entry.pass.microBatch));
                    i += kind >= 8 ? 11 : 7;
                }
            }
            QCOMPARE(entries, qsizetype(page.schedule->entryCount()));
        }
    }

    /// Ways to the host and back stand beside the passes.
    void itHoldsEveryCopyWithItsTimes()
    {
        const Paged page("1f1b", 4, 8, "Page", {}, "0,1:2-3");
        QCOMPARE(page.result.copies.size(), std::size_t(10));
        const QJsonObject data = dataOf(page.html);
        const qint64 unit = data["unit"].toInteger();
        const QJsonArray devices = data["tracks"].toArray().at(0).toObject()["copies"].toArray();
        QCOMPARE(devices.size(), 4);
        std::size_t next = 0;
        for (int d = 0; d < 4; ++d) {
            const QJsonArray flat = devices.at(d).toArray();
            for (qsizetype i = 0; i < flat.size(); i += 8) {
                const HostCopy& copy = page.result.copies[next++];
                QCOMPARE(copy.device, d);
                QCOMPARE(flat.at(i).toInteger() * unit, copy.outStart);
                QCOMPARE((flat.at(i).toInteger() + flat.at(i + 1).toInteger()) * unit, copy.outEnd);
                QCOMPARE(flat.at(i + 2).toInteger() * unit, copy.backStart);
                QCOMPARE((flat.at(i + 2).toInteger() + flat.at(i + 3).toInteger()) * unit,
                         copy.backEnd);
                QCOMPARE(flat.at(i + 4).toDouble(), microBatchesFromShare(copy.share));
                QCOMPARE(flat.at(i + 5).toInteger(), qint64(copy.cell.microBatch));
            }
        }
        QCOMPARE(next, page.result.copies.size());
        QVERIFY(!dataOf(Paged("1f1b", 4, 8).html)["tracks"].toArray().at(0).toObject().contains(
            "copies"));
    }

    void aBrowserDrawsCopies()
    {
        if (browser().isEmpty())
            QSKIP("no browser is installed");
        const Paged page("1f1b", 4, 8, "Page", {}, "0,1:2-3");
        const QString still = shown(page.html, QString());
        QCOMPARE(attribute(still, QStringLiteral("copied")), 20.0);
        QCOMPARE(attribute(still, QStringLiteral("peak")), peakMicroBatches(page.result));
        QVERIFY(still.contains(QStringLiteral("back from there")));
    }

    /// As on the stage: headings, and the times at which a paragraph comes up.
    void aBrowserDrawsNotesAsCards()
    {
        if (browser().isEmpty())
            QSKIP("no browser is installed");
        const Paged page("1f1b", 2, 2, "Page",
                         "# Begin <b>\nAll wait.\n\n@2 Now the second\nworks.\n\n@3.5 ms: late\n\n"
                         "mail@12 stays\n\n@2.5 stays\n\n@12 sec");
        const QString dom = shown(page.html, QString());
        const QString notes = dom.section(QStringLiteral("<div id=\"notes\">"), 1)
                                  .section(QStringLiteral("</div>"), 0, 0);
        QVERIFY2(notes.contains(QStringLiteral("<h3>Begin &lt;b&gt;</h3><p>All wait.</p>")),
                 qPrintable(notes));
        // The second device's first forward starts at 1 ms and ends at 2 ms, when the first one's
        // second has long been under way.
        QVERIFY2(
            notes.contains(QStringLiteral("<p><button>at 2 ms</button>Now the second\nworks.</p>")),
            qPrintable(notes));
        QVERIFY2(notes.contains(QStringLiteral("<p><button>at 3.5 ms</button>late</p>")),
                 qPrintable(notes));
        QVERIFY2(notes.contains(QStringLiteral("<p>mail@12 stays</p><p>@2.5 stays</p>")),
                 qPrintable(notes));
    }

    /// Nothing in a title or in notes is markup, or ends the data.
    void foreignTextStaysText()
    {
        const std::string evil = "</script><img src=x onerror=alert(1)><!--\"\\\n& é";
        const Paged page("1f1b", 2, 2, evil, evil);
        const QJsonObject data = dataOf(page.html);
        QCOMPARE(data["title"].toString().toStdString(), evil);
        QCOMPARE(data["notes"].toString().toStdString(), evil);
        QVERIFY(!page.html.contains("<img"));
        QCOMPARE(page.html.count("</script>"), 2);
    }

    void itLoadsNothing()
    {
        const Paged page("1f1b", 2, 2);
        for (const char* word : {"http:", "https:", "src=", "@import", "url(", "fetch("})
            QVERIFY2(!page.html.contains(word), word);
        QVERIFY(page.html.contains("default-src 'none'"));
    }

    void tenThousandPassesAreBelowAMegabyte()
    {
        const Paged page("zb-h1", 16, 210);
        QVERIFY(page.schedule->passCount() > 10'000);
        QVERIFY2(page.html.size() < 1'000'000, qPrintable(QString::number(page.html.size())));
    }

    void aBrowserDrawsAndPlaysIt()
    {
        if (browser().isEmpty())
            QSKIP("no browser is installed");
        const Paged page("zb-v", 4, 8, "ZB-V <b>", "Notes & more");
        const QString still = shown(page.html, QString());
        QVERIFY(still.contains(QStringLiteral("<h1 id=\"title\">ZB-V &lt;b&gt;</h1>")));
        QVERIFY(still.contains(QStringLiteral("Notes &amp; more")));
        QCOMPARE(attribute(still, QStringLiteral("drawn")),
                 static_cast<double>(page.schedule->entryCount()));
        const QString at = shown(page.html, QStringLiteral("t=2.25"));
        QCOMPARE(attribute(at, QStringLiteral("now")), 2.25);
        QVERIFY(at.contains(QStringLiteral("device 0: F")));
        // Time is virtual and pictures are not: on a busy machine a browser without a window may
        // draw none in the time it was given.
        QString played;
        for (int given = 4'000; given <= 256'000 && attribute(played, QStringLiteral("now")) <= 0;
             given *= 4)
            played = shown(page.html, QStringLiteral("play"), given);
        QVERIFY(attribute(played, QStringLiteral("now")) > 0);
        QVERIFY(played.contains(QStringLiteral(">Pause<")));
    }
};

PW_TEST(TestWebPage)
#include "tst_web_page.moc"
