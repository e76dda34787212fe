// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/improve/improve_panel.h"

#include "core/base/text.h"
#include "core/model/known_sizes.h"
#include "core/sim/proven_bound.h"
#include "ui/core_sentences.h"
#include "ui/improve/gap_bar.h"
#include "ui/panels/field_form.h"
#include "ui/panels/number_rows.h"
#include "ui/panels/quiet_table.h"
#include "ui/presentation.h"
#include "ui/timeline/value_text.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QDoubleSpinBox>
#include <QEvent>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QScrollArea>
#include <QTableWidget>

namespace pw::ui {

namespace {

constexpr double longestSearch = 86'400;

QComboBox* choiceOf(FieldForm& form, const QString& label, const QStringList& names,
                    const QString& name, const QString& tip)
{
    auto* box = new QComboBox(&form);
    box->addItems(names);
    box->setObjectName(name);
    box->setToolTip(tip);
    calm(box);
    form.add(label, box, {}, true);
    return box;
}

QTableWidgetItem* stepCell(const QString& words, bool number)
{
    auto* item = new QTableWidgetItem(words);
    item->setTextAlignment((number ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    item->setToolTip(words);
    return item;
}

/// Which orders the bound of a search is about.
QString boundNote(const ImproveWish& wish, const ScheduleDocument& document)
{
    if (wish.anyOrder()) {
        ProvenBound bound;
        bound.within =
            isCapped(document.costs()) ? ProvenBound::Within::Caps : ProvenBound::Within::OwnPeak;
        return coreSentence(ordersOf(bound));
    }
    QStringList parts;
    if (wish.aim == OrderAim::Span)
        parts << ImprovePanel::tr("of the longest span");
    if (wish.backward == BackwardChoice::AsGiven)
        parts << ImprovePanel::tr("of orders with the backwards as they are");
    else if (wish.backward == BackwardChoice::Split)
        parts << ImprovePanel::tr("of orders with B and W");
    else if (wish.backward == BackwardChoice::Fused)
        parts << ImprovePanel::tr("of orders with one BW");
    if (wish.chooseOffload)
        parts << ImprovePanel::tr("whatever goes to the host");
    return parts.join(QStringLiteral(", "));
}

} // namespace

ImprovePanel::ImprovePanel(Improver& improver, QWidget* parent)
    : QWidget(parent)
    , m_improver(improver)
    , m_steps(new QTableWidget(0, 4, this))
{
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->setSpacing(16);
    layout->addWidget(makeFields());
    layout->addWidget(makeFigures(), 2);
    makeSteps();
    layout->addWidget(m_steps, 3);
    connect(m_button, &QPushButton::clicked, this, [this] {
        if (m_improver.searching())
            m_improver.stop();
        else
            Q_EMIT startAsked();
    });
    const ImproveWish kept = keptWish();
    m_seconds->setValue(kept.seconds);
    m_aim->setCurrentIndex(kept.aim == OrderAim::Makespan ? 0 : 1);
    m_backward->setCurrentIndex(static_cast<int>(kept.backward));
    m_offload->setCurrentIndex(kept.chooseOffload ? 1 : 0);
    const auto keep = [this] { keepWish(wish()); };
    connect(m_seconds, &QDoubleSpinBox::valueChanged, this, keep);
    for (QComboBox* box : {m_aim, m_backward, m_offload})
        connect(box, &QComboBox::currentIndexChanged, this, keep);
    connect(&m_improver, &Improver::changed, this, &ImprovePanel::refresh);
    connect(&m_improver, &Improver::ended, this, &ImprovePanel::say);
    refresh();
}

QWidget* ImprovePanel::makeFields()
{
    auto* area = new QWidget(this);
    auto* form = new FieldForm(area);
    m_seconds = form->addNumber(tr("Search for"), tr("s"), 1, QStringLiteral("seconds"));
    m_seconds->setRange(0.1, longestSearch);
    m_seconds->setToolTip(tr("A proven optimum ends the search sooner."));
    m_aim =
        choiceOf(*form, tr("Shorten"), {tr("makespan"), tr("longest span")}, QStringLiteral("aim"),
                 tr("The time from first start to last end, or that of the busiest device "
                    "alone."));
    m_backward = choiceOf(*form, tr("Back&ward"),
                          {tr("any form"), tr("as it is"), tr("B and W"), tr("one BW")},
                          QStringLiteral("backward"),
                          tr("Whether BW may be split into B and W, or both put together."));
    m_offload = choiceOf(*form, tr("T&o the host"), {tr("what goes now"), tr("chosen, too")},
                         QStringLiteral("offload"),
                         tr("Whether the search also chooses which activations go to the host's "
                            "memory. Their copies count in any case."));
    m_button = new QPushButton(area);
    m_button->setObjectName(QStringLiteral("improve"));
    m_button->setMinimumHeight(26);
    auto* layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(form);
    layout->addWidget(m_button);
    layout->addStretch(1);
    area->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Preferred);
    return area;
}

QWidget* ImprovePanel::makeFigures()
{
    auto* area = new QWidget(this);
    m_bar = new GapBar(area);
    m_figures = new QLabel(area);
    m_figures->setTextFormat(Qt::RichText);
    m_figures->setWordWrap(true);
    m_figures->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_figures->setObjectName(QStringLiteral("improve-figures"));
    m_sentence = new QLabel(area);
    m_sentence->setWordWrap(true);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setObjectName(QStringLiteral("improve-sentence"));
    auto* layout = new QVBoxLayout(area);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_bar);
    layout->addWidget(m_figures);
    layout->addWidget(m_sentence);
    layout->addStretch(1);
    // What moved can be a long sentence: it is scrolled, and the panel stays low.
    auto* scroll = new QScrollArea(this);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setWidgetResizable(true);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    scroll->setWidget(area);
    return scroll;
}

void ImprovePanel::makeSteps()
{
    m_steps->setHorizontalHeaderLabels({tr("after"), tr("time"), tr("saved"), tr("what moved")});
    m_steps->setAccessibleName(tr("Steps of the search"));
    m_steps->setEditTriggers(QAbstractItemView::NoEditTriggers);
    makeQuiet(*m_steps);
    for (int column = 0; column < 3; ++column)
        m_steps->horizontalHeaderItem(column)->setTextAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_steps->horizontalHeaderItem(3)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    const int wide = fontMetrics().horizontalAdvance(QStringLiteral("000.0 ms")) + 14;
    m_steps->setColumnWidth(0, fontMetrics().horizontalAdvance(QStringLiteral("00.00 s")) + 14);
    m_steps->setColumnWidth(1, wide);
    m_steps->setColumnWidth(2, wide);
    m_steps->horizontalHeader()->setStretchLastSection(true);
}

ImproveWish ImprovePanel::wish() const
{
    return {m_seconds->value(), m_aim->currentIndex() == 0 ? OrderAim::Makespan : OrderAim::Span,
            static_cast<BackwardChoice>(m_backward->currentIndex()),
            m_offload->currentIndex() == 1};
}

void ImprovePanel::setDocument(ScheduleDocument* document)
{
    m_document = document;
    refresh();
}

void ImprovePanel::say(const QString& sentence, bool refusal)
{
    m_sentence->setText(sentence);
    setInk(m_sentence, refusal ? Role::Refusal : Role::Text);
}

void ImprovePanel::refresh()
{
    const bool searching = m_improver.searching();
    m_button->setText(m_improver.stopping() ? tr("Stopping …")
                      : searching           ? tr("Stop")
                                            : tr("Improve"));
    const QString why = searching ? QString() : m_improver.whyNot(m_document);
    m_button->setEnabled(why.isEmpty() && !m_improver.stopping());
    m_button->setToolTip(!why.isEmpty() ? why
                         : searching
                             ? tr("Ends the search; what was found stays, each step can be undone.")
                             : tr("Looks for a shorter order of the same passes."));
    for (QWidget* field : {static_cast<QWidget*>(m_seconds), static_cast<QWidget*>(m_aim),
                           static_cast<QWidget*>(m_backward), static_cast<QWidget*>(m_offload)})
        field->setEnabled(!searching);
    showFigures();
    showSteps();
}

void ImprovePanel::showFigures()
{
    const ImproveState& state = m_improver.state();
    const bool any = m_improver.speaksOf(m_document);
    m_bar->setVisible(any);
    m_figures->setVisible(any);
    if (!any && m_improver.searching() && m_improver.document() != nullptr) {
        say(tr("%1 is being improved, in its own tab.").arg(m_improver.document()->title()), false);
        return;
    }
    if (!any) {
        say(tr("Looks for a shorter order of the open schedule's passes, within its memory. Each "
               "better order is shown at once and is a step of the history."),
            false);
        return;
    }
    m_bar->setTimes(state.bound, state.best, state.given);
    const QString name = state.wish.aim == OrderAim::Makespan ? tr("Makespan") : tr("Longest span");
    std::vector<NumberRow> rows;
    rows.push_back(
        {name, text(timeText(state.best)),
         lengthVerdict(static_cast<double>(state.best), static_cast<double>(state.given)),
         state.best < state.given});
    if (!state.givenFits)
        rows.back().note = tr("the order given needs more than the memory");
    if (state.bound > 0)
        rows.push_back({tr("Lower bound"), text(timeText(state.bound)),
                        state.proven ? tr("met") : tr("gap %1").arg(percentText(state.gap())),
                        state.proven, boundNote(state.wish, *m_document)});
    else
        rows.push_back({tr("Lower bound"), tr("not known yet")});
    rows.push_back({tr("Memory"), state.memory, {}, false, {}, false});
    m_figures->setText(tableOf(rows));
    if (m_improver.searching())
        say(m_improver.stopping()   ? tr("Stopping: the best so far is taken over.")
            : state.story.isEmpty() ? tr("Searching. Nothing shorter yet.")
                                    : tr("Searching. The order %1.").arg(state.story),
            false);
    else if (!state.story.isEmpty() && m_sentence->text().indexOf(state.story) < 0)
        m_figures->setText(tableOf(rows) + quiet(tr("The order %1.").arg(state.story)));
}

void ImprovePanel::showSteps()
{
    static const std::vector<ImproveStep> none;
    const std::vector<ImproveStep>& steps =
        m_improver.speaksOf(m_document) ? m_improver.state().steps : none;
    const int there = m_steps->rowCount();
    const auto count = static_cast<int>(steps.size());
    if (count < there)
        m_steps->setRowCount(0);
    for (int row = m_steps->rowCount(); row < count; ++row) {
        const ImproveStep& step = steps[static_cast<std::size_t>(row)];
        m_steps->insertRow(row);
        m_steps->setItem(row, 0, stepCell(QString::number(step.seconds, 'f', 2) + tr(" s"), true));
        m_steps->setItem(row, 1, stepCell(columnTimeText(step.after), true));
        m_steps->setItem(row, 2, stepCell(columnTimeText(step.before - step.after), true));
        m_steps->setItem(row, 3, stepCell(step.moves, false));
        widen(*m_steps, {0, 1, 2});
    }
    if (count > there)
        m_steps->scrollToBottom();
}

/// In a narrow window the figures have the room: the sentence and the history tell the steps, too.
void ImprovePanel::resizeEvent(QResizeEvent* event)
{
    QWidget::resizeEvent(event);
    m_steps->setVisible(width() > fontMetrics().averageCharWidth() * 110);
}

void ImprovePanel::changeEvent(QEvent* event)
{
    if (event->type() == QEvent::PaletteChange && m_figures != nullptr)
        showFigures();
    QWidget::changeEvent(event);
}

} // namespace pw::ui
