// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/welcome_page.h"

#include "ui/keep/recent_files.h"
#include "ui/keep/recovery.h"
#include "ui/keep/sample_card.h"
#include "ui/keep/samples.h"
#include "ui/presentation.h"

#include <QEvent>
#include <QFileInfo>
#include <QGridLayout>
#include <QLabel>
#include <QLocale>
#include <QPushButton>
#include <QScrollArea>
#include <QTimer>
#include <QVBoxLayout>

namespace pw::ui {

namespace {

QLabel* heading(const QString& text, QWidget* parent, double size = 1)
{
    auto* label = new QLabel(text, parent);
    QFont font = label->font();
    font.setPointSizeF(font.pointSizeF() * size);
    font.setWeight(QFont::DemiBold);
    label->setFont(font);
    return label;
}

/// A line that does something: text like a link, with the keyboard as a button, in the accent of
/// the ground.
class Link final : public QPushButton
{
public:
    Link(const QString& text, QWidget* parent)
        : QPushButton(text, parent)
    {
        setFlat(true);
        setCursor(Qt::PointingHandCursor);
        setSizePolicy(QSizePolicy::Maximum, QSizePolicy::Fixed);
        setMinimumHeight(std::max(24, fontMetrics().height() + 8));
        takeAccent();
    }

    /// As wide as its words: a button's least width would set short ones off from the left edge.
    QSize sizeHint() const override
    {
        constexpr int beside = 16;
        const QSize words = fontMetrics().size(Qt::TextShowMnemonic, text());
        return {words.width() + beside, QPushButton::sizeHint().height()};
    }

protected:
    void changeEvent(QEvent* event) override
    {
        if (event->type() == QEvent::PaletteChange)
            takeAccent();
        QPushButton::changeEvent(event);
    }

private:
    void takeAccent()
    {
        QPalette own = palette();
        if (own.color(QPalette::ButtonText) == color(Role::Accent))
            return; // its own change comes here, too
        own.setColor(QPalette::ButtonText, color(Role::Accent));
        setPalette(own);
    }
};

void clear(QVBoxLayout& list)
{
    while (QLayoutItem* item = list.takeAt(0)) {
        if (item->widget() != nullptr)
            item->widget()->deleteLater();
        delete item;
    }
}

} // namespace

WelcomePage::WelcomePage(Recovery& recovery, QWidget* parent)
    : Page(parent)
    , m_recovery(recovery)
    , m_recoverBox(new QWidget(this))
    , m_recoverList(new QVBoxLayout)
    , m_recentList(new QVBoxLayout)
{
    const int em = fontMetrics().height();
    QWidget* column = makeColumn();
    auto* layout = new QVBoxLayout(column);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(em / 2);
    layout->addWidget(heading(tr("Pipewright"), column, 1.8));
    auto* what = new QLabel(
        tr("Schedules of pipeline-parallel training: drag building blocks into a timeline, watch "
           "bubble and memory, run it."),
        column);
    what->setWordWrap(true);
    layout->addWidget(what);

    m_recoverBox->setParent(column);
    auto* recover = new QVBoxLayout(m_recoverBox);
    recover->setContentsMargins(0, em, 0, 0);
    recover->addWidget(heading(tr("Recovered after a crash"), m_recoverBox));
    recover->addLayout(m_recoverList);
    layout->addWidget(m_recoverBox);

    layout->addSpacing(em);
    auto* lists = new QHBoxLayout;
    lists->setSpacing(4 * em);
    lists->addLayout(startPart(column), 1);
    lists->addLayout(recentPart(column), 2);
    layout->addLayout(lists);

    layout->addSpacing(em);
    layout->addWidget(heading(tr("Samples"), column));
    layout->addLayout(samplesPart(column));
    layout->addStretch(1);

    connect(&m_recovery, &Recovery::foundChanged, this, &WelcomePage::showRecovery);
    showRecovery();
    showRecent();
}

/// Everything stands in one column, which can be scrolled and is no wider than lines are read well.
QWidget* WelcomePage::makeColumn()
{
    const int em = fontMetrics().height();
    auto* content = new QWidget(this);
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setWidget(content);
    auto* outer = new QVBoxLayout(this);
    outer->setContentsMargins(0, 0, 0, 0);
    outer->addWidget(scroll);

    auto* column = new QWidget(content);
    column->setMaximumWidth(72 * em);
    auto* center = new QHBoxLayout(content);
    center->setContentsMargins(2 * em, 2 * em, 2 * em, 2 * em);
    center->addStretch(1);
    center->addWidget(column, 100);
    center->addStretch(1);
    return column;
}

QLayout* WelcomePage::startPart(QWidget* column)
{
    auto* start = new QVBoxLayout;
    start->setSpacing(fontMetrics().height() / 4);
    start->addWidget(heading(tr("Start"), column));
    auto* learn = new Link(tr("Learn: from a first micro-batch to V-Half"), column);
    learn->setObjectName(QStringLiteral("welcome-learn"));
    connect(learn, &QPushButton::clicked, this, &WelcomePage::learnAsked);
    start->addWidget(learn, 0, Qt::AlignLeft);
    auto* trace = new Link(tr("Start with a trace…"), column);
    trace->setObjectName(QStringLiteral("welcome-trace"));
    trace->setToolTip(tr("Any trace of PyTorch, Nsight Systems, Megatron, Perfetto … opens as a "
                         "picture."));
    connect(trace, &QPushButton::clicked, this, &WelcomePage::traceAsked);
    start->addWidget(trace, 0, Qt::AlignLeft);
    auto* create = new Link(tr("Compose a schedule"), column);
    connect(create, &QPushButton::clicked, this, &WelcomePage::newAsked);
    start->addWidget(create, 0, Qt::AlignLeft);
    setFocusProxy(create);
    auto* open = new Link(tr("Open a file…"), column);
    connect(open, &QPushButton::clicked, this, &WelcomePage::openAsked);
    start->addWidget(open, 0, Qt::AlignLeft);
    auto* hint = new QLabel(
        tr("Or drag a family from the palette, a file, or a folder of traces into the window."),
        column);
    hint->setWordWrap(true);
    start->addWidget(hint);
    start->addStretch(1);
    return start;
}

QLayout* WelcomePage::recentPart(QWidget* column)
{
    const int em = fontMetrics().height();
    auto* recent = new QVBoxLayout;
    recent->setSpacing(em / 4);
    recent->addWidget(heading(tr("Recent files"), column));
    m_recentList->setSpacing(em / 4);
    recent->addLayout(m_recentList);
    recent->addStretch(1);
    return recent;
}

QLayout* WelcomePage::samplesPart(QWidget* column)
{
    m_samples = new QGridLayout;
    m_samples->setSpacing(fontMetrics().height() / 2);
    const QStringList names = sampleNames();
    for (const QString& name : names) {
        auto* card = new SampleCard(name, column);
        connect(card, &QAbstractButton::clicked, this, [this, name] { Q_EMIT sampleChosen(name); });
        m_cards.push_back(card);
    }
    placeCards();
    return m_samples;
}

/// Two beside each other where both have room for their words.
void WelcomePage::placeCards()
{
    const int columns = width() >= 56 * fontMetrics().height() ? 2 : 1;
    if (columns == m_columns)
        return;
    m_columns = columns;
    int place = 0;
    for (SampleCard* card : m_cards) {
        m_samples->addWidget(card, place / columns, place % columns);
        ++place;
    }
    m_samples->setColumnStretch(0, 1);
    m_samples->setColumnStretch(1, columns - 1);
}

void WelcomePage::resizeEvent(QResizeEvent* event)
{
    Page::resizeEvent(event);
    placeCards();
}

QString WelcomePage::figures() const
{
    return tr("Choose a family on the left, or open a project.");
}

void WelcomePage::showRecent()
{
    clear(*m_recentList);
    const QStringList files = recentFiles();
    for (const QString& file : files) {
        auto* line = new Link(recentName(file), this);
        line->setToolTip(file);
        connect(line, &QPushButton::clicked, this, [this, file] { Q_EMIT fileChosen(file); });
        m_recentList->addWidget(line, 0, Qt::AlignLeft);
    }
    if (files.isEmpty()) {
        auto* none = new QLabel(tr("None yet: what you open and save is listed here."), this);
        none->setWordWrap(true);
        m_recentList->addWidget(none);
    }
}

void WelcomePage::showRecovery()
{
    clear(*m_recoverList);
    m_recoverBox->setVisible(!m_recovery.found().empty());
    for (const Recovery::Found& found : m_recovery.found()) {
        auto* line = new QWidget(m_recoverBox);
        auto* row = new QHBoxLayout(line);
        row->setContentsMargins(0, 0, 0, 0);
        const QString name = found.path.isEmpty() ? tr("A schedule without a file")
                                                  : QFileInfo(found.path).fileName();
        auto* label = new QLabel(
            tr("%1, as of %2").arg(name, QLocale().toString(found.when, QLocale::ShortFormat)),
            line);
        label->setToolTip(found.path);
        row->addWidget(label, 1);
        auto* take = new QPushButton(tr("Recover"), line);
        take->setAccessibleName(tr("Recover %1").arg(name));
        auto* leave = new QPushButton(tr("Discard"), line);
        leave->setAccessibleName(tr("Discard %1").arg(name));
        row->addWidget(take);
        row->addWidget(leave);
        const QString file = found.file;
        connect(take, &QPushButton::clicked, this, [this, file] { Q_EMIT recoverAsked(file); });
        connect(leave, &QPushButton::clicked, this, [this, file] { Q_EMIT discardAsked(file); });
        m_recoverList->addWidget(line);
    }
}

void WelcomePage::showEvent(QShowEvent* event)
{
    Page::showEvent(event);
    QTimer::singleShot(0, this, &WelcomePage::drawNext);
}

/// One thumbnail at a time, so that the window is there at once.
void WelcomePage::drawNext()
{
    if (m_drawn >= m_cards.size())
        return;
    m_cards[m_drawn++]->read();
    QTimer::singleShot(0, this, &WelcomePage::drawNext);
}

} // namespace pw::ui
