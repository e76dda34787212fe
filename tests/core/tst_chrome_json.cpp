// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/io/chrome_json.h"
#include "core/io/offload_text.h"
#include "core/io/schedule_text.h"
#include "core/io/svg_figure.h"
#include "core/sim/simulator.h"
#include "tests/support/test_program.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QXmlStreamReader>
#include <QtTest>

#include <map>

using namespace pw;

namespace {

struct Timeline
{
    Schedule schedule;
    Costs costs;
    SimResult result;
};

Timeline timelineOf(const std::string& text, Bytes activation = 0, const char* offload = nullptr)
{
    const auto draft = readScheduleText(text);
    if (!draft)
        qFatal("%s", draft.error().message.c_str());
    const auto schedule = Schedule::make(draft->spec, draft->orders);
    if (!schedule)
        qFatal("%s", schedule.error().message.c_str());
    UniformCosts uniform;
    uniform.forward = 1'000'001;
    uniform.hop = 250;
    uniform.activation = activation;
    Costs costs = expand(uniform, schedule->spec());
    if (offload != nullptr) {
        costs.offload.cells = *parseOffload(offload, schedule->spec());
        costs.offload.link.latency = 300'000;
    }
    const auto result = simulate(*schedule, costs);
    if (!result)
        qFatal("%s", result.error().message.c_str());
    return {*schedule, costs, *result};
}

QJsonArray eventsOf(const Timeline& timeline)
{
    QJsonParseError error;
    const auto json =
        QJsonDocument::fromJson(QByteArray::fromStdString(writeChromeJson(
                                    timeline.schedule, timeline.costs, timeline.result)),
                                &error);
    if (error.error != QJsonParseError::NoError)
        qFatal("%s", qPrintable(error.errorString()));
    return json.object()["traceEvents"].toArray();
}

Ticks ticksOf(const QJsonValue& microseconds)
{
    return static_cast<Ticks>(std::llround(microseconds.toDouble() * 1000));
}

const char* const pairs = "placement: v\n"
                          "d0: F0 F1 F0.1 B0.1 W0.1 (F1.1+BW0) BW1.1 BW1\n"
                          "d1: F0 F0.1 F1 BW0.1 F1.1 BW0 BW1.1 BW1\n";

} // namespace

class TestChromeJson : public QObject
{
    Q_OBJECT

private slots:
    void everyEntryIsASlice()
    {
        const Timeline timeline = timelineOf(pairs);
        std::size_t slices = 0;
        std::size_t next = 0;
        const QJsonArray events = eventsOf(timeline);
        for (const QJsonValue& value : events) {
            const QJsonObject event = value.toObject();
            if (event["ph"] != "X")
                continue;
            const std::int32_t index = timeline.schedule.begin(DeviceId(event["pid"].toInt())) +
                                       event["args"]["entry"].toInt();
            QCOMPARE(static_cast<std::size_t>(index), next++);
            const auto at = static_cast<std::size_t>(index);
            QCOMPARE(ticksOf(event["ts"]), timeline.result.start[at]);
            QCOMPARE(ticksOf(event["ts"]) + ticksOf(event["dur"]), timeline.result.end[at]);
            ++slices;
        }
        QCOMPARE(slices, timeline.result.start.size());
    }

    void labelsAreThoseOfPyTorch()
    {
        const Timeline timeline = timelineOf(pairs);
        QStringList labels;
        const QJsonArray events = eventsOf(timeline);
        for (const QJsonValue& value : events) {
            const QJsonObject event = value.toObject();
            if (event["ph"] == "X" && event["pid"] == 0)
                labels += event["name"].toString();
        }
        QCOMPARE(labels.join(' '), QString("PP:0F0 PP:0F1 PP:3F0 PP:3I0 PP:3W0 "
                                           "PP:(3F1;0B0)OVERLAP_F_B PP:3B1 PP:0B1"));
    }

    void everyMessageIsAnArrowBetweenTwoSlices()
    {
        const Timeline timeline = timelineOf(pairs);
        struct End
        {
            int device;
            Ticks time;
            QString name;
        };
        std::map<int, End> from;
        std::map<int, End> to;
        const QJsonArray events = eventsOf(timeline);
        for (const QJsonValue& value : events) {
            const QJsonObject event = value.toObject();
            const QString phase = event["ph"].toString();
            if (phase != "s" && phase != "f")
                continue;
            QVERIFY(phase == "s" || event["bp"] == "e");
            const End end{event["pid"].toInt(), ticksOf(event["ts"]), event["name"].toString()};
            QVERIFY((phase == "s" ? from : to).emplace(event["id"].toInt(), end).second);
        }
        // Two micro-batches over four stages, of which 1 and 2 share a device.
        QCOMPARE(from.size(), std::size_t(8));
        QCOMPARE(to.size(), from.size());
        auto inside = [&](const End& end) {
            for (const EntryId i : timeline.schedule.entries(DeviceId(end.device))) {
                const auto at = static_cast<std::size_t>(i);
                if (timeline.result.start[at] <= end.time && end.time < timeline.result.end[at])
                    return true;
            }
            return false;
        };
        for (const auto& [id, start] : from) {
            const End& end = to.at(id);
            QVERIFY(start.device != end.device && start.name == end.name);
            QVERIFY(start.time < end.time);
            QVERIFY(inside(start) && inside(end));
        }
    }

    void memoryIsCountedWhereThereAreBytes()
    {
        auto counters = [](const Timeline& timeline) {
            int count = 0;
            double last = -1;
            const QJsonArray events = eventsOf(timeline);
            for (const QJsonValue& value : events) {
                const QJsonObject event = value.toObject();
                if (event["ph"] != "C")
                    continue;
                ++count;
                last = event["args"]["activations"].toDouble(-1);
            }
            return std::pair(count, last);
        };
        QCOMPARE(counters(timelineOf(pairs)).first, 0);
        const auto [count, last] = counters(timelineOf(pairs, 1000));
        QVERIFY(count > 10);
        QCOMPARE(last, 0.0);
    }

    void devicesAreNamedAndSorted()
    {
        QStringList names;
        const QJsonArray events = eventsOf(timelineOf(pairs));
        for (const QJsonValue& value : events) {
            const QJsonObject event = value.toObject();
            if (event["ph"] == "M" && event["name"] == "process_name")
                names += event["args"]["name"].toString();
        }
        QCOMPARE(names, QStringList({"device 0", "device 1"}));
    }

    void aTableRowIsAPassWithExactTimes()
    {
        const Timeline timeline = timelineOf("d0: F0 BW0\nd1: F0 BW0\n");
        QCOMPARE(QString::fromStdString(writeTimelineCsv(timeline.schedule, timeline.result)),
                 QString("device,kind,route,stage,micro_batch,segment,start_ms,end_ms\n"
                         "0,F,0,0,0,0,0,1.000001\n"
                         "0,BW,0,0,0,0,4.000502,6.000502\n"
                         "1,F,0,1,0,0,1.000251,2.000252\n"
                         "1,BW,0,1,0,0,2.000252,4.000252\n"));
        const Timeline two = timelineOf(pairs);
        const QString text = QString::fromStdString(writeTimelineCsv(two.schedule, two.result));
        QCOMPARE(text.count('\n'), 1 + static_cast<int>(two.schedule.passCount()));
    }

    void aFigureIsWellFormedAndShowsEveryEntry()
    {
        const Timeline timeline = timelineOf(pairs);
        FigureStyle style;
        style.title = "a < b & \"c\"";
        const std::string svg = writeSvgFigure(timeline.schedule, timeline.result, style);
        QXmlStreamReader reader(QByteArray::fromStdString(svg));
        QStringList texts;
        int blocks = 0;
        while (!reader.atEnd()) {
            reader.readNext();
            if (!reader.isStartElement())
                continue;
            const QString name = reader.name().toString();
            const QString style_ = reader.attributes().value("class").toString();
            if (name == "rect" && QStringList({"f", "b", "w", "fl", "bl", "wl"}).contains(style_))
                ++blocks;
            if (name == "text")
                texts += reader.readElementText();
        }
        QVERIFY2(!reader.hasError(), qPrintable(reader.errorString()));
        // Passes, the stripes of 8 BW at least, and the keys of the legend.
        QVERIFY(blocks >= static_cast<int>(timeline.schedule.passCount()));
        QVERIFY(texts.contains("a < b & \"c\""));
        QVERIFY(texts.contains("device 1"));
        QVERIFY(texts.contains("F0") && texts.contains("BW1"));
        QVERIFY(texts.filter("wall bubble").size() == 1);
    }

    /// On a thread for either direction; a reader of passes finds none of them.
    void aCopyIsASliceOfItsOwnThread()
    {
        const Timeline timeline = timelineOf(pairs, 1000, "0,3:1");
        QCOMPARE(timeline.result.copies.size(), std::size_t(3));
        std::map<std::pair<int, int>, QStringList> threads;
        std::map<std::pair<Ticks, Ticks>, int> times;
        const QJsonArray events = eventsOf(timeline);
        for (const QJsonValue& value : events) {
            const QJsonObject event = value.toObject();
            const std::pair where(event["pid"].toInt(), event["tid"].toInt());
            if (event["ph"] == "M" && event["name"] == "thread_name")
                threads[where].prepend(event["args"]["name"].toString());
            if (event["ph"] != "X" || where.second == 0)
                continue;
            QCOMPARE(event["cat"].toString(), QString("copy"));
            QVERIFY(!event["name"].toString().contains("PP:"));
            QCOMPARE(event["args"]["bytes"].toInteger(), qint64(500));
            threads[where] += event["name"].toString();
            ++times[{ticksOf(event["ts"]), ticksOf(event["ts"]) + ticksOf(event["dur"])}];
        }
        const std::pair out(0, 1), back(0, 2);
        // In the order of need.
        QCOMPARE(threads.at(out), QStringList({"to host", "to host: stage 0, micro-batch 0",
                                               "to host: stage 3, micro-batch 1",
                                               "to host: stage 0, micro-batch 1"}));
        QCOMPARE(threads.at(back).size(), 4);
        QVERIFY(threads.count({1, 1}) == 0);
        for (const HostCopy& copy : timeline.result.copies) {
            QCOMPARE(times.count({copy.outStart, copy.outEnd}), std::size_t(1));
            QCOMPARE(times.count({copy.backStart, copy.backEnd}), std::size_t(1));
        }
    }

    void aFigureShowsWhatGoesToTheHost()
    {
        const auto marks = [](const Timeline& timeline) {
            std::map<QString, int> found;
            QXmlStreamReader reader(
                QByteArray::fromStdString(writeSvgFigure(timeline.schedule, timeline.result, {})));
            while (!reader.atEnd()) {
                reader.readNext();
                if (reader.isStartElement())
                    ++found[reader.name().toString() + QLatin1Char('.') +
                            reader.attributes().value("class").toString()];
            }
            return found;
        };
        const auto none = marks(timelineOf(pairs));
        QVERIFY(none.count("rect.ho") == 0 && none.count("path.hb") == 0);
        // Bars and marks of three cells, and the two signs of the legend. The one in an overlapped
        // pair has a corner, as in the studio's lanes; a ⇡ is a head and a stem of two dashes.
        auto some = marks(timelineOf(pairs, 1000, "0,3:1"));
        for (const char* mark : {"rect.ho", "rect.hb", "path.hb"})
            QCOMPARE(some[mark], 4);
        QCOMPARE(some["path.ho"], 1);
        QCOMPARE(some["path.aw"] + some["path.a"], 3);
        QCOMPARE(some["rect.aw"] + some["rect.a"], 6);
    }

    void aFigureOfManyPassesStaysSmall()
    {
        std::string text = "micro-batches: 20000\n";
        for (const char* kind : {"F", "BW"}) {
            for (int j = 0; j < 20000; ++j)
                text += (j == 0 && kind[0] == 'F' ? "d0: " : " ") + std::string(kind) +
                        std::to_string(j);
        }
        const Timeline timeline = timelineOf(text);
        const std::string svg = writeSvgFigure(timeline.schedule, timeline.result, {});
        QVERIFY2(svg.size() < 1'000'000, qPrintable(QString::number(svg.size())));
    }
};

PW_TEST(TestChromeJson)
#include "tst_chrome_json.moc"
