// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/palette_model.h"

#include "core/block/arrangement.h"
#include "core/families/family.h"
#include "core/sim/simulator.h"
#include "ui/models/lanes.h"
#include "ui/presentation.h"
#include "ui/timeline/lane_painter.h"

#include <QGuiApplication>
#include <QMimeData>
#include <QPainter>
#include <QPixmap>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr QSize pictureSize(52, 30);

QString qt(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

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

LanesPtr lanesOfBlock(const Family& family)
{
    // Enough micro-batches for a steady state in every family.
    FamilyOptions options = exampleOptions();
    options.microBatches = 3 * options.devices;
    const Result<BuildingBlock> block = family.block(options);
    if (!block)
        return {};
    const Result<Arrangement> once = repeat(*block, block->microBatches);
    if (!once)
        return {};
    Result<Schedule> schedule = scheduleOf(*once);
    return schedule
               ? lanesOf(std::make_shared<const Schedule>(std::move(*schedule)), timesOf(*once))
               : LanesPtr{};
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
                             color(roleOf(spans.look[i].kind, spans.look[i].tint)));
        }
    }
    return picture;
}

} // namespace

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
        row.id = qt(family.id);
        row.title = qt(family.title);
        row.summary = qt(family.summary);
        row.citation = qt(family.citation);
        row.family = &family;
        m_rows.push_back(std::move(row));
    }
    section(tr("Building blocks"));
    for (const Family& family : allFamilies()) {
        if (family.block == nullptr)
            continue;
        Row row;
        row.kind = PaletteKind::Block;
        row.id = qt(family.id);
        row.title = tr("%1 block").arg(qt(family.title));
        row.summary = tr("One micro-batch, repeated at its interval");
        row.citation = qt(family.citation);
        row.family = &family;
        m_rows.push_back(std::move(row));
    }
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
        row.id = row.title = qt(name(kind));
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
    case Qt::ToolTipRole:
        return row.kind == PaletteKind::Section || row.citation.isEmpty()
                   ? QVariant()
                   : QVariant(QStringLiteral("<b>%1</b><br>%2<br><i>%3</i>")
                                  .arg(row.title.toHtmlEscaped(), row.summary.toHtmlEscaped(),
                                       row.citation.toHtmlEscaped()));
    case Qt::AccessibleTextRole:
        return row.title + QStringLiteral(", ") + row.summary;
    case KindRole:
        return static_cast<int>(row.kind);
    case IdRole:
        return row.id;
    case SummaryRole:
        return row.summary;
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
    const LanesPtr lanes =
        row.kind == PaletteKind::Family ? lanesOfFamily(*row.family) : lanesOfBlock(*row.family);
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
        return Qt::ItemIsEnabled;
    return Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsDragEnabled;
}

QStringList PaletteModel::mimeTypes() const
{
    return {QString::fromLatin1(paletteMimeType)};
}

QMimeData* PaletteModel::mimeData(const QModelIndexList& indexes) const
{
    if (indexes.isEmpty())
        return nullptr;
    const Row& row = m_rows[static_cast<std::size_t>(indexes.first().row())];
    QString text;
    switch (row.kind) {
    case PaletteKind::Section:
        return nullptr;
    case PaletteKind::Family:
        text = QStringLiteral("family ");
        break;
    case PaletteKind::Block:
        text = QStringLiteral("block ");
        break;
    case PaletteKind::Pass:
        text = QStringLiteral("pass ");
        break;
    }
    text += row.id;
    auto* data = new QMimeData;
    data->setData(QString::fromLatin1(paletteMimeType), text.toUtf8());
    data->setText(text);
    return data;
}

} // namespace pw::ui
