// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/advise/after.h"

#include <QWidget>

class QLabel;

namespace pw::ui {

class FigureTable;

/// Whether a promise held: the step before, promised and after, and the parts of the difference.
/// Until there is something to hold against it, where to get it from.
class HeldView : public QWidget
{
    Q_OBJECT

public:
    explicit HeldView(QWidget* parent = nullptr);

    void setCheck(const AfterCheck& check);
    void clear();
    FigureTable& figures() { return *m_figures; }

private:
    QLabel* m_hint;
    FigureTable* m_figures;
};

} // namespace pw::ui
