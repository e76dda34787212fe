// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/clip_mime.h"

#include "core/base/try.h"
#include "core/io/schedule_text.h"
#include "ui/core_sentences.h"

#include <QCoreApplication>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QMimeData>

#include <algorithm>

namespace pw::ui {

namespace {

class ClipWords
{
    Q_DECLARE_TR_FUNCTIONS(Clip)
};

constexpr QLatin1String passesKey("passes"), deviceKey("device"), offsetKey("offset_ns"),
    kindKey("kind"), routeKey("route"), stageKey("stage"), microBatchKey("micro_batch"),
    segmentKey("segment"), entriesKey("entries");

QJsonObject jsonOf(const Pass& pass)
{
    const std::string_view kind = name(pass.kind);
    return {{kindKey, QString::fromLatin1(kind.data(), static_cast<qsizetype>(kind.size()))},
            {routeKey, static_cast<int>(pass.route)},
            {stageKey, pass.stage.value},
            {microBatchKey, pass.microBatch},
            {segmentKey, pass.segment}};
}

std::optional<Pass> passOf(const QJsonObject& json)
{
    const std::string kind = json.value(kindKey).toString().toStdString();
    const auto known = std::find_if(allPassKinds.begin(), allPassKinds.end(),
                                    [&](PassKind one) { return name(one) == kind; });
    const int route = json.value(routeKey).toInt(-1);
    Pass pass;
    pass.stage = StageId(json.value(stageKey).toInt(-1));
    pass.microBatch = json.value(microBatchKey).toInt(-1);
    pass.segment = json.value(segmentKey).toInt(-1);
    if (known == allPassKinds.end() || route < 0 || route > 1 || pass.stage < 0 ||
        pass.microBatch < 0 || pass.segment < 0)
        return std::nullopt;
    pass.kind = *known;
    pass.route = static_cast<std::uint8_t>(route);
    return pass;
}

std::optional<Clip> read(const QByteArray& bytes)
{
    const QJsonDocument document = QJsonDocument::fromJson(bytes);
    const QJsonArray entries = document.object().value(entriesKey).toArray();
    Clip clip;
    for (qsizetype i = 0; i < entries.size(); ++i) {
        const QJsonObject json = entries.at(i).toObject();
        const QJsonArray passes = json.value(passesKey).toArray();
        Clip::Entry entry;
        entry.device = DeviceId(json.value(deviceKey).toInt(-1));
        entry.offset = json.value(offsetKey).toInteger(-1);
        entry.entry.paired = passes.size() == 2;
        const std::optional<Pass> first = passOf(passes.first().toObject());
        const std::optional<Pass> second = passOf(passes.last().toObject());
        if (!first || !second || passes.size() > 2 || entry.device < 0 || entry.offset < 0)
            return std::nullopt;
        entry.entry.pass = *first;
        if (entry.entry.paired)
            entry.entry.partner = *second;
        clip.entries.push_back(entry);
    }
    return clip.empty() ? std::nullopt : std::optional(std::move(clip));
}

/// A text as the clip of everything that it has.
Result<Clip> readText(const QString& text, const Project& project)
{
    PipelineSpec spec = project.draft.spec;
    PW_TRY(Draft draft, readScheduleText(text.toStdString(), &spec));
    Project other;
    other.draft = std::move(draft);
    other.costs = project.costs;
    std::vector<EntryAt> all;
    for (std::size_t device = 0; device < other.draft.orders.size(); ++device)
        for (std::size_t i = 0; i < other.draft.orders[device].size(); ++i)
            all.push_back({DeviceId(device), static_cast<std::int32_t>(i)});
    return copyEntries(other, std::move(all));
}

} // namespace

QMimeData* mimeOf(const Clip& clip, const PipelineSpec& spec)
{
    QJsonArray entries;
    Draft draft{spec, DeviceOrders(static_cast<std::size_t>(spec.devices))};
    for (const Clip::Entry& entry : clip.entries) {
        QJsonArray passes{jsonOf(entry.entry.pass)};
        if (entry.entry.paired)
            passes.append(jsonOf(entry.entry.partner));
        entries.append(QJsonObject{{deviceKey, entry.device.value},
                                   {offsetKey, static_cast<qint64>(entry.offset)},
                                   {passesKey, passes}});
        draft.orders[static_cast<std::size_t>(entry.device)].push_back(entry.entry);
    }
    auto* data = new QMimeData;
    data->setData(QString::fromLatin1(clipMimeType),
                  QJsonDocument(QJsonObject{{entriesKey, entries}}).toJson(QJsonDocument::Compact));
    data->setText(QString::fromStdString(writeScheduleText(draft)));
    return data;
}

Result<Clip> clipOf(const QMimeData& data, const Project& project)
{
    const QString type = QString::fromLatin1(clipMimeType);
    if (data.hasFormat(type)) {
        if (std::optional<Clip> clip = read(data.data(type)); clip)
            return *std::move(clip);
        return fail(ErrorCode::Syntax,
                    ClipWords::tr("The passes on the clipboard cannot be read.").toStdString());
    }
    if (!data.hasText() || data.text().trimmed().isEmpty())
        return fail(ErrorCode::BadValue,
                    ClipWords::tr("There are no passes on the clipboard.").toStdString());
    Result<Clip> clip = readText(data.text(), project);
    if (!clip)
        return fail(clip.error().code,
                    ClipWords::tr("The text on the clipboard is not a schedule: %1")
                        .arg(coreSentence(clip.error().message))
                        .toStdString());
    return clip;
}

} // namespace pw::ui
