// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/model/pass.h"

#include <QWidget>

#include <vector>

class QLabel;
class QLineEdit;

namespace pw::ui {

class BenchModel;
class BlockView;

/// Finds passes of the block that is drawn, as the find bar of a timeline does: what is typed is
/// counted, Enter goes to the next hit, Shift+Enter to the one before, Escape leaves.
class BlockFind : public QWidget
{
    Q_OBJECT

public:
    BlockFind(BlockView& view, BenchModel& model, QWidget* parent = nullptr);

    QLineEdit& field() { return *m_typed; }
    /// Chooses the next hit in time (+1) or the one before (−1), around the end.
    void go(int direction);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void search();
    void showState();

    BlockView& m_view;
    BenchModel& m_model;
    QLineEdit* m_typed;
    QLabel* m_state;
    QString m_problem;
    std::vector<Pass> m_found; ///< by their begin
};

} // namespace pw::ui
