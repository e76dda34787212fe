// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/cost_dialog.h"

#include "ui/presentation.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QPushButton>

namespace pw::ui {

CostDialog::CostDialog(const QString& title, QWidget* parent)
    : QDialog(parent)
    , m_reason(new QLabel(this))
    , m_buttons(new QDialogButtonBox(QDialogButtonBox::Apply | QDialogButtonBox::Cancel, this))
{
    setWindowTitle(title);
    setAttribute(Qt::WA_DeleteOnClose);
    m_reason->setWordWrap(true);
    m_reason->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_reason->setObjectName(QStringLiteral("reason"));
    // Room for two lines, so that nothing jumps when there is something to say.
    m_reason->setMinimumHeight(2 * fontMetrics().lineSpacing());
    m_reason->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_buttons->button(QDialogButtonBox::Apply)->setText(tr("Apply"));
    m_buttons->button(QDialogButtonBox::Apply)->setDefault(true);
    m_buttons->button(QDialogButtonBox::Cancel)->setAutoDefault(false);
    connect(m_buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
}

void CostDialog::setReason(const QString& reason)
{
    QPushButton* apply = m_buttons->button(QDialogButtonBox::Apply);
    apply->setEnabled(reason.isEmpty());
    apply->setToolTip(reason);
    say(reason, true);
}

void CostDialog::setNote(const QString& note)
{
    if (!m_refuses || m_reason->text().isEmpty())
        say(note, false);
}

void CostDialog::say(const QString& sentence, bool refusal)
{
    m_refuses = refusal;
    setInk(m_reason, refusal ? Role::Refusal : Role::Secondary);
    m_reason->setText(sentence);
}

} // namespace pw::ui
