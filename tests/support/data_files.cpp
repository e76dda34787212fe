// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "tests/support/data_files.h"

#include "core/sqlite/sqlite.h"
#include "tests/support/chrome_traces.h"

#include <QDir>
#include <QFileInfo>
#include <QString>
#include <QStringList>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <memory>
#include <tuple>
#include <vector>

namespace pw::test {

namespace {

/// An event of the step, with its place in time.
struct StepEvent
{
    qint64 time = 0;
    int phase = 0; ///< at one time an end comes before a beginning
    QString text;
};

std::vector<StepEvent> eventsOf(const QStringList& row)
{
    const qint64 begin = row[0].toLongLong();
    const qint64 end = row[1].toLongLong();
    const QString head =
        QStringLiteral("{\"name\": \"%1\", \"pid\": %2, \"tid\": 0, ")
            .arg(QString(row[3]).replace(QLatin1Char('-'), QLatin1Char(' ')), row[2]);
    const auto event = [&head](const char* phase, qint64 time, const QString& numbers) {
        return head + QStringLiteral("\"ph\": \"%1\", \"ts\": %2, \"args\": {\"iteration\": 10%3}}")
                          .arg(QLatin1String(phase))
                          .arg(time)
                          .arg(numbers);
    };
    if (row[4].isEmpty())
        return {{begin, 1, event("i", begin, {})}};
    const QString numbers =
        QStringLiteral(", \"microbatch\": %1, \"model_chunk\": %2, \"pp_rank\": %3")
            .arg(row[4], row[5], row[2]);
    return {{begin, 1, event("B", begin, {})}, {end, 0, event("E", end, numbers)}};
}

} // namespace

std::string testData(const std::string& name)
{
    return PW_TEST_DATA "/" + name;
}

std::string testDataText(const std::string& name)
{
    const std::string path = testData(name);
    const gzFile file = gzopen(path.c_str(), "rb"); // reads plain files as they are
    if (file == nullptr)
        qFatal("cannot read %s", path.c_str());
    std::string text;
    std::array<char, 1 << 16> part{};
    int got = 0;
    while ((got = gzread(file, part.data(), static_cast<unsigned>(part.size()))) > 0)
        text.append(part.data(), static_cast<std::size_t>(got));
    if (got < 0 || gzclose(file) != Z_OK || text.empty())
        qFatal("cannot read %s", path.c_str());
    return text;
}

void makeDatabase(const std::string& name, const std::string& path)
{
    const Result<std::unique_ptr<Database>> database = Database::open(path, Database::Mode::Create);
    if (!database)
        qFatal("%s", database.error().message.c_str());
    const Result<void> done =
        (*database)->run(testDataText(name).c_str(), name + " cannot be read into it");
    if (!done)
        qFatal("%s", done.error().message.c_str());
}

void writeMegatronStep(const std::string& path)
{
    const QString table = QString::fromStdString(testDataText("traces/megatron-p4-v4-m8.csv"));
    std::vector<StepEvent> events;
    for (const QString& line : table.split(QLatin1Char('\n'), Qt::SkipEmptyParts)) {
        const QStringList row = line.split(QLatin1Char(','));
        if (line.startsWith(QLatin1Char('#')) || row.size() != 6 ||
            row[0] == QLatin1String("begin"))
            continue;
        for (const StepEvent& event : eventsOf(row))
            events.push_back(event);
    }
    std::stable_sort(events.begin(), events.end(), [](const StepEvent& a, const StepEvent& b) {
        return std::tie(a.time, a.phase) < std::tie(b.time, b.phase);
    });
    QStringList texts;
    for (const StepEvent& event : events)
        texts += event.text;
    writeTrace(path, ("[\n" + texts.join(QLatin1String(",\n")) + "\n]\n").toStdString());
}

std::string largeTraceFolder()
{
    const QByteArray given = qgetenv("PW_DATA");
    return given.isEmpty() ? std::string(PW_DATA_DIR) : given.toStdString();
}

std::vector<std::string> largeTraces()
{
    const QStringList noTraces = {QStringLiteral("attack"), QStringLiteral("logs"),
                                  QStringLiteral("measured"), QStringLiteral("wild")};
    std::vector<std::string> found;
    for (const QFileInfo& info :
         QDir(QString::fromStdString(largeTraceFolder()))
             .entryInfoList(QDir::Files | QDir::Dirs | QDir::NoDotAndDotDot, QDir::Name))
        if (!noTraces.contains(info.fileName()) && info.suffix() != QLatin1String("md"))
            found.push_back(info.filePath().toStdString());
    return found;
}

} // namespace pw::test
