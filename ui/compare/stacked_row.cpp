// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/stacked_row.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>
#include <QVBoxLayout>

#include <utility>

namespace pw::ui {

StackedRow::StackedRow(int number, QString called, ViewRange& range, QWidget* parent)
    : id(number)
    , title(std::move(called))
    , box(new QWidget(parent))
    , name(new QLabel(box))
    , about(new QLabel(box))
    , close(new QToolButton(box))
    , source(new ComparedSource)
    , board(new TimelineWorkspace(source, range, box))
    , view(&board->timeline())
{
    QFont bold = box->font();
    bold.setWeight(QFont::DemiBold);
    name->setFont(bold);
    about->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    close->setText(QStringLiteral("×"));
    close->setAutoRaise(true);
    close->setMinimumSize(24, 24);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(14, 2, 8, 0);
    head->addWidget(name);
    head->addSpacing(8);
    head->addWidget(about, 1);
    head->addWidget(close);
    auto* layout = new QVBoxLayout(box);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(2);
    layout->addLayout(head);
    layout->addWidget(board, 1);
}

} // namespace pw::ui
