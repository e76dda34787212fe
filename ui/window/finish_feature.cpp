// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/edit/fit_costs.h"
#include "ui/core_sentences.h"
#include "ui/document/background.h"
#include "ui/document/exercise.h"
#include "ui/models/palette_drop.h"
#include "ui/plural.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/no_schedule.h"
#include "ui/window/per_page.h"
#include "ui/window/schedule_page.h"

#include <QAction>

#include <memory>
#include <optional>
#include <variant>

namespace pw::ui {

namespace {

/// The family that a document had last, with its options; also after its orders went their own way.
class FamilyMemory : public QObject
{
public:
    explicit FamilyMemory(SchedulePage& page)
        : QObject(&page)
        , m_document(page.document())
    {
        connect(&m_document, &ScheduleDocument::resultChanged, this, &FamilyMemory::note);
        note();
    }

    const std::optional<FamilyChoice>& last() const { return m_last; }

private:
    void note()
    {
        if (m_document.project().family)
            m_last = m_document.project().family;
    }

    ScheduleDocument& m_document;
    std::optional<FamilyChoice> m_last;
};

using FamilyMemories = PerPage<FamilyMemory>;

void finishWith(MainWindow& window, ScheduleDocument& document, const Result<Proposal>& proposal,
                const QString& step)
{
    const std::int64_t before = static_cast<std::int64_t>(document.times().begin.back());
    Result<void> done;
    if (proposal)
        done = document.edit(proposal->edit, step);
    if (!proposal || !done) {
        window.refuse(coreSentence(proposal ? done.error().message : proposal.error().message));
        return;
    }
    window.tell(MainWindow::tr("%1 added.")
                    .arg(plural(static_cast<std::int64_t>(proposal->times.begin.back()) - before,
                                Noun::Pass)));
}

void finish(MainWindow& window, FinishRule rule, const QString& step)
{
    constexpr std::int32_t manyEntries = 50'000;
    ScheduleDocument& document = window.schedulePage()->document();
    if (document.times().begin.back() <= manyEntries)
        return finishWith(window, document, finishRest(document.project(), rule), step);
    window.tell(MainWindow::tr("Finishing the rest …"));
    inBackground(
        &document,
        [&window, &document, rule, step, project = document.project(),
         lanes = document.lanes()]() -> std::function<void()> {
            auto proposal = std::make_shared<const Result<Proposal>>(finishRest(project, rule));
            return [&window, &document, step, lanes, proposal] {
                if (document.lanes() == lanes)
                    finishWith(window, document, *proposal, step);
                else
                    window.refuse(MainWindow::tr("The schedule was changed meanwhile: nothing was "
                                                 "finished."));
            };
        });
}

QString nothingMissing(MainWindow& window)
{
    SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return noSchedule(window);
    if (QString why = whyNotSolved(&page->document()); !why.isEmpty())
        return why;
    return page->document().problems().none() ? MainWindow::tr("No pass is missing.") : QString();
}

void addFinish(MainWindow& window, const QString& id, FinishRule rule, const QString& label,
               const QString& tip, const QKeySequence& keys)
{
    QString step = MainWindow::tr("Finish the rest: %1").arg(label);
    step.remove(QLatin1Char('&'));
    window.commands().add({.id = QStringLiteral("schedule.finish.") + id,
                           .menu = Menu::Schedule,
                           .text = label,
                           .keys = keys,
                           .tip = tip,
                           .group = 10,
                           .submenu = MainWindow::tr("Finis&h the rest"),
                           .whyNot = [&window] { return nothingMissing(window); }},
                          &window, [&window, rule, step] { finish(window, rule, step); });
}

void reset(MainWindow& window, const FamilyMemories& memories)
{
    SchedulePage& page = *window.schedulePage();
    const std::optional<FamilyChoice>& last = memories.of(&page)->last();
    if (!last) {
        // Any family will do: the palette asks which one.
        if (QAction* find = window.commands().action(QStringLiteral("edit.find-in-palette")))
            find->trigger();
        window.tell(MainWindow::tr("This schedule was never a family's. Choose one in the palette "
                                   "and press Enter."));
        return;
    }
    ScheduleDocument& document = page.document();
    const Result<const Family*> family = findFamily(last->id);
    const QString title = family ? text((*family)->title) : QString::fromStdString(last->id);
    const Result<PaletteDrop> drop = dropOf(document.project(), *last);
    Result<void> done;
    if (drop)
        done = document.edit(drop->proposal.edit, MainWindow::tr("Reset to %1").arg(title));
    if (!drop || !done)
        window.refuse(coreSentence(drop ? done.error().message : drop.error().message));
    else if (!document.computing())
        window.tell(
            MainWindow::tr("The schedule of %1 is back; undo brings back yours.").arg(title));
}

QString isFamily(MainWindow& window)
{
    SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return noSchedule(window);
    return page->document().project().family
               ? MainWindow::tr("The schedule is the family's: nothing was changed in it.")
               : QString();
}

void duplicate(MainWindow& window)
{
    const ScheduleDocument& document = window.schedulePage()->document();
    Project copy = document.kept();
    if (!document.project().title.empty())
        copy.title = MainWindow::tr("%1 (copy)").arg(text(copy.title)).toStdString();
    window.openProject(std::move(copy));
}

/// What passes take, without the network that a schedule runs on and without single passes' times.
std::variant<UniformCosts, Costs> costsOfShape(std::variant<UniformCosts, Costs> costs,
                                               const PipelineSpec& spec)
{
    if (auto* equal = std::get_if<UniformCosts>(&costs); equal != nullptr) {
        equal->hop = 0;
        return costs;
    }
    auto& tables = std::get<Costs>(costs);
    tables.link = {};
    tables.links.clear();
    tables.linkTrace.clear();
    tables.single.clear();
    // Equal stages are tables only for the sake of the network.
    Costs silent = tables;
    silent.forwardMessage.clear();
    silent.backwardMessage.clear();
    if (const Result<UniformCosts> equal = uniformOf(silent, spec); equal)
        return *equal;
    return costs;
}

/// A timeline without passes, in the shape of the schedule in front.
void openEmpty(MainWindow& window)
{
    Project project;
    project.costs = UniformCosts{};
    project.draft.spec.devices = 4;
    project.draft.spec.microBatches = 8;
    project.draft.spec.routes = {Placement::linear(4)};
    if (SchedulePage* page = window.schedulePage(); page != nullptr) {
        project.draft.spec = page->document().draft().spec;
        project.costs = costsOfShape(page->document().project().costs, project.draft.spec);
    }
    project.draft.orders.resize(static_cast<std::size_t>(project.draft.spec.devices));
    window.openProject(std::move(project));
}

} // namespace

void addFinishing(MainWindow& window)
{
    auto* memories =
        new FamilyMemories(window, [](SchedulePage& page) { return new FamilyMemory(page); });
    addFinish(window, QStringLiteral("backward-first"), FinishRule::BackwardFirst,
              MainWindow::tr("&Backward first"),
              MainWindow::tr("Adds what is missing: backwards as early as they can be, within the "
                             "memory limit."),
              QKeySequence(MainWindow::tr("Ctrl+Shift+B")));
    addFinish(
        window, QStringLiteral("forward-first"), FinishRule::ForwardFirst,
        MainWindow::tr("&Forward first"),
        MainWindow::tr("Adds what is missing: forwards as long as the memory limit lets them."),
        {});
    addFinish(window, QStringLiteral("zero-bubble"), FinishRule::ZeroBubble,
              MainWindow::tr("&Zero bubble"),
              MainWindow::tr("Adds what is missing with split backwards: W fills the gaps."), {});
    window.commands().add({.id = QStringLiteral("schedule.reset"),
                           .menu = Menu::Schedule,
                           .text = MainWindow::tr("&Reset to the family"),
                           .tip = MainWindow::tr("Puts the family's schedule back in the place of "
                                                 "what was made of it."),
                           .group = 10,
                           .submenu = MainWindow::tr("Finis&h the rest"),
                           .whyNot = [&window] { return isFamily(window); }},
                          memories, [&window, memories] { reset(window, *memories); });
    window.commands().add({.id = QStringLiteral("file.duplicate"),
                           .menu = Menu::File,
                           .text = MainWindow::tr("&Duplicate as a new tab"),
                           .keys = QKeySequence(MainWindow::tr("Ctrl+D")),
                           .group = 0,
                           .submenu = MainWindow::tr("New"),
                           .whyNot = [&window] { return noSchedule(window); }},
                          &window, [&window] { duplicate(window); });
    window.commands().add({.id = QStringLiteral("file.new-empty"),
                           .menu = Menu::File,
                           .text = MainWindow::tr("New empt&y timeline"),
                           .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+N")),
                           .tip = MainWindow::tr("Lanes without passes, in the shape of the "
                                                 "schedule in front and with the times of its "
                                                 "passes."),
                           .group = 0,
                           .submenu = MainWindow::tr("New")},
                          &window, [&window] { openEmpty(window); });
}

} // namespace pw::ui
