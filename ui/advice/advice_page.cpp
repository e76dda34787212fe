// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/advice/advice_page.h"

#include "core/base/text.h"
#include "core/base/try.h"
#include "core/cost/layer_split.h"
#include "ui/advice/after_trace.h"
#include "ui/advice/held_view.h"
#include "ui/compare/stacked_timelines.h"
#include "ui/core_sentences.h"
#include "ui/panels/figure_table.h"
#include "ui/presentation.h"
#include "ui/text.h"
#include "ui/timeline/time_scale.h"
#include "ui/timeline/value_text.h"

#include <QComboBox>
#include <QDropEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QPushButton>
#include <QSignalBlocker>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr qint64 droppedFiles = -1; ///< in the place of a run's number

QString effortText(Effort effort)
{
    switch (effort) {
    case Effort::Number:
        return AdvicePage::tr("a number");
    case Effort::File:
        return AdvicePage::tr("a file");
    case Effort::Model:
        return AdvicePage::tr("a cut of the model");
    }
    return {};
}

/// With a capital and a full stop.
QString asOwnSentence(const Sentence& sentence)
{
    QString said = coreSentence(sentence);
    if (!said.isEmpty())
        said[0] = said[0].toUpper();
    return said + QLatin1Char('.');
}

/// A note with the field that would help.
QString noteText(const AdviceNote& note)
{
    if (note.hint == AdviceHint::Layers)
        return AdvicePage::tr("%1: the field Layers says it.").arg(coreSentence(note.sentence));
    return coreSentence(note.sentence) + QLatin1Char('.');
}

/// The source with the layers that somebody wrote: of every stage, or of the model.
Result<AdviceSource> withLayers(const AdviceSource& source, const std::string& written)
{
    AdviceSource made = source;
    if (written.empty())
        return made;
    const int stages = source.base.schedule.spec().stages();
    const bool total = written.find(',') == std::string::npos && stages > 1;
    PW_TRY(std::vector<int> layers, parseLayers(written, total ? 1 : stages, 0));
    if (total) {
        PW_TRY(const LayerSplit split, evenSplit(layers.front(), stages));
        layers.clear();
        for (const StageContent& stage : split)
            layers.push_back(stage.layers);
    }
    PW_DO(setLayers(made, std::move(layers)));
    return made;
}

} // namespace

AdvicePage::AdvicePage(const QString& name, QWidget* parent)
    : ComparingPage(name, tr("changed"), tr("Advice"), parent)
    , m_head(new QLabel(this))
    , m_changes(new FigureTable({tr("change"), tr("step"), tr("gain"), tr("nine times in ten"),
                                 tr("fullest rank"), tr("needs")},
                                1, this))
    , m_held(new HeldView(this))
    , m_sentence(new QLabel(this))
{
    setAcceptDrops(true);
    for (QLabel* label : {m_head, m_sentence}) {
        label->setWordWrap(true);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_sentence->setObjectName(QStringLiteral("advice-sentence"));
    m_changes->setAccessibleName(tr("Changes by their gain"));
    m_changes->setSelectionMode(QAbstractItemView::SingleSelection);
    m_changes->setMaximumHeight(fontMetrics().height() * 16);
    auto* head = new QVBoxLayout;
    head->setContentsMargins(12, 8, 12, 0);
    head->setSpacing(4);
    head->addWidget(m_head);
    head->addWidget(makeFields());
    constexpr int widths[] = {3, 1};
    auto* tables = new QHBoxLayout;
    tables->addWidget(m_changes, widths[0]);
    tables->addWidget(m_held, widths[1]);
    head->addLayout(tables);
    head->addWidget(m_sentence);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(head);
    layout->addWidget(&comparison(), 1);
    // Passes of another order have moved all over: what they are says more.
    comparison().setColour(StackedTimelines::Colour::Kind);
    connectParts();
    m_head->setText(tr("Reading what there is …"));
}

AdvicePage::~AdvicePage() = default;

QWidget* AdvicePage::makeFields()
{
    auto* fields = new QWidget(this);
    m_layers = new QLineEdit(fields);
    m_layers->setObjectName(QStringLiteral("layers"));
    m_layers->setPlaceholderText(tr("4,4,4,4 or 16"));
    m_layers->setToolTip(tr("Layers of every stage, or of the whole model, spread evenly: with "
                            "them layers are moved between stages, too."));
    m_layers->setMaximumWidth(fontMetrics().averageCharWidth() * 40);
    auto* layers = new QLabel(tr("La&yers"), fields);
    layers->setBuddy(m_layers);
    m_after = new QComboBox(fields);
    m_after->setObjectName(QStringLiteral("after"));
    m_after->addItem(tr("no run yet"), qint64{0});
    m_after->setToolTip(tr("A run of the changed training: did the promise hold?"));
    m_after->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    auto* after = new QLabel(tr("&After"), fields);
    after->setBuddy(m_after);
    m_open = new QPushButton(tr("&Open as a schedule"), fields);
    m_open->setObjectName(QStringLiteral("open-change"));
    m_open->setToolTip(tr("Opens the chosen change with its costs in a tab of its own."));
    m_open->setEnabled(false);
    auto* row = new QHBoxLayout(fields);
    row->setContentsMargins(0, 0, 0, 0);
    row->addWidget(layers);
    row->addWidget(m_layers, 1);
    row->addSpacing(12);
    row->addWidget(after);
    row->addWidget(m_after);
    row->addStretch(1);
    row->addWidget(m_open);
    return fields;
}

void AdvicePage::connectParts()
{
    connect(m_layers, &QLineEdit::editingFinished, this, &AdvicePage::adviseAgain);
    connect(m_changes, &QTableWidget::currentCellChanged, this, &AdvicePage::showChange);
    connect(m_open, &QPushButton::clicked, this, &AdvicePage::openChange);
    connect(m_after, &QComboBox::activated, this, [this](int index) {
        const qint64 run = m_after->itemData(index).toLongLong();
        if (run > 0) {
            Q_EMIT afterAsked(run);
        } else if (run == droppedFiles) {
            setAfter(*m_dropped);
        } else {
            m_held->clear();
            say({}, false);
        }
    });
}

void AdvicePage::setSource(std::shared_ptr<const AdviceSource> source, const ComparedPtr& before)
{
    m_source = std::move(source);
    showBefore(before);
    m_head->setText(tr("A step takes %1; ranks compute %2 of it. %3")
                        .arg(durationText(static_cast<double>(m_source->step)),
                             percentText(m_source->computing), asOwnSentence(m_source->why)));
    adviseAgain();
}

void AdvicePage::setProblem(const QString& why)
{
    m_head->setText(tr("There is no advice: %1").arg(why));
    showNothing(why);
    Q_EMIT advised();
}

void AdvicePage::adviseAgain()
{
    if (m_source == nullptr)
        return;
    Result<AdviceSource> asked = withLayers(*m_source, m_layers->text().trimmed().toStdString());
    if (!asked) {
        say(tr("Layers: %1").arg(coreSentence(asked.error().message)), true);
        return;
    }
    if (m_advice != nullptr && m_asked != nullptr && m_asked->layers == asked->layers)
        return;
    m_asked = std::make_shared<const AdviceSource>(std::move(*asked));
    say(tr("Looking for changes …"), false);
    m_work.begin([this, source = m_asked](const std::atomic<bool>& stop) {
        AdviceRequest request;
        request.stopped = [&stop] { return stop.load(); };
        auto made = std::make_shared<Result<Advice>>(adviceOn(*source, request));
        return LatestWork::Answer([this, made] { take(*made); });
    });
}

void AdvicePage::take(const Result<Advice>& made)
{
    if (!made) {
        m_advice = nullptr;
        m_changes->setRowCount(0);
        say(coreSentence(made.error().message), true);
        Q_EMIT advised();
        return;
    }
    m_advice = std::make_shared<const Advice>(*made);
    QStringList notes;
    for (const AdviceNote& note : m_advice->notes)
        notes += noteText(note);
    say(notes.join(QLatin1Char(' ')), false);
    fillChanges();
    if (m_dropped != nullptr && m_after->currentData().toLongLong() == droppedFiles)
        setAfter(*m_dropped);
    Q_EMIT figuresChanged();
    Q_EMIT advised();
}

void AdvicePage::fillChanges()
{
    const QSignalBlocker quiet(m_changes);
    m_changes->setRowCount(0);
    for (const AdvisedChange& one : m_advice->changes) {
        const bool bound = one.what == ChangeKind::Bound;
        const std::vector<Bytes>& peaks = one.promise.peaks;
        const QString memory = peaks.empty()
                                   ? QString()
                                   : text(byteText(*std::max_element(peaks.begin(), peaks.end())));
        m_changes->append({coreSentence(one.title), durationText(one.promise.step),
                           gainText(one.promise.gain),
                           bound ? QString()
                                 : QStringLiteral("%1 … %2").arg(gainText(one.promise.low),
                                                                 gainText(one.promise.high)),
                           memory, bound ? tr("cannot be had") : effortText(one.effort)});
        for (int column = 0; column < m_changes->columnCount(); ++column)
            m_changes->item(m_changes->rowCount() - 1, column)->setToolTip(coreSentence(one.todo));
    }
    m_changes->setColumnHidden(4, !m_asked->knowsMemory());
    m_changes->fit();
    if (m_changes->rowCount() > 0)
        m_changes->setCurrentCell(0, 0);
    showChange();
}

std::optional<std::size_t> AdvicePage::chosen() const
{
    const int row = m_changes->currentRow();
    if (m_advice == nullptr || row < 0 || row >= static_cast<int>(m_advice->changes.size()))
        return std::nullopt;
    return static_cast<std::size_t>(row);
}

void AdvicePage::showChange()
{
    const std::optional<std::size_t> at = chosen();
    m_open->setEnabled(at.has_value());
    if (!at) {
        showNoAfter(tr("nothing would make the step shorter"));
        return;
    }
    const AdvisedChange& one = m_advice->changes[*at];
    showAfter(one.promise.prediction, coreSentence(one.title), coreSentence(one.todo));
    Q_EMIT figuresChanged();
}

void AdvicePage::openChange()
{
    const std::optional<std::size_t> at = chosen();
    if (!at)
        return;
    const AdvisedChange& one = m_advice->changes[*at];
    open(one.promise.prediction, coreSentence(one.title),
         figures() + QStringLiteral("\n\n") + coreSentence(one.todo) + QLatin1Char('.'));
}

void AdvicePage::addAfter(qint64 run, const QString& title)
{
    m_after->addItem(title, run);
}

void AdvicePage::readAfter(const QStringList& paths)
{
    const QString name = QFileInfo(paths.front()).fileName();
    say(tr("Reading %1 …").arg(name), false);
    m_reading.begin([this, paths, name](const std::atomic<bool>& stop) {
        auto step = std::make_shared<Result<AdviceSource>>(stepOfFiles(paths, stop));
        return LatestWork::Answer([this, step, name] { takeDropped(name, std::move(*step)); });
    });
}

void AdvicePage::takeDropped(const QString& name, Result<AdviceSource> step)
{
    m_dropped = std::make_shared<const Result<AdviceSource>>(std::move(step));
    int at = m_after->findData(droppedFiles);
    if (at < 0) {
        at = 1; // behind "no run yet", which is first
        m_after->insertItem(at, QString(), droppedFiles);
    }
    m_after->setItemText(at, name);
    m_after->setCurrentIndex(at);
    if (m_advice == nullptr && m_work.busy())
        say(tr("Looking for changes …"), false); // it is held against them once they are there
    else if (m_advice == nullptr)
        say(tr("There is no advice to hold %1 against.").arg(name), true);
    else
        setAfter(*m_dropped);
}

void AdvicePage::dragEnterEvent(QDragEnterEvent* event)
{
    if (m_source != nullptr && !localFiles(*event->mimeData()).isEmpty())
        event->acceptProposedAction();
}

void AdvicePage::dropEvent(QDropEvent* event)
{
    const QStringList paths = localFiles(*event->mimeData());
    if (m_source == nullptr || paths.isEmpty())
        return;
    event->acceptProposedAction();
    readAfter(paths);
}

void AdvicePage::setAfter(const Result<AdviceSource>& after)
{
    if (!after) {
        say(coreSentence(after.error().message), true);
        return;
    }
    if (m_advice == nullptr)
        return;
    const Result<AfterCheck> check = checkAfter(*m_asked, *m_advice, *after);
    if (!check) {
        say(coreSentence(check.error().message), true);
        return;
    }
    m_held->setCheck(*check);
    QString said = tr("Before %1, after %2 (%3).")
                       .arg(durationText(static_cast<double>(check->before)),
                            durationText(static_cast<double>(check->after)), gainText(check->gain));
    said +=
        QLatin1Char(' ') + (check->comparable ? tr("Comparable: %1.") : tr("Not comparable: %1."))
                               .arg(coreSentence(check->why));
    if (check->change) {
        const AdvisedChange& one = m_advice->at(*check->change);
        said += QLatin1Char(' ') +
                (!check->comparable ? tr("It is '%1', for which %2 (%3 … %4) was promised.")
                 : check->held      ? tr("It is '%1', and the promise of %2 (%3 … %4) held.")
                               : tr("It is '%1', and the promise of %2 (%3 … %4) did not hold."))
                    .arg(coreSentence(one.title), durationText(check->promised),
                         durationText(check->low), durationText(check->high));
        said +=
            QLatin1Char(' ') + tr("Where the difference lies: %1.").arg(coreSentence(check->where));
        if (*check->change < m_advice->changes.size())
            m_changes->setCurrentCell(static_cast<int>(*check->change), 0);
    }
    say(said, check->change && check->comparable && !check->held);
}

void AdvicePage::say(const QString& sentence, bool refusal)
{
    setInk(m_sentence, refusal ? Role::Refusal : Role::Secondary);
    m_sentence->setText(sentence);
}

std::vector<QWidget*> AdvicePage::beside()
{
    std::vector<QWidget*> all = ComparingPage::beside();
    all.push_back(m_changes);
    all.push_back(m_held);
    all.push_back(m_sentence);
    return all;
}

QString AdvicePage::title() const
{
    return tr("Advice · %1").arg(name());
}

QString AdvicePage::figures() const
{
    const std::optional<std::size_t> at = chosen();
    if (!at)
        return {};
    const AdvisedChange& one = m_advice->changes[*at];
    return tr("%1: a step of %2, %3 (%4 … %5)")
        .arg(coreSentence(one.title), durationText(one.promise.step), gainText(one.promise.gain),
             gainText(one.promise.low), gainText(one.promise.high));
}

} // namespace pw::ui
