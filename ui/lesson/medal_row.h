// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/lesson/standing.h"

#include <QWidget>

#include <array>

namespace pw::ui {

class MedalCard;

/// The medals of a level: time, memory, messages.
class MedalRow : public QWidget
{
    Q_OBJECT

public:
    /// @param before  where the level stands at its begin
    explicit MedalRow(const Standing& before, QWidget* parent = nullptr);

    void setStanding(const Standing& standing);
    /// What was reached before, beside par.
    void setBest(const Standing& best);
    /// Whether pars are told, or still to be predicted.
    void setParShown(bool shown);

private:
    std::array<MedalCard*, 3> m_cards{};
};

} // namespace pw::ui
