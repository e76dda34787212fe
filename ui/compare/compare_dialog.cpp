// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/compare/compare_dialog.h"

#include <QDialogButtonBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int choiceRole = Qt::UserRole;

} // namespace

CompareDialog::CompareDialog(std::vector<CompareChoice> choices, QWidget* parent)
    : QDialog(parent)
    , m_choices(std::move(choices))
    , m_search(new QLineEdit(this))
    , m_list(new QListWidget(this))
    , m_state(new QLabel(this))
{
    setWindowTitle(tr("Compare"));
    m_search->setPlaceholderText(tr("Search schedules and runs"));
    m_search->setAccessibleName(tr("Search schedules and runs"));
    m_search->setClearButtonEnabled(true);
    m_list->setAccessibleName(tr("Timelines to compare"));
    m_state->setWordWrap(true);
    m_state->setForegroundRole(QPalette::PlaceholderText);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Cancel, this);
    m_compare = buttons->addButton(tr("&Compare"), QDialogButtonBox::AcceptRole);
    m_compare->setDefault(true);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_search);
    layout->addWidget(m_list, 1);
    layout->addWidget(m_state);
    layout->addWidget(buttons);
    resize(fontMetrics().averageCharWidth() * 70, fontMetrics().height() * 26);
    fill();
    connect(m_search, &QLineEdit::textChanged, this, &CompareDialog::filter);
    connect(m_list, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        noteChange(item->data(choiceRole).toInt(), item->checkState() == Qt::Checked);
    });
    // Enter and a double click choose as the space bar does.
    connect(m_list, &QListWidget::itemActivated, this, [](QListWidgetItem* item) {
        if ((item->flags() & Qt::ItemIsUserCheckable) != 0)
            item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    });
    connect(buttons, &QDialogButtonBox::accepted, this, &QDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    showState();
}

void CompareDialog::fill()
{
    const int high = std::max(24, fontMetrics().height() + 8);
    QString section;
    for (std::size_t i = 0; i < m_choices.size(); ++i) {
        const CompareChoice& choice = m_choices[i];
        if (choice.section != section) {
            section = choice.section;
            auto* heading = new QListWidgetItem(section, m_list);
            QFont bold = font();
            bold.setWeight(QFont::DemiBold);
            heading->setFont(bold);
            heading->setFlags(Qt::NoItemFlags);
            heading->setData(choiceRole, -1);
            heading->setSizeHint(QSize(0, high));
        }
        auto* item = new QListWidgetItem(choice.about.isEmpty()
                                             ? choice.title
                                             : choice.title + QStringLiteral("   ") + choice.about,
                                         m_list);
        const bool usable = choice.whyNot.isEmpty();
        item->setFlags(usable ? Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable
                              : Qt::NoItemFlags);
        item->setToolTip(choice.whyNot);
        if (!usable)
            item->setText(item->text() + QStringLiteral(" — ") + choice.whyNot);
        item->setData(choiceRole, static_cast<int>(i));
        item->setCheckState(usable && choice.chosen ? Qt::Checked : Qt::Unchecked);
        item->setSizeHint(QSize(0, high));
        if (usable && choice.chosen)
            m_chosen.push_back(static_cast<int>(i));
    }
}

void CompareDialog::filter(const QString& words)
{
    const QStringList all = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        const bool heading = item->data(choiceRole).toInt() < 0;
        item->setHidden(!heading &&
                        !std::all_of(all.begin(), all.end(), [item](const QString& word) {
                            return item->text().contains(word, Qt::CaseInsensitive);
                        }));
    }
}

void CompareDialog::noteChange(int choice, bool on)
{
    m_chosen.erase(std::remove(m_chosen.begin(), m_chosen.end(), choice), m_chosen.end());
    if (on && choice >= 0)
        m_chosen.push_back(choice);
    showState();
}

void CompareDialog::showState()
{
    const bool enough = m_chosen.size() >= 2;
    m_compare->setEnabled(enough);
    QStringList names;
    for (const int choice : m_chosen)
        names += m_choices[static_cast<std::size_t>(choice)].title;
    const auto usable =
        std::count_if(m_choices.begin(), m_choices.end(),
                      [](const CompareChoice& one) { return one.whyNot.isEmpty(); });
    m_state->setText(usable < 2
                         ? tr("There is only one timeline to compare: open another schedule, "
                              "or run one.")
                     : enough ? tr("From the top: %1").arg(names.join(QStringLiteral(", ")))
                              : tr("Choose two or more; the first one chosen is on top."));
    m_compare->setToolTip(enough ? QString() : tr("Choose two or more first."));
}

} // namespace pw::ui
