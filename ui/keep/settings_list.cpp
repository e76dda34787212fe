// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/settings_list.h"

#include "ui/presentation.h"

#include <QAction>
#include <QCheckBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

QString withoutMnemonics(QString words)
{
    return words.remove(QLatin1Char('&'));
}

/// A menu's words on a button or beside a box: "Connections…".
QString wordsOf(const QAction& action)
{
    return withoutMnemonics(action.text());
}

} // namespace

SettingsList::SettingsList(QWidget* parent)
    : QWidget(parent)
    , m_search(new QLineEdit(this))
    , m_none(new QLabel(tr("No setting is called that."), this))
    , m_rows(nullptr)
{
    const int em = fontMetrics().height();
    m_search->setObjectName(QStringLiteral("search"));
    m_search->setPlaceholderText(tr("Search settings"));
    m_search->setAccessibleName(tr("Search settings"));
    m_search->setClearButtonEnabled(true);
    connect(m_search, &QLineEdit::textChanged, this, &SettingsList::find);
    m_none->setObjectName(QStringLiteral("none"));
    setInk(m_none, Role::Secondary);
    m_none->hide();
    auto* content = new QWidget(this);
    m_rows = new QVBoxLayout(content);
    m_rows->setContentsMargins(0, 0, em / 2, 0);
    m_rows->setSpacing(em / 2);
    m_rows->addStretch(1);
    auto* scroll = new QScrollArea(this);
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(content);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_search);
    layout->addWidget(m_none);
    layout->addWidget(scroll, 1);
}

void SettingsList::add(QWidget* row, const QString& words)
{
    m_rows->insertWidget(m_rows->count() - 1, row); // before the stretch
    m_all.push_back(
        {row, m_section, m_section == nullptr ? words : m_section->text() + u' ' + words});
}

void SettingsList::addSection(const QString& title)
{
    m_section = new QLabel(title, this);
    QFont bold = m_section->font();
    bold.setWeight(QFont::DemiBold);
    m_section->setFont(bold);
    m_rows->insertWidget(m_rows->count() - 1, m_section);
}

void SettingsList::addRow(const QString& label, QWidget* field, const QString& more)
{
    auto* row = new QWidget(this);
    auto* name = new QLabel(label, row);
    name->setBuddy(field);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(fontMetrics().height() / 2, 0, 0, 0);
    layout->setSpacing(fontMetrics().height());
    layout->addWidget(name);
    layout->addWidget(field, 1);
    m_labels.push_back(name);
    int widest = 0;
    for (const QLabel* one : m_labels)
        widest = std::max(widest, one->sizeHint().width());
    for (QLabel* one : m_labels)
        one->setMinimumWidth(widest);
    add(row, withoutMnemonics(label) + u' ' + field->toolTip() + u' ' + more);
}

void SettingsList::addSwitch(QAction& action)
{
    auto* box = new QCheckBox(wordsOf(action), this);
    box->setToolTip(action.toolTip());
    box->setChecked(action.isChecked());
    connect(box, &QCheckBox::toggled, &action, &QAction::setChecked);
    connect(&action, &QAction::toggled, box, &QCheckBox::setChecked);
    auto* row = new QWidget(this);
    auto* layout = new QHBoxLayout(row);
    layout->setContentsMargins(fontMetrics().height() / 2, 0, 0, 0);
    layout->addWidget(box);
    add(row, box->text() + u' ' + box->toolTip());
}

void SettingsList::addDoor(const QString& label, QAction& action, const QString& more)
{
    auto* door = new QPushButton(wordsOf(action), this);
    door->setAutoDefault(false);
    door->setToolTip(action.toolTip());
    connect(door, &QPushButton::clicked, &action, &QAction::trigger);
    auto* field = new QWidget(this);
    field->setFocusProxy(door);
    field->setToolTip(door->toolTip());
    auto* layout = new QHBoxLayout(field);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(door);
    layout->addStretch(1);
    addRow(label, field, door->text() + u' ' + more);
}

void SettingsList::addNote(QLabel* note)
{
    m_rows->insertWidget(m_rows->count() - 1, note);
}

void SettingsList::find(const QString& typed)
{
    const QStringList words = typed.split(u' ', Qt::SkipEmptyParts);
    bool any = false;
    std::vector<const QLabel*> sections;
    for (const Row& row : m_all) {
        const bool fits = std::all_of(words.begin(), words.end(), [&row](const QString& word) {
            return row.words.contains(word, Qt::CaseInsensitive);
        });
        row.widget->setVisible(fits);
        any = any || fits;
        if (row.section == nullptr)
            continue;
        // A section is seen with its first row that is.
        const bool seen =
            std::find(sections.begin(), sections.end(), row.section) != sections.end();
        if (fits && !seen)
            sections.push_back(row.section);
        row.section->setVisible(fits || seen);
    }
    m_none->setVisible(!any);
}

} // namespace pw::ui
