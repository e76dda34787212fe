// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/bench/block_start_menu.h"

#include "core/families/family.h"
#include "ui/bench/bench_panel.h"
#include "ui/document/exercise.h"
#include "ui/text.h"

#include <utility>

namespace pw::ui {

BlockStartMenu::BlockStartMenu(BenchModel& model, Report report, QWidget* parent)
    : QMenu(parent)
    , m_model(model)
    , m_report(std::move(report))
{
    connect(this, &QMenu::aboutToShow, this, &BlockStartMenu::fill);
}

void BlockStartMenu::setSources(std::function<std::vector<BuildingBlock>()> own,
                                std::function<Result<BuildingBlock>()> strand)
{
    m_own = std::move(own);
    m_strand = std::move(strand);
}

void BlockStartMenu::fill()
{
    clear();
    for (const Family& family : allFamilies()) {
        if (family.block == nullptr || !whyNotSolved(parentWidget()).isEmpty())
            continue;
        const QString id = text(family.id);
        QAction* action = addAction(text(family.title));
        action->setObjectName(id);
        action->setToolTip(text(family.citation));
        connect(action, &QAction::triggered, this,
                [this, id] { m_report(m_model.startFromFamily(id)); });
    }
    addSeparator();
    if (m_strand) {
        QAction* action = addAction(BenchPanel::tr("Selected micro-batch of the schedule"));
        action->setObjectName(QStringLiteral("strand"));
        connect(action, &QAction::triggered, this, [this] {
            Result<BuildingBlock> strand = m_strand();
            m_report(strand ? m_model.start(*std::move(strand),
                                            BenchPanel::tr("Start from a micro-batch"))
                            : Result<void>(fail(strand.error())));
        });
    }
    const std::vector<BuildingBlock> own = m_own ? m_own() : std::vector<BuildingBlock>();
    for (std::size_t i = 0; i < own.size(); ++i) {
        const QString title =
            own[i].title.empty() ? BenchPanel::tr("My block %1").arg(i + 1) : text(own[i].title);
        QAction* action = addAction(title);
        connect(action, &QAction::triggered, this, [this, title, block = own[i]] {
            m_report(m_model.start(block, BenchPanel::tr("Start from %1").arg(title)));
        });
    }
    QAction* empty = addAction(BenchPanel::tr("Empty"));
    empty->setObjectName(QStringLiteral("empty"));
    connect(empty, &QAction::triggered, this, [this] { m_model.clear(); });
}

} // namespace pw::ui
