// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "ui/ranking/ranking.h"

class QTableWidget;

namespace pw::ui {

/// Columns, and the look of them.
void makeRankingTable(QTableWidget& table);

/// A row for each of an ordered ranking.
/// @param baseline  makespan of 1F1B; 0: there is none
void fillRankingTable(QTableWidget& table, const std::vector<Ranked>& rows,
                      const RankQuestion& asked, Ticks baseline);

} // namespace pw::ui
