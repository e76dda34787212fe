// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/models/palette_item.h"

#include <QMimeData>
#include <QStringList>

namespace pw::ui {

namespace {

QString word(PaletteKind kind)
{
    switch (kind) {
    case PaletteKind::Section:
        break;
    case PaletteKind::Family:
        return QStringLiteral("family");
    case PaletteKind::Block:
        return QStringLiteral("block");
    case PaletteKind::OwnBlock:
        return QStringLiteral("own-block");
    case PaletteKind::Pass:
        return QStringLiteral("pass");
    }
    return {};
}

std::optional<int> number(const QString& text, int least)
{
    bool sound = false;
    const int value = text.toInt(&sound);
    return sound && value >= least ? std::optional(value) : std::nullopt;
}

} // namespace

QString PaletteItem::text() const
{
    switch (kind) {
    case PaletteKind::Section:
        break;
    case PaletteKind::Family:
    case PaletteKind::Pass:
        return QStringLiteral("%1 %2").arg(word(kind), id);
    case PaletteKind::Block:
        return QStringLiteral("%1 %2 %3").arg(word(kind), id).arg(microBatches);
    case PaletteKind::OwnBlock:
        return QStringLiteral("%1 %2 %3").arg(word(kind)).arg(block).arg(microBatches);
    }
    return {};
}

std::optional<PaletteItem> PaletteItem::parse(const QString& text)
{
    const QStringList words = text.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    if (words.size() < 2)
        return std::nullopt;
    for (const PaletteKind kind :
         {PaletteKind::Family, PaletteKind::Block, PaletteKind::OwnBlock, PaletteKind::Pass}) {
        if (words.at(0) != word(kind))
            continue;
        PaletteItem item;
        item.kind = kind;
        const bool isBlock = kind == PaletteKind::Block || kind == PaletteKind::OwnBlock;
        if (words.size() > (isBlock ? 3 : 2))
            return std::nullopt;
        if (kind == PaletteKind::OwnBlock) {
            const std::optional<int> index = number(words.at(1), 0);
            if (!index)
                return std::nullopt;
            item.block = *index;
        } else {
            item.id = words.at(1);
        }
        if (words.size() == 3) {
            const std::optional<int> count = number(words.at(2), 1);
            if (!count)
                return std::nullopt;
            item.microBatches = *count;
        }
        return item;
    }
    return std::nullopt;
}

std::optional<PaletteItem> PaletteItem::of(const QMimeData& data)
{
    const QString type = QString::fromLatin1(paletteMimeType);
    return data.hasFormat(type) ? parse(QString::fromUtf8(data.data(type))) : std::nullopt;
}

QMimeData* PaletteItem::mimeData() const
{
    auto* data = new QMimeData;
    data->setData(QString::fromLatin1(paletteMimeType), text().toUtf8());
    data->setText(text());
    return data;
}

} // namespace pw::ui
