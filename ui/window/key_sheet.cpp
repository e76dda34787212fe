// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/key_sheet.h"

#include "ui/presentation.h"
#include "ui/timeline/lane_keys.h"
#include "ui/window/commands.h"

#include <QAction>
#include <QDialogButtonBox>
#include <QGridLayout>
#include <QLabel>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <vector>

namespace pw::ui {

namespace {

struct Section
{
    QString title;
    std::vector<KeyHelp> rows;
};

std::vector<Section> sectionsOf(const Commands& commands)
{
    std::vector<Section> sections{{KeySheet::tr("Timeline"), LaneKeys::all()}};
    for (const Menu menu : {Menu::File, Menu::Edit, Menu::Schedule, Menu::View, Menu::Run,
                            Menu::Traces, Menu::Learn, Menu::Help}) {
        Section section{Commands::title(menu), {}};
        for (const Commands::Entry& entry : commands.all()) {
            if (entry.command.menu != menu || entry.action->shortcut().isEmpty())
                continue;
            QStringList keys;
            const QList<QKeySequence> shortcuts = entry.action->shortcuts();
            for (const QKeySequence& shortcut : shortcuts)
                keys << shortcut.toString(QKeySequence::NativeText);
            QString words = entry.action->text();
            section.rows.push_back(
                {keys.join(QStringLiteral("   ")), words.remove(QLatin1Char('&'))});
        }
        if (!section.rows.empty())
            sections.push_back(std::move(section));
    }
    sections.push_back(
        {KeySheet::tr("On the stage (F11)"),
         {{KeySheet::tr("← →"), KeySheet::tr("from event to event")},
          {KeySheet::tr("Home"), KeySheet::tr("from the beginning")},
          {KeySheet::tr("N   Shift+N"), KeySheet::tr("next card of the notes, the one before")},
          {KeySheet::tr("C"), KeySheet::tr("cards away, and back")},
          {KeySheet::tr("L"), KeySheet::tr("laser pointer")},
          {KeySheet::tr("Esc"), KeySheet::tr("leave")}}});
    return sections;
}

void fill(QGridLayout& grid, int& row, const Section& section, QWidget* parent)
{
    auto* heading = new QLabel(section.title, parent);
    QFont bold = heading->font();
    bold.setWeight(QFont::DemiBold);
    heading->setFont(bold);
    grid.addWidget(heading, row++, 0, 1, 2);
    for (const KeyHelp& one : section.rows) {
        auto* keys = new QLabel(one.keys, parent);
        keys->setForegroundRole(QPalette::Link);
        grid.addWidget(keys, row, 0, Qt::AlignLeft | Qt::AlignTop);
        auto* words = new QLabel(one.words, parent);
        words->setWordWrap(true);
        words->setMinimumWidth(30 * words->fontMetrics().averageCharWidth());
        grid.addWidget(words, row++, 1);
    }
    grid.setRowMinimumHeight(row++, 12);
}

} // namespace

KeySheet::KeySheet(const Commands& commands, QWidget* parent)
    : QDialog(parent)
{
    setObjectName(QStringLiteral("key-sheet"));
    setWindowTitle(tr("Keys"));
    setAttribute(Qt::WA_DeleteOnClose);
    auto* content = new QWidget(this);
    auto* columns = new QHBoxLayout(content);
    columns->setContentsMargins(16, 12, 16, 12);
    columns->setSpacing(40);
    const std::vector<Section> sections = sectionsOf(commands);
    // The timeline's keys on the left, the menus beside them.
    for (const bool timeline : {true, false}) {
        auto* grid = new QGridLayout;
        grid->setHorizontalSpacing(20);
        grid->setVerticalSpacing(5);
        grid->setColumnStretch(1, 1);
        int row = 0;
        for (std::size_t i = timeline ? 0 : 1; i < (timeline ? 1 : sections.size()); ++i)
            fill(*grid, row, sections[i], content);
        grid->setRowStretch(row, 1);
        columns->addLayout(grid, 1);
    }
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidget(content);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(scroll, 1);
    layout->addWidget(buttons);
    const QSize room = parent != nullptr ? parent->size() - QSize(40, 60) : QSize(1000, 700);
    resize(content->sizeHint().expandedTo({600, 300}).boundedTo(room) +
           QSize(48, buttons->sizeHint().height() + 24));
}

} // namespace pw::ui
