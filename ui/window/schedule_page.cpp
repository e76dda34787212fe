// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/window/schedule_page.h"

#include "core/edit/fit_costs.h"
#include "core/sim/metrics.h"
#include "ui/core_sentences.h"
#include "ui/panels/against_rows.h"
#include "ui/plain_text.h"
#include "ui/presentation.h"
#include "ui/timeline/drag_controller.h"
#include "ui/timeline/value_text.h"
#include "ui/window/schedule_source.h"
#include "ui/workspace/chart_stack.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QLabel>
#include <QLocale>
#include <QMessageBox>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

namespace pw::ui {

namespace {

QString number(double value, int digits)
{
    return QLocale::c().toString(value, 'f', digits);
}

QString percent(const Bubble& bubble)
{
    return percentText(bubble.rate());
}

/// A number's change in brackets: " (−1.00 ms)"; `written` has no sign.
QString changed(double by, const QString& written)
{
    if (by == 0)
        return QStringLiteral(" (±0)");
    return QStringLiteral(" (%1%2)").arg(by > 0 ? QStringLiteral("+") : QStringLiteral("−"),
                                         written);
}

/// The numbers of a trial, each with what it differs by from the present.
QString trialFigures(const DraftTimes& tried, const DraftTimes& present)
{
    if (!tried.ring.empty())
        return noMakespanText();
    const SimResult& trial = tried.times;
    // Nothing is compared with times of a ring.
    const SimResult& now = present.times;
    const auto against = [&present](double by, const QString& written) {
        return present.ring.empty() ? changed(by, written) : QString();
    };
    const auto time = static_cast<double>(trial.makespan - now.makespan);
    const auto points = [&against](const Bubble& a, const Bubble& b) {
        const double by = std::round(1000 * (a.rate() - b.rate())) / 10;
        return percent(a) + against(by, QStringLiteral("%1 %").arg(number(std::abs(by), 1)));
    };
    const double peak = peakMicroBatches(trial);
    const double peakBy = peak - peakMicroBatches(now);
    return SchedulePage::tr("makespan %1     span bubble %2     wall bubble %3     peak %4 "
                            "micro-batches")
        .arg(durationText(static_cast<double>(trial.makespan)) +
                 against(time, durationText(std::abs(time))),
             points(spanBubble(trial), spanBubble(now)), points(wallBubble(trial), wallBubble(now)),
             QLocale::c().toString(peak, 'g', 4) +
                 against(peakBy, QLocale::c().toString(std::abs(peakBy), 'g', 4)));
}

/// Costs of a project for another shape; none where its tables are not of that shape.
std::optional<Costs> costsFor(const ScheduleDocument& document, const PipelineSpec& spec)
{
    if (spec == document.draft().spec)
        return document.costs();
    if (const std::optional<EqualStages> equal = equalStagesOf(document.project())) {
        Costs costs = expand(equal->costs, spec);
        costs.shareCap = equal->shareCap;
        return costs;
    }
    return std::nullopt;
}

} // namespace

SchedulePage::SchedulePage(QWidget* parent)
    : Page(parent)
    , m_source(new ScheduleSource(m_document))
    , m_workspace(new TimelineWorkspace(m_source, this))
    , m_drag(new DragController(m_document, timeline(), this))
    , m_notice(new QLabel(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_workspace);
    setFocusProxy(m_workspace);
    makeNotice();
    connect(&m_document, &ScheduleDocument::resultChanged, this, [this] {
        showNotice();
        Q_EMIT figuresChanged();
    });
    connect(&m_document, &ScheduleDocument::titleChanged, this, &Page::titleChanged);
    connect(&m_document, &ScheduleDocument::freeEditChanged, this, &SchedulePage::showNotice);
    connect(&m_document, &ScheduleDocument::computingChanged, this, &SchedulePage::showComputing);
    connect(m_workspace, &TimelineWorkspace::selectionChanged, this, &Page::selectionChanged);
    connect(m_workspace, &TimelineWorkspace::told, this, &Page::told);
    connect(m_drag, &DragController::trialChanged, this, &SchedulePage::showDrag);
}

void SchedulePage::makeNotice()
{
    m_notice->setObjectName(QStringLiteral("notice"));
    m_notice->setWordWrap(true);
    m_notice->setTextFormat(Qt::RichText);
    m_notice->setTextInteractionFlags(Qt::LinksAccessibleByMouse | Qt::LinksAccessibleByKeyboard);
    m_notice->setContentsMargins(14, 6, 14, 6);
    m_notice->hide();
    m_workspace->addBelowAxis(m_notice);
    m_noticeDelay.setSingleShot(true);
    m_noticeDelay.setInterval(200);
    connect(&m_noticeDelay, &QTimer::timeout, this, &SchedulePage::showNotice);
    connect(m_notice, &QLabel::linkActivated, this, [this](const QString& link) {
        if (link == QLatin1String("rules"))
            m_document.setFreeEdit(false);
        else if (link == QLatin1String("cancel"))
            m_document.cancelComputing();
        else if (link == QLatin1String("compute"))
            m_document.compute();
        else
            Q_EMIT problemsAsked();
    });
}

/// In a level the goal counts what is still to be placed, by what the level is made of.
bool SchedulePage::awaited() const
{
    return !m_locked.isEmpty() && m_document.problems().count > 0 &&
           m_document.problems().list.front().code == ProblemCode::Missing;
}

/// One line while the draft is not a schedule, or may stop being one.
void SchedulePage::showNotice()
{
    QStringList parts;
    if (m_document.freeEdit())
        parts += tr("<b>Free edit</b>: rules may be broken. <a href=\"rules\">Keep the rules</a>");
    if (m_document.computing()) {
        if (!m_noticeDelay.isActive())
            parts += tr("Computing %1 … <a href=\"cancel\">Cancel</a>")
                         .arg(m_document.computed().toHtmlEscaped());
    } else if (m_document.unmade()) {
        parts +=
            tr("%1. <a href=\"compute\">Compute it</a>").arg(m_document.problem().toHtmlEscaped());
    } else if (!m_document.problem().isEmpty() && !awaited()) {
        QString first = m_document.problem().toHtmlEscaped();
        if (const std::int64_t more = m_document.problems().count - 1;
            more > 0 && m_document.problems().list.front().code != ProblemCode::Missing)
            first += tr(", and %1 more").arg(more);
        parts += tr("%1. <a href=\"problems\">Show problems</a>").arg(first);
    }
    m_notice->setText(parts.join(QStringLiteral("&nbsp;&nbsp;&nbsp; ")));
    m_notice->setVisible(!parts.isEmpty());
}

void SchedulePage::showComputing()
{
    if (!m_document.computing())
        m_noticeDelay.stop();
    else if (!m_noticeDelay.isActive() && !m_notice->text().contains(QLatin1String("\"cancel\"")))
        m_noticeDelay.start();
    showNotice();
    Q_EMIT figuresChanged();
}

void SchedulePage::showTrial(const Draft& draft, const DraftTimes& times, std::vector<Ghost> ghosts,
                             const QString& hint, bool refusal, const Schedule* schedule)
{
    m_trialShown = true;
    timeline().setLayer(TrialLayer{std::move(ghosts)});
    timeline().setHint(hint, refusal);
    if (draft.spec == m_document.draft().spec)
        charts().showTrial({draft, times, m_document.costs(), schedule});
    else if (const std::optional<Costs> costs = costsFor(m_document, draft.spec))
        charts().showTrial({draft, times, *costs, schedule});
    Q_EMIT figuresTried(trialFigures(times, m_document.times()));
}

void SchedulePage::clearTrial()
{
    if (!std::exchange(m_trialShown, false))
        return;
    timeline().setLayer(TrialLayer{});
    timeline().setHint({}, false);
    charts().clearTrial();
    Q_EMIT figuresTried(figures());
}

void SchedulePage::showDrag()
{
    if (const Drag* trial = m_drag->trial(); trial != nullptr)
        showTrial(trial->draft(), trial->times(), m_drag->ghosts(), m_drag->hint(),
                  m_drag->refusal(), trial->schedule());
    else
        clearTrial();
}

QString SchedulePage::figures() const
{
    return figuresText(m_document, !awaited());
}

void SchedulePage::setPeakGoal(std::optional<Share> most)
{
    m_source->setPeakGoal(most);
}

bool SchedulePage::save(bool ask)
{
    QString path = m_document.path();
    if (ask || path.isEmpty())
        path = QFileDialog::getSaveFileName(this, tr("Save"), path,
                                            tr("Pipewright projects (*.pipewright.json *.json)"));
    if (path.isEmpty())
        return false;
    if (QFileInfo(path).suffix().isEmpty())
        path += QStringLiteral(".pipewright.json");
    if (const Result<void> done = m_document.save(path); !done) {
        const std::unique_ptr<QMessageBox> box(
            plainBox(this, tr("Not saved"), coreSentence(done.error().message)));
        box->setIcon(QMessageBox::Warning);
        box->exec();
        return false;
    }
    Q_EMIT saved();
    return true;
}

SchedulePage::~SchedulePage()
{
    // The views look at the document until they go.
    delete m_workspace;
}

} // namespace pw::ui
