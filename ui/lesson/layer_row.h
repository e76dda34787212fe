// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QWidget>

#include <vector>

class QLabel;
class QPushButton;

namespace pw::ui {

/// How many layers each stage has, and buttons between neighbours that move one.
class LayerRow : public QWidget
{
    Q_OBJECT

public:
    /// @param layers  of each stage
    explicit LayerRow(const std::vector<int>& layers, QWidget* parent = nullptr);

    void setLayers(const std::vector<int>& layers);

Q_SIGNALS:
    void moveAsked(int from, int to);

private:
    QPushButton* addMove(const QString& sign, int from, int to);

    std::vector<QLabel*> m_counts;
    std::vector<std::pair<QPushButton*, int>> m_moves; ///< with the stage that each takes from
};

} // namespace pw::ui
