// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/palette_model.h"

#include "core/families/family.h"
#include "core/io/schedule_text.h"
#include "core/sim/simulator.h"
#include "ui/core_words.h"
#include "ui/models/lanes.h"
#include "ui/plain_text.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/lane_painter.h"

#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QPixmap>
#include <QStringList>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr QSize pictureSize(52, 30);

/// The smallest shape that shows what a family is like and that it takes.
FamilyOptions exampleOptions()
{
    FamilyOptions options;
    options.devices = 4;
    options.microBatches = 4;
    return options;
}

LanesPtr lanesOfFamily(const Family& family)
{
    FamilyOptions options = exampleOptions();
    for (const int microBatches : {4, 8, 12}) {
        options.microBatches = microBatches;
        Result<Schedule> schedule = buildUniform(family, options, UniformCosts{});
        if (!schedule)
            continue;
        const Costs costs = expand(UniformCosts{}, schedule->spec());
        if (const Result<SimResult> result = simulate(*schedule, costs); result)
            return lanesOf(std::make_shared<const Schedule>(std::move(*schedule)), *result);
    }
    return {};
}

/// A block as it is drawn, also one that is unfinished or collides.
LanesPtr lanesOf(const BuildingBlock& block)
{
    Draft draft{specOf(block), {}};
    if (!check(draft.spec))
        return {};
    std::vector<std::vector<BlockPass>> devices(static_cast<std::size_t>(block.devices));
    for (const BlockPass& placed : block.passes)
        devices[static_cast<std::size_t>(block.device(placed.pass))].push_back(placed);
    std::vector<Lane> lanes(devices.size());
    auto passes = std::make_shared<std::vector<Pass>>();
    const ChunkTable chunks(draft.spec);
    int mostChunks = 1;
    for (const std::vector<HostedStage>& device : chunksOfDevices(draft.spec))
        mostChunks = std::max(mostChunks, static_cast<int>(device.size()));
    for (std::size_t device = 0; device < devices.size(); ++device) {
        std::stable_sort(devices[device].begin(), devices[device].end(),
                         [](const BlockPass& a, const BlockPass& b) { return a.start < b.start; });
        for (const BlockPass& placed : devices[device]) {
            Lane& lane = lanes[device];
            SpanLook look;
            look.kind = placed.pass.kind;
            look.tint =
                tintOf(chunks.chunk(placed.pass.route, placed.pass.stage), mostChunks) & fullTint;
            lane.start.push_back(placed.start);
            lane.end.push_back(placed.end());
            lane.look.push_back(look);
            lane.entry.push_back(static_cast<std::int32_t>(passes->size()));
            passes->push_back(placed.pass);
        }
    }
    return std::make_shared<const Lanes>(std::move(lanes), [passes](std::int32_t entry, bool) {
        return (*passes)[static_cast<std::size_t>(entry)];
    });
}

LanesPtr lanesOfBlock(const Family& family)
{
    // Enough micro-batches for a steady state in every family.
    FamilyOptions options = exampleOptions();
    options.microBatches = 3 * options.devices;
    const Result<BuildingBlock> block = family.block(options);
    return block ? lanesOf(*block) : LanesPtr{};
}

/// "chunks 2: chunks a device", a line a parameter.
QString parametersText(const Family& family)
{
    QStringList lines;
    for (const Parameter& one : family.parameters) {
        const QString fallback =
            one.rule == nullptr ? text(valueText(one, one.fallback)) : coreWords(one.fallbackText);
        lines += QStringLiteral("%1 %2: %3").arg(text(one.name), fallback, coreWords(one.summary));
    }
    return lines.join(QLatin1Char('\n'));
}

QPixmap paintLanes(const Lanes& lanes)
{
    const double ratio = qGuiApp->devicePixelRatio();
    QPixmap picture(pictureSize * ratio);
    picture.setDevicePixelRatio(ratio);
    picture.fill(Qt::transparent);
    QPainter painter(&picture);
    const double high =
        static_cast<double>(pictureSize.height()) / static_cast<double>(lanes.lanes().size());
    const double perTick = pictureSize.width() / static_cast<double>(lanes.end() - lanes.begin());
    for (std::size_t lane = 0; lane < lanes.lanes().size(); ++lane) {
        const Lane& spans = lanes.lanes()[lane];
        for (std::size_t i = 0; i < spans.size(); ++i) {
            const double left = static_cast<double>(spans.start[i] - lanes.begin()) * perTick;
            const double right = static_cast<double>(spans.end[i] - lanes.begin()) * perTick;
            painter.fillRect(QRectF(left, static_cast<double>(lane) * high,
                                    std::max(0.7, right - left - 0.4), high - 1),
                             spanColor(ColorBy::Kind, spans.look[i].kind, spans.look[i].tint, 0));
        }
    }
    return picture;
}

} // namespace

QString PaletteModel::tipOf(const Row& row)
{
    QStringList parts = {row.title, row.summary, row.detail, row.citation};
    parts.removeAll(QString());
    return tipLines(parts.join(QLatin1Char('\n')));
}

PaletteModel::PaletteModel(QObject* parent)
    : QAbstractListModel(parent)
{
    const auto section = [this](const QString& title) {
        Row row;
        row.title = title;
        m_rows.push_back(std::move(row));
    };
    section(tr("Families · %1").arg(allFamilies().size()));
    for (const Family& family : allFamilies()) {
        Row row;
        row.kind = PaletteKind::Family;
        row.id = text(family.id);
        row.title = text(family.title);
        row.summary = coreWords(family.summary);
        row.citation = text(family.citation);
        row.detail = parametersText(family);
        row.family = &family;
        m_rows.push_back(std::move(row));
    }
    section(tr("Building blocks"));
    for (const Family& family : allFamilies()) {
        if (family.block == nullptr)
            continue;
        Row row;
        row.kind = PaletteKind::Block;
        row.id = text(family.id);
        row.title = tr("%1 block").arg(text(family.title));
        row.summary = coreWords(family.summary);
        row.detail = tr("One micro-batch, repeated at its interval");
        row.citation = text(family.citation);
        row.family = &family;
        m_rows.push_back(std::move(row));
    }
    m_firstOwn = rowCount();
    section(tr("Passes"));
    const std::pair<PassKind, QString> passes[] = {{PassKind::F, tr("forward")},
                                                   {PassKind::B, tr("backward for the input")},
                                                   {PassKind::W, tr("backward for the weights")},
                                                   {PassKind::BW, tr("backward for both")},
                                                   {PassKind::R, tr("recompute")},
                                                   {PassKind::U, tr("optimizer update")}};
    for (const auto& [kind, meaning] : passes) {
        Row row;
        row.kind = PaletteKind::Pass;
        row.id = row.title = text(name(kind));
        row.summary = meaning;
        row.pass = kind;
        m_rows.push_back(std::move(row));
    }
}

int PaletteModel::rowCount(const QModelIndex& parent) const
{
    return parent.isValid() ? 0 : static_cast<int>(m_rows.size());
}

QVariant PaletteModel::data(const QModelIndex& index, int role) const
{
    if (!index.isValid() || index.row() >= rowCount())
        return {};
    const Row& row = m_rows[static_cast<std::size_t>(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        return row.title;
    case Qt::EditRole:
        return row.kind == PaletteKind::OwnBlock
                   ? text(m_ownBlocks[static_cast<std::size_t>(row.block)].title)
                   : row.title;
    case Qt::ToolTipRole:
        return row.kind == PaletteKind::Section ? QVariant() : QVariant(tipOf(row));
    case Qt::AccessibleTextRole:
        return row.title + QStringLiteral(", ") + row.summary;
    case KindRole:
        return static_cast<int>(row.kind);
    case IdRole:
        return row.id;
    case ItemRole:
        return QVariant::fromValue(PaletteItem{row.kind, row.id, row.block, m_microBatches});
    case SummaryRole:
        return row.summary;
    case DetailRole:
        return row.detail;
    case CitationRole:
        return row.citation;
    case PictureRole:
        if (row.picture.isNull() && row.kind != PaletteKind::Section)
            row.picture = pictureOf(row);
        return row.picture;
    default:
        return {};
    }
}

QPixmap PaletteModel::pictureOf(const Row& row) const
{
    if (row.kind == PaletteKind::Pass) {
        const double ratio = qGuiApp->devicePixelRatio();
        QPixmap picture(pictureSize * ratio);
        picture.setDevicePixelRatio(ratio);
        picture.fill(Qt::transparent);
        QPainter painter(&picture);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(Qt::NoPen);
        painter.setBrush(color(roleOf(row.pass, false)));
        painter.drawRoundedRect(QRectF(10, 4, 32, 22), 3, 3);
        if (row.pass == PassKind::BW) {
            painter.setBrush(color(pw::Role::Weight));
            painter.drawRoundedRect(QRectF(10, 20, 32, 6), 3, 3);
        }
        return picture;
    }
    const LanesPtr lanes = row.kind == PaletteKind::Family ? lanesOfFamily(*row.family)
                           : row.kind == PaletteKind::Block
                               ? lanesOfBlock(*row.family)
                               : lanesOf(m_ownBlocks[static_cast<std::size_t>(row.block)]);
    QPixmap none(1, 1);
    none.fill(Qt::transparent);
    return lanes ? paintLanes(*lanes) : none;
}

void PaletteModel::forgetPictures()
{
    for (Row& row : m_rows)
        row.picture = {};
    Q_EMIT dataChanged(index(0), index(rowCount() - 1), {PictureRole});
}

Qt::ItemFlags PaletteModel::flags(const QModelIndex& index) const
{
    if (!index.isValid())
        return Qt::NoItemFlags;
    if (m_rows[static_cast<std::size_t>(index.row())].kind == PaletteKind::Section)
        return Qt::NoItemFlags; // no key stops at a heading
    const Qt::ItemFlags usual = Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
    const bool own = m_rows[static_cast<std::size_t>(index.row())].kind == PaletteKind::OwnBlock;
    return own ? usual | Qt::ItemIsEditable : usual;
}

bool PaletteModel::setData(const QModelIndex& index, const QVariant& value, int role)
{
    const auto item = index.data(ItemRole).value<PaletteItem>();
    const QString title = value.toString().trimmed();
    if (role != Qt::EditRole || item.kind != PaletteKind::OwnBlock ||
        title == index.data(Qt::EditRole).toString())
        return false;
    Q_EMIT renameAsked(item.block, title);
    return true;
}

PaletteModel::Row PaletteModel::rowOf(const BuildingBlock& block, int index) const
{
    Row row;
    row.kind = PaletteKind::OwnBlock;
    row.id = QString::number(index);
    row.block = index;
    row.title = block.title.empty() ? tr("Block %1").arg(index + 1) : text(block.title);
    row.summary =
        tr("%1 · interval %2").arg(plural(block.devices, Noun::Device)).arg(block.interval);
    return row;
}

void PaletteModel::setOwnBlocks(const std::vector<BuildingBlock>& blocks)
{
    if (blocks == m_ownBlocks)
        return;
    if (blocks.size() == m_ownBlocks.size()) {
        m_ownBlocks = blocks;
        for (std::size_t i = 0; i < blocks.size(); ++i)
            m_rows[static_cast<std::size_t>(m_firstOwn) + 1 + i] =
                rowOf(blocks[i], static_cast<int>(i));
        const int last = m_firstOwn + static_cast<int>(blocks.size());
        Q_EMIT dataChanged(index(m_firstOwn + 1), index(last));
        return;
    }
    if (!m_ownBlocks.empty()) {
        const int last = m_firstOwn + static_cast<int>(m_ownBlocks.size());
        beginRemoveRows({}, m_firstOwn, last);
        m_rows.erase(m_rows.begin() + m_firstOwn, m_rows.begin() + last + 1);
        m_ownBlocks.clear();
        endRemoveRows();
    }
    if (!blocks.empty()) {
        beginInsertRows({}, m_firstOwn, m_firstOwn + static_cast<int>(blocks.size()));
        m_ownBlocks = blocks;
        std::vector<Row> rows(1);
        rows.front().title = tr("My blocks");
        for (std::size_t i = 0; i < blocks.size(); ++i)
            rows.push_back(rowOf(blocks[i], static_cast<int>(i)));
        m_rows.insert(m_rows.begin() + m_firstOwn, rows.begin(), rows.end());
        endInsertRows();
    }
}

QStringList PaletteModel::mimeTypes() const
{
    return {QString::fromLatin1(paletteMimeType)};
}

QMimeData* PaletteModel::mimeData(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty())
        return nullptr;
    const auto item = indexes.first().data(ItemRole).value<PaletteItem>();
    return item.kind == PaletteKind::Section ? nullptr : item.mimeData();
}

} // namespace pw::ui
