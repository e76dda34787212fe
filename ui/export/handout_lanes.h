// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"

#include <QObject>
#include <QTextObjectInterface>

#include <vector>

class QTextCursor;
class QTextDocument;

namespace pw::ui {

/// Lanes in a handout.
struct HandoutPicture
{
    LanesPtr lanes;
    QString caption;
    Ticks room = 0; ///< above 0: that much time with a grid, to draw in
};

/// Pictures of lanes within the text of a document, drawn as lines when the document is.
class HandoutLanes : public QObject, public QTextObjectInterface
{
    Q_OBJECT
    Q_INTERFACES(QTextObjectInterface)

public:
    /// Height of small letters in units of the page: 7.5 pt.
    static constexpr int smallPixels = 10;

    /// The document must outlive it.
    explicit HandoutLanes(QTextDocument& document);

    void insert(QTextCursor& cursor, HandoutPicture picture);

    QSizeF intrinsicSize(QTextDocument* document, int position, const QTextFormat& format) override;
    void drawObject(QPainter* painter, const QRectF& rect, QTextDocument* document, int position,
                    const QTextFormat& format) override;

private:
    const HandoutPicture& pictureOf(const QTextFormat& format) const;

    std::vector<HandoutPicture> m_pictures;
};

} // namespace pw::ui
