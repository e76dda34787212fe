// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"

#include <QAbstractButton>

#include <vector>

namespace pw::ui {

/// One stage on the way of a block to an order: its name, its lanes drawn small, and its figures
/// with what they changed. A button that chooses the stage.
class StepCard : public QAbstractButton
{
    Q_OBJECT

public:
    struct Figure
    {
        QString name;
        QString value;
        QString change; ///< against the stage before; empty: none
        bool better = false;
    };

    /// @param purpose  what the stage does, in a sentence; shown until it has figures
    StepCard(const QString& title, const QString& purpose, QWidget* parent = nullptr);

    /// @param whole  time that the width of the card stands for, the same for all cards
    void showFigures(LanesPtr lanes, Ticks whole, std::vector<Figure> figures);
    /// No figures: the purpose, or why there are none.
    void showNothing(const QString& reason = {});
    const std::vector<Figure>& figures() const { return m_figures; }
    const QString& reason() const { return m_reason; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void paintLanes(QPainter& painter, const QRectF& area) const;
    void describe();

    QString m_purpose;
    QString m_reason;
    LanesPtr m_lanes;
    Ticks m_whole = 1;
    std::vector<Figure> m_figures;
};

} // namespace pw::ui
