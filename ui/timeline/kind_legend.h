// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/timeline/kind_key.h"

#include <QStringList>
#include <QWidget>

namespace pw::ui {

class TimelineView;

/// Says what the colours of a timeline mean: the kinds that it has, each in the tints of its
/// chunks. It is a line, or two where one is too short; what has no room then is left out.
class KindLegend : public QWidget
{
    Q_OBJECT

public:
    explicit KindLegend(TimelineView& timeline, QWidget* parent = nullptr);

    /// The words of both lines, as far as they have room.
    QStringList words() const;

    QSize sizeHint() const override;

protected:
    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    struct Entry
    {
        std::vector<QColor> swatches;
        bool striped = false; ///< the lower edge in the colour of W
        std::vector<QColor> stripes;
        QString words;
        QRectF area;
    };
    std::vector<Entry> entries() const;
    void takeHeight();
    QFont smallFont() const;

    TimelineView& m_timeline;
    KindKey m_key;
};

} // namespace pw::ui
