// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/models/lanes.h"

#include <QAbstractButton>

namespace pw::ui {

/// A sample as a button: its lanes, its title, what it teaches.
class SampleCard : public QAbstractButton
{
    Q_OBJECT

public:
    explicit SampleCard(const QString& sample, QWidget* parent = nullptr);

    /// Reads the sample and draws it; until then the card is empty.
    void read();

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QString m_sample;
    QString m_notes;
    LanesPtr m_lanes;
};

} // namespace pw::ui
