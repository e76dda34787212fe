// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_find.h"

#include "ui/bench/block_view.h"
#include "ui/core_sentences.h"
#include "ui/models/pass_query.h"
#include "ui/plural.h"
#include "ui/presentation.h"
#include "ui/timeline/find_bar.h"
#include "ui/timeline/find_keys.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>

#include <algorithm>

namespace pw::ui {

BlockFind::BlockFind(BlockView& view, BenchModel& model, QWidget* parent)
    : QWidget(parent)
    , m_view(view)
    , m_model(model)
    , m_typed(new QLineEdit(this))
    , m_state(new QLabel(this))
{
    m_typed->setObjectName(QStringLiteral("find"));
    m_typed->setPlaceholderText(tr("Find: F, stage 2, device 1"));
    m_typed->setAccessibleName(FindBar::tr("Find passes"));
    m_typed->setClearButtonEnabled(true);
    m_typed->setFixedWidth(34 * fontMetrics().averageCharWidth());
    m_typed->installEventFilter(this);
    m_state->setObjectName(QStringLiteral("find-state"));
    m_state->setTextFormat(Qt::PlainText);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_typed);
    layout->addWidget(m_state);
    connect(m_typed, &QLineEdit::textChanged, this, &BlockFind::search);
    connect(&m_model, &BenchModel::changed, this, &BlockFind::search);
    connect(&m_view, &LaneView::selectionChanged, this, &BlockFind::showState);
}

void BlockFind::search()
{
    m_found.clear();
    m_problem.clear();
    const BuildingBlock& block = m_model.block();
    const QString typed = m_typed->text().trimmed();
    if (!typed.isEmpty()) {
        if (const Result<PassQuery> query = PassQuery::parse(typed, specOf(block))) {
            std::vector<BlockPass> hits;
            std::copy_if(block.passes.begin(), block.passes.end(), std::back_inserter(hits),
                         [&](const BlockPass& one) {
                             return query->matches(one.pass, block.device(one.pass));
                         });
            std::stable_sort(hits.begin(), hits.end(), [](const BlockPass& a, const BlockPass& b) {
                return a.start < b.start;
            });
            for (const BlockPass& hit : hits)
                m_found.push_back(hit.pass);
        } else {
            m_problem = coreSentence(query.error().message);
        }
    }
    showState();
}

void BlockFind::go(int direction)
{
    if (m_found.empty())
        return;
    const auto count = static_cast<std::ptrdiff_t>(m_found.size());
    const auto here = m_view.selection().empty()
                          ? m_found.end()
                          : std::find(m_found.begin(), m_found.end(), m_view.selection().back());
    const std::ptrdiff_t next = here != m_found.end()
                                    ? (here - m_found.begin() + direction + count) % count
                                : direction > 0 ? 0
                                                : count - 1;
    m_view.select({m_found[static_cast<std::size_t>(next)]});
}

/// "3 of 42".
void BlockFind::showState()
{
    const auto here = m_view.selection().empty()
                          ? m_found.end()
                          : std::find(m_found.begin(), m_found.end(), m_view.selection().back());
    QString words;
    if (!m_problem.isEmpty())
        words = m_problem;
    else if (m_typed->text().trimmed().isEmpty())
        words = QString();
    else if (m_found.empty())
        words = FindBar::tr("no pass");
    else if (here != m_found.end())
        words = FindBar::tr("%1 of %2").arg(here - m_found.begin() + 1).arg(m_found.size());
    else
        words = plural(static_cast<qint64>(m_found.size()), Noun::Pass);
    setInk(m_state, m_problem.isEmpty() ? pw::Role::Secondary : pw::Role::Refusal);
    m_state->setText(words);
}

bool BlockFind::eventFilter(QObject* watched, QEvent* event)
{
    if (watched != m_typed || event->type() != QEvent::KeyPress)
        return QWidget::eventFilter(watched, event);
    switch (findKeyOf(*static_cast<QKeyEvent*>(event))) {
    case FindKey::Next:
        go(1);
        return true;
    case FindKey::Previous:
        go(-1);
        return true;
    case FindKey::Leave:
        m_typed->clear();
        m_view.setFocus();
        return true;
    case FindKey::None:
        break;
    }
    return false;
}

} // namespace pw::ui
