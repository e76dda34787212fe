// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/command_palette.h"

#include "ui/presentation.h"
#include "ui/window/commands.h"

#include <QAction>
#include <QApplication>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QStandardItemModel>
#include <QStyledItemDelegate>
#include <QVBoxLayout>

#include <algorithm>

namespace pw::ui {

namespace {

constexpr int padding = 10;

/// Words of a command, what it belongs to, and its keys at the right.
class RowDelegate : public QStyledItemDelegate
{
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    QSize sizeHint(const QStyleOptionViewItem& option, const QModelIndex&) const override
    {
        return {200, std::max(28, 2 * option.fontMetrics.height())};
    }

    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override
    {
        const bool chosen = (option.state & QStyle::State_Selected) != 0;
        const bool usable = index.data(CommandPalette::UsableRole).toBool();
        painter->save();
        if (chosen) {
            QColor ground = color(Role::Accent);
            ground.setAlphaF(0.18F);
            painter->fillRect(option.rect, ground);
        }
        const QRect room = option.rect.adjusted(padding, 0, -padding, 0);
        const QFontMetrics metrics(option.font);
        const QString keys = index.data(CommandPalette::KeysRole).toString();
        painter->setFont(option.font);
        painter->setPen(color(Role::Secondary));
        painter->drawText(room, Qt::AlignRight | Qt::AlignVCenter, keys);
        const int right = keys.isEmpty() ? 0 : metrics.horizontalAdvance(keys) + 2 * padding;
        QRect left = room.adjusted(0, 0, -right, 0);
        const QString words = index.data(Qt::DisplayRole).toString();
        painter->setPen(color(usable ? Role::Text : Role::Secondary));
        painter->drawText(left, Qt::AlignLeft | Qt::AlignVCenter,
                          metrics.elidedText(words, Qt::ElideRight, left.width()));
        left.setLeft(left.left() + metrics.horizontalAdvance(words) + 2 * padding);
        if (left.width() > 40) {
            painter->setPen(color(Role::Secondary));
            painter->drawText(left, Qt::AlignLeft | Qt::AlignVCenter,
                              metrics.elidedText(index.data(CommandPalette::NoteRole).toString(),
                                                 Qt::ElideRight, left.width()));
        }
        painter->restore();
    }
};

QString plain(QString words)
{
    words.remove(QLatin1Char('&'));
    return words;
}

/// A command as the palette calls it, with its submenu: "Charts: Memory".
QString wordsOf(const Commands::Entry& entry)
{
    const QString words = plain(entry.action->text());
    return entry.command.submenu.isEmpty()
               ? words
               : CommandPalette::tr("%1: %2").arg(plain(entry.command.submenu), words);
}

/// How words begin with what is typed, or hold it.
enum class Likeness
{
    Letters, ///< in their order, with others between
    Within,
    WordBegin,
    Begin,
    Whole
};

Likeness likenessOf(const QString& typed, const QString& words)
{
    const QString wanted = typed.simplified();
    QString name = words.simplified();
    while (name.endsWith(QChar(0x2026)) || name.endsWith(QLatin1Char('.')))
        name.chop(1);
    if (name.compare(wanted, Qt::CaseInsensitive) == 0)
        return Likeness::Whole;
    if (name.startsWith(wanted, Qt::CaseInsensitive))
        return Likeness::Begin;
    qsizetype at = name.indexOf(wanted, 0, Qt::CaseInsensitive);
    const Likeness held = at < 0 ? Likeness::Letters : Likeness::Within;
    for (; at >= 0; at = name.indexOf(wanted, at + 1, Qt::CaseInsensitive))
        if (!name[at - 1].isLetterOrNumber())
            return Likeness::WordBegin;
    return held;
}

constexpr int likenessStep = 100'000; ///< above what single letters can count

/// How well letters fit that stand apart.
std::optional<int> lettersFit(const QString& typed, const QString& words)
{
    int score = 0;
    qsizetype at = 0;
    qsizetype last = -2;
    for (const QChar letter : typed) {
        if (letter.isSpace())
            continue;
        // The beginning of a word is taken before a letter within one.
        qsizetype found = -1;
        for (qsizetype i = at; i < words.size(); ++i) {
            if (words[i].toCaseFolded() != letter.toCaseFolded())
                continue;
            const bool begins = i == 0 || !words[i - 1].isLetterOrNumber();
            if (found < 0)
                found = i;
            if (i == last + 1 || begins) {
                found = i;
                break;
            }
        }
        if (found < 0)
            return std::nullopt;
        const bool begins = found == 0 || !words[found - 1].isLetterOrNumber();
        score += found == last + 1 ? 6 : begins ? 5 : 1;
        last = found;
        at = found + 1;
    }
    return 100 * score - static_cast<int>(std::min<qsizetype>(words.size(), 99));
}

/// How well what is typed fits a command: its own words, or those with its submenu.
std::optional<int> commandFit(const QString& typed, const Commands::Entry& entry)
{
    const std::optional<int> whole = fitOf(typed, wordsOf(entry));
    if (entry.command.submenu.isEmpty())
        return whole;
    return std::max(whole, fitOf(typed, plain(entry.action->text())));
}

} // namespace

std::optional<int> fitOf(const QString& typed, const QString& words)
{
    if (typed.simplified().isEmpty())
        return 0;
    const Likeness likeness = likenessOf(typed, words);
    // Those that hold it alike stay as the menus have them.
    return likeness == Likeness::Letters ? lettersFit(typed, words)
                                         : std::optional(likenessStep * static_cast<int>(likeness));
}

CommandPalette::CommandPalette(Commands& commands, QWidget* window)
    : QFrame(window)
    , m_commands(commands)
    , m_typed(new QLineEdit(this))
    , m_list(new QListView(this))
    , m_rows(new QStandardItemModel(this))
{
    setObjectName(QStringLiteral("command-palette"));
    setFrameShape(QFrame::StyledPanel);
    setAutoFillBackground(true);
    m_typed->setPlaceholderText(tr("Search commands"));
    m_typed->setAccessibleName(tr("Search commands"));
    m_typed->installEventFilter(this);
    m_list->setModel(m_rows);
    m_list->setItemDelegate(new RowDelegate(m_list));
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setUniformItemSizes(true);
    m_list->setAccessibleName(tr("Commands"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->addWidget(m_typed);
    layout->addWidget(m_list);
    connect(m_typed, &QLineEdit::textChanged, this, &CommandPalette::search);
    connect(m_list, &QListView::clicked, this, &CommandPalette::run);
    window->installEventFilter(this);
    hide();
}

void CommandPalette::open()
{
    m_commands.refresh();
    if (!isVisible())
        m_before = QApplication::focusWidget();
    m_typed->clear();
    search();
    const QSize window = parentWidget()->size();
    const int row = std::max(28, 2 * fontMetrics().height());
    const QSize size(std::min(window.width() - 40, 60 * fontMetrics().averageCharWidth() + 200),
                     std::min(window.height() - 80, 11 * row + 60));
    setGeometry(QRect(QPoint((window.width() - size.width()) / 2, 40), size));
    show();
    raise();
    m_typed->setFocus();
}

void CommandPalette::search()
{
    struct Hit
    {
        int fit = 0;
        int index = 0;
    };
    std::vector<Hit> hits;
    const std::vector<Commands::Entry>& all = m_commands.all();
    for (int i = 0; i < static_cast<int>(all.size()); ++i) {
        const Commands::Entry& entry = all[static_cast<std::size_t>(i)];
        if (!entry.action->isVisible())
            continue;
        const QString words = wordsOf(entry);
        std::optional<int> fit = commandFit(m_typed->text(), entry);
        if (!fit) {
            // A menu's name finds all of it, behind what the words find.
            fit = lettersFit(m_typed->text(),
                             Commands::title(entry.command.menu) + QLatin1Char(' ') + words);
            if (fit)
                *fit -= likenessStep;
        }
        if (fit)
            hits.push_back({*fit, i});
    }
    std::stable_sort(hits.begin(), hits.end(),
                     [](const Hit& a, const Hit& b) { return a.fit > b.fit; });
    m_rows->clear();
    for (const Hit& hit : hits) {
        const Commands::Entry& entry = all[static_cast<std::size_t>(hit.index)];
        const bool usable = entry.action->isEnabled();
        const QString reason = !usable && entry.command.whyNot ? entry.command.whyNot() : QString();
        QString words = wordsOf(entry);
        if (entry.action->isCheckable() && entry.action->isChecked())
            words += QStringLiteral(" ✓");
        auto* item = new QStandardItem(words);
        item->setData(entry.action->shortcut().toString(QKeySequence::NativeText), KeysRole);
        item->setData(reason.isEmpty() ? Commands::title(entry.command.menu) : reason, NoteRole);
        item->setData(hit.index, IndexRole);
        item->setData(usable, UsableRole);
        item->setToolTip(reason.isEmpty() ? entry.command.tip : reason);
        m_rows->appendRow(item);
    }
    if (m_rows->rowCount() == 0) {
        auto* none = new QStandardItem(tr("No command is called that"));
        none->setData(-1, IndexRole);
        m_rows->appendRow(none);
    }
    m_list->setCurrentIndex(m_rows->index(0, 0));
}

void CommandPalette::run()
{
    const QModelIndex chosen = m_list->currentIndex();
    const int index = chosen.isValid() ? chosen.data(IndexRole).toInt() : -1;
    // One that cannot be used stays where its reason is read.
    if (index < 0 || !chosen.data(UsableRole).toBool())
        return;
    QAction* action = m_commands.all()[static_cast<std::size_t>(index)].action;
    close();
    action->trigger();
}

void CommandPalette::close()
{
    hide();
    if (m_before)
        m_before->setFocus();
}

bool CommandPalette::eventFilter(QObject* watched, QEvent* event)
{
    if (watched == parentWidget()) {
        if (event->type() == QEvent::Resize)
            hide();
        return false;
    }
    if (watched != m_typed)
        return QFrame::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) {
        hide();
        return false;
    }
    if (event->type() == QEvent::ShortcutOverride) {
        event->accept(); // while it is open every key is the palette's
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    const int row = m_list->currentIndex().row();
    const int page = 8;
    const auto choose = [this](int to) {
        m_list->setCurrentIndex(m_rows->index(std::clamp(to, 0, m_rows->rowCount() - 1), 0));
    };
    switch (static_cast<QKeyEvent*>(event)->key()) {
    case Qt::Key_Escape:
        close();
        return true;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        run();
        return true;
    case Qt::Key_Down:
        choose(row + 1);
        return true;
    case Qt::Key_Up:
        choose(row - 1);
        return true;
    case Qt::Key_PageDown:
        choose(row + page);
        return true;
    case Qt::Key_PageUp:
        choose(row - page);
        return true;
    default:
        return false;
    }
}

} // namespace pw::ui
