// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QWidget>

#include <vector>

namespace pw::ui {

/// The work of every stage as a bar, with its difference to the mean.
class StageBars : public QWidget
{
    Q_OBJECT

public:
    explicit StageBars(QWidget* parent = nullptr);

    /// @param balance  as of `stageBalance`
    void setBalance(std::vector<double> balance);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {150, 60}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<double> m_balance;
};

} // namespace pw::ui
