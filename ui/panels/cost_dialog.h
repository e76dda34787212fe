// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "core/edit/edit.h"

#include <QDialog>

class QDialogButtonBox;
class QLabel;

namespace pw::ui {

/// A dialog that ends with other costs for a project. It is opened with `open` and blocks nobody;
/// `applied` says the costs, once they are taken.
class CostDialog : public QDialog
{
    Q_OBJECT

public:
    CostDialog(const QString& title, QWidget* parent);

Q_SIGNALS:
    void applied(const pw::SetCosts& costs);

protected:
    /// Line below the content with the reason why the costs cannot be taken, and the buttons.
    QLabel* reasonLine() const { return m_reason; }
    QDialogButtonBox* buttons() const { return m_buttons; }
    /// Says why Apply cannot be used; empty: it can.
    void setReason(const QString& reason);
    /// Something worth a sentence that refuses nothing.
    void setNote(const QString& note);

private:
    void say(const QString& sentence, bool refusal);

    QLabel* m_reason;
    QDialogButtonBox* m_buttons;
    bool m_refuses = false;
};

} // namespace pw::ui
