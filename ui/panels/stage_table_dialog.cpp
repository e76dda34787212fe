// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/panels/stage_table_dialog.h"

#include "core/edit/fit_costs.h"
#include "ui/core_sentences.h"
#include "ui/document/schedule_document.h"
#include "ui/panels/number_table_view.h"
#include "ui/panels/stage_table.h"

#include <QDialogButtonBox>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace pw::ui {

StageTableDialog::StageTableDialog(const Project& project, QWidget* parent)
    : CostDialog(tr("Stage table"), parent)
    , m_spec(project.draft.spec)
    , m_before(costsOf(project))
    , m_tables(std::holds_alternative<Costs>(project.costs))
    , m_table(new StageTable(m_before, m_spec, this))
    , m_view(new NumberTableView(*m_table, this))
    , m_equal(new QPushButton(tr("Take as &equal stages"), this))
{
    m_view->setAccessibleName(tr("Times and bytes of every stage"));
    m_view->horizontalHeader()->setMinimumHeight(2 * fontMetrics().lineSpacing() + 8);
    auto* intro = new QLabel(
        tr("Of one micro-batch. Grey numbers follow from others. Paste cells from a spreadsheet, "
           "fill down with Ctrl+D, empty a cell with Delete."),
        this);
    intro->setWordWrap(true);
    intro->setForegroundRole(QPalette::PlaceholderText);
    const auto button = [this](const QString& title, const QString& tip, auto run) {
        auto* made = new QPushButton(title, this);
        made->setToolTip(tip);
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, m_view, run);
        return made;
    };
    auto* tools = new QHBoxLayout;
    tools->addWidget(button(tr("&Copy"), tr("Ctrl+C: the chosen cells"), &NumberTableView::copy));
    tools->addWidget(
        button(tr("&Paste"), tr("Ctrl+V: from the chosen cell on"), &NumberTableView::paste));
    tools->addWidget(button(tr("Fill &down"), tr("Ctrl+D: the topmost chosen number for all"),
                            &NumberTableView::fillDown));
    tools->addStretch(1);
    m_equal->setAutoDefault(false);
    tools->addWidget(m_equal);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(intro);
    layout->addWidget(m_view, 1);
    layout->addLayout(tools);
    layout->addWidget(reasonLine());
    layout->addWidget(buttons());
    const QFontMetrics metrics = fontMetrics();
    resize(std::min(110 * metrics.averageCharWidth() + 120, 1200),
           std::min(14 + m_table->rowCount(), 26) * (metrics.height() + 9));

    connect(m_table, &StageTable::edited, this, &StageTableDialog::look);
    connect(m_view, &NumberTableView::told, this, &StageTableDialog::setNote);
    connect(m_equal, &QPushButton::clicked, this, &StageTableDialog::applyEqual);
    connect(buttons()->button(QDialogButtonBox::Apply), &QPushButton::clicked, this,
            &StageTableDialog::applyTable);
    look();
    m_view->setFocus();
}

void StageTableDialog::look()
{
    const Result<Costs> costs = m_table->costs();
    setReason(costs ? QString() : coreSentence(costs.error().message));
    const Result<UniformCosts> equal =
        costs ? uniformOf(*costs, m_spec) : fail(ErrorCode::BadValue, costs.error().message);
    m_equal->setEnabled(equal.has_value());
    m_equal->setToolTip(equal ? tr("One time for every stage, to be edited beside the schedule")
                              : tr("Not equal: %1.").arg(coreSentence(equal.error().message)));
}

void StageTableDialog::applyTable()
{
    const Result<Costs> costs = m_table->costs();
    if (!costs)
        return;
    if (!m_tables || *costs != m_before)
        Q_EMIT applied(SetCosts{*costs});
    accept();
}

void StageTableDialog::applyEqual()
{
    const Result<Costs> costs = m_table->costs();
    if (!costs)
        return;
    if (const Result<UniformCosts> equal = uniformOf(*costs, m_spec); equal)
        Q_EMIT applied(SetCosts{*equal});
    accept();
}

} // namespace pw::ui
