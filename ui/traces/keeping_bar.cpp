// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/traces/keeping_bar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>

namespace pw::ui {

KeepingBar::KeepingBar(QWidget* parent)
    : QWidget(parent)
    , m_words(new QLabel(this))
    , m_progress(new QProgressBar(this))
    , m_stop(new QPushButton(tr("Stop keeping"), this))
{
    constexpr int steps = 1000;
    m_words->setObjectName(QStringLiteral("keepingSaid"));
    m_words->setTextFormat(Qt::PlainText);
    m_progress->setRange(0, steps);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("How much of the trace is kept"));
    m_stop->setObjectName(QStringLiteral("stopKeeping"));
    m_stop->setToolTip(tr("Takes back what was written; nothing of the trace stays in the store."));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(m_words);
    row->addWidget(m_progress, 1);
    row->addWidget(m_stop);
    connect(m_stop, &QPushButton::clicked, this, [this] {
        if (m_keeping)
            m_keeping->stop();
    });
    hide();
}

void KeepingBar::follow(TraceKeeping* keeping)
{
    if (m_keeping)
        m_keeping->disconnect(this);
    m_keeping = keeping;
    setVisible(keeping != nullptr);
    if (keeping == nullptr)
        return;
    connect(keeping, &TraceKeeping::progressed, this, &KeepingBar::showProgress);
    connect(keeping, &QObject::destroyed, this, &QWidget::hide);
    showProgress();
}

void KeepingBar::showProgress()
{
    m_words->setText(m_keeping->sentence());
    m_progress->setValue(m_keeping->thousandths());
    m_stop->setEnabled(!m_keeping->stopped());
}

} // namespace pw::ui
