// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/phases.h"
#include "ui/timeline/view_range.h"

#include <QWidget>

#include <optional>
#include <vector>

namespace pw::ui {

/// Warm-up, steady phase and cool-down above the lanes; a tool tip says how long they are.
class PhaseBands : public QWidget
{
    Q_OBJECT

public:
    explicit PhaseBands(ViewRange& range, QWidget* parent = nullptr);

    /// @param of  whose they are: "device 1", "all devices"
    /// @param every  of all devices together
    void setPhases(std::optional<Phases> phases, const QString& of = {}, bool every = false);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;

private:
    struct Band
    {
        QString name;
        QString meaning;
        double begin = 0;
        double end = 0;
    };
    std::vector<Band> bands() const;

    ViewRange& m_range;
    std::optional<Phases> m_phases;
    QString m_of;
    bool m_every = false;
};

} // namespace pw::ui
