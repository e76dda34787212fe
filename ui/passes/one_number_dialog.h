// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/base/types.h"

#include <QDialog>

#include <optional>

class QDoubleSpinBox;

namespace pw::ui {

/// One number for what was clicked, with a button that goes back to what the tables say. Opened
/// with `open`; `chosen` says the number.
class OneNumberDialog : public QDialog
{
    Q_OBJECT

public:
    struct Words
    {
        QString title;    ///< of the window
        QString sentence; ///< what the number is of
        QString unit;
        QString none; ///< the button without a number: "As in the table (1 ms)"; empty: no button
    };

    OneNumberDialog(const Words& words, double value, double most, int decimals, QWidget* parent);

    QDoubleSpinBox& field() { return *m_field; }

Q_SIGNALS:
    /// None: the button without a number.
    void chosen(std::optional<double> value);

private:
    QDoubleSpinBox* m_field;
};

} // namespace pw::ui
