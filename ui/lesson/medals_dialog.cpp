// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/lesson/medals_dialog.h"

#include "ui/presentation.h"
#include "ui/text.h"

#include <QDialogButtonBox>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <array>

namespace pw::ui {

namespace {

enum Column
{
    Title,
    Solved,
    Time,
    Memory,
    Messages,
    Tries,
    Hints,
    Trick,
    Columns
};

constexpr int lessonRole = Qt::UserRole;
constexpr int stepRole = Qt::UserRole + 1;

QString numberOrNothing(int number)
{
    return number > 0 ? QString::number(number) : QString();
}

/// A medal that is won, one that is still to be won, or none.
void showMedal(QTreeWidgetItem& row, Column column, bool won, bool offered)
{
    row.setTextAlignment(column, Qt::AlignCenter);
    if (!won && !offered)
        return;
    row.setText(column, won ? QStringLiteral("●") : QStringLiteral("○"));
    row.setForeground(column, color(won ? Role::Weight : Role::Secondary));
    row.setData(column, Qt::AccessibleTextRole,
                won ? MedalsDialog::tr("won") : MedalsDialog::tr("not won yet"));
}

void showResult(QTreeWidgetItem& row, const LevelResult& result, const LessonPar& par)
{
    const bool begun = result.solved || result.tries > 0 || result.hints > 0;
    row.setText(Solved, result.solved ? MedalsDialog::tr("yes")
                        : begun       ? MedalsDialog::tr("no")
                                      : QString());
    showMedal(row, Time, result.time, par.time.has_value());
    showMedal(row, Memory, result.memory, par.memory || !par.curve.empty());
    showMedal(row, Messages, result.messages, par.messages.has_value());
    row.setText(Tries, numberOrNothing(result.tries));
    row.setText(Hints, numberOrNothing(result.hints));
    row.setText(Trick, text(result.trick));
    for (const Column column : {Tries, Hints})
        row.setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    row.setTextAlignment(Solved, Qt::AlignCenter);
}

QString someOf(int some, int all)
{
    return MedalsDialog::tr("%1 of %2").arg(some).arg(all);
}

QString totalsText(const CourseTotals& totals)
{
    return MedalsDialog::tr("Solved: %1 of %2 levels. Medals: %3 of %4; time %5, memory %6, "
                            "messages %7. Tries: %8. Hints: %9.")
        .arg(totals.solved)
        .arg(totals.levels)
        .arg(totals.medals)
        .arg(totals.medalsOffered)
        .arg(totals.timeMedals)
        .arg(totals.memoryMedals)
        .arg(totals.messageMedals)
        .arg(totals.tries)
        .arg(totals.hints);
}

} // namespace

MedalsDialog::MedalsDialog(const std::vector<CourseLesson>& course,
                           const std::vector<LevelResult>& besides,
                           const std::function<bool(const QString&)>& isOpen, QWidget* parent)
    : QDialog(parent)
    , m_totals(new QLabel(totalsText(totalsOf(course)), this))
    , m_tree(new QTreeWidget(this))
{
    setWindowTitle(tr("My medals"));
    setObjectName(QStringLiteral("medals"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_totals->setTextFormat(Qt::PlainText);
    m_totals->setWordWrap(true);
    m_tree->setColumnCount(Columns);
    m_tree->setHeaderLabels({tr("lesson and level"), tr("solved"), tr("time"), tr("memory"),
                             tr("messages"), tr("tries"), tr("hints"), tr("trick")});
    m_tree->setAccessibleName(tr("Lessons and their levels"));
    m_tree->setUniformRowHeights(true);
    m_tree->setFrameShape(QFrame::NoFrame);
    for (const CourseLesson& lesson : course)
        addLesson(lesson, isOpen(text(lesson.id)));
    addBesides(besides);
    // As high as eyes and fingers want rows; the others follow the first.
    if (QTreeWidgetItem* first = m_tree->topLevelItem(0))
        first->setSizeHint(Title, QSize(0, m_tree->fontMetrics().height() + 9));
    QHeaderView* header = m_tree->header();
    header->setStretchLastSection(true);
    header->setSectionResizeMode(QHeaderView::ResizeToContents);
    for (int column = Solved; column <= Hints; ++column)
        m_tree->headerItem()->setTextAlignment(column, Qt::AlignCenter);
    // The mouse by one click, the keys by Enter.
    connect(m_tree, &QTreeWidget::itemClicked, this, &MedalsDialog::choose);
    connect(m_tree, &QTreeWidget::itemActivated, this, &MedalsDialog::choose);
    auto* hint = new QLabel(tr("A click or Enter goes to a lesson or level. ● a medal that is won, "
                               "○ one that is still to be won."),
                            this);
    hint->setWordWrap(true);
    setInk(hint, Role::Secondary);
    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Close, this);
    QPushButton* save = buttons->addButton(tr("&Save my results…"), QDialogButtonBox::ActionRole);
    save->setAutoDefault(false);
    buttons->button(QDialogButtonBox::Close)->setAutoDefault(false);
    connect(save, &QPushButton::clicked, this, &MedalsDialog::saveAsked);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    auto* layout = new QVBoxLayout(this);
    layout->addWidget(m_totals);
    layout->addWidget(m_tree, 1);
    layout->addWidget(hint);
    layout->addWidget(buttons);
    resize(860, 600);
    m_tree->setFocus();
}

void MedalsDialog::addLesson(const CourseLesson& lesson, bool open)
{
    const CourseTotals totals = totalsOf(lesson);
    auto* head = new QTreeWidgetItem(m_tree);
    head->setText(
        Title, QStringLiteral("%1  %2").arg(m_tree->topLevelItemCount()).arg(text(lesson.title)));
    head->setData(Title, lessonRole, text(lesson.id));
    head->setData(Title, stepRole, 0);
    QFont bold = m_tree->font();
    bold.setWeight(QFont::DemiBold);
    head->setFont(Title, bold);
    head->setText(Solved, someOf(totals.solved, totals.levels));
    std::array<int, 3> offered{};
    for (const CourseLevel& level : lesson.levels) {
        offered[0] += level.par.time ? 1 : 0;
        offered[1] += level.par.memory || !level.par.curve.empty() ? 1 : 0;
        offered[2] += level.par.messages ? 1 : 0;
    }
    const std::array<int, 3> won = {totals.timeMedals, totals.memoryMedals, totals.messageMedals};
    for (std::size_t i = 0; i < won.size(); ++i)
        if (offered[i] > 0)
            head->setText(Time + static_cast<int>(i), someOf(won[i], offered[i]));
    head->setText(Tries, numberOrNothing(totals.tries));
    head->setText(Hints, numberOrNothing(totals.hints));
    for (int column = Solved; column <= Messages; ++column)
        head->setTextAlignment(column, Qt::AlignCenter);
    for (const Column column : {Tries, Hints})
        head->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
    int number = 0;
    for (const CourseLevel& level : lesson.levels) {
        auto* row = new QTreeWidgetItem(head);
        row->setText(Title, tr("Level %1: %2").arg(++number).arg(text(level.title)));
        row->setData(Title, lessonRole, text(lesson.id));
        row->setData(Title, stepRole, level.step);
        showResult(*row, level.result, level.par);
    }
    head->setExpanded(open && (totals.solved > 0 || totals.tries > 0));
    if (open)
        return;
    const QString why = tr("Comes later: finish or skip what is before it, or unlock all lessons.");
    for (int i = -1; i < head->childCount(); ++i) {
        QTreeWidgetItem* row = i < 0 ? head : head->child(i);
        row->setFlags(row->flags() & ~Qt::ItemIsEnabled);
        row->setToolTip(Title, why);
    }
}

void MedalsDialog::addBesides(const std::vector<LevelResult>& besides)
{
    if (besides.empty())
        return;
    auto* head = new QTreeWidgetItem(m_tree);
    head->setText(Title, tr("Levels of files, and practice"));
    head->setText(Solved, someOf(static_cast<int>(std::count_if(
                                     besides.begin(), besides.end(),
                                     [](const LevelResult& result) { return result.solved; })),
                                 static_cast<int>(besides.size())));
    head->setTextAlignment(Solved, Qt::AlignCenter);
    for (const LevelResult& result : besides) {
        auto* row = new QTreeWidgetItem(head);
        row->setText(Title, tr("%1, level %2").arg(text(result.lesson)).arg(result.level + 1));
        showResult(*row, result, {});
    }
}

void MedalsDialog::setCurrent(const QString& lesson, int step)
{
    for (int i = 0; i < m_tree->topLevelItemCount(); ++i) {
        QTreeWidgetItem* head = m_tree->topLevelItem(i);
        if (head->data(Title, lessonRole).toString() != lesson)
            continue;
        head->setExpanded(true);
        QTreeWidgetItem* row = head;
        for (int child = 0; child < head->childCount(); ++child)
            if (head->child(child)->data(Title, stepRole).toInt() == step)
                row = head->child(child);
        m_tree->setCurrentItem(row);
        m_tree->scrollToItem(row);
        return;
    }
}

QString MedalsDialog::totals() const
{
    return m_totals->text();
}

void MedalsDialog::choose(const QTreeWidgetItem* item)
{
    const QString lesson = item->data(Title, lessonRole).toString();
    // A row of another folder's lesson leads nowhere, and one that is chosen twice to one place.
    if (lesson.isEmpty() || isHidden())
        return;
    const int step = item->data(Title, stepRole).toInt();
    accept();
    Q_EMIT chosen(lesson, step);
}

} // namespace pw::ui
