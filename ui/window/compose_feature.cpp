// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/families/family.h"
#include "ui/core_sentences.h"
#include "ui/core_words.h"
#include "ui/keep/welcome_page.h"
#include "ui/panels/palette_panel.h"
#include "ui/timeline/choice_button.h"
#include "ui/timeline/drop_controller.h"
#include "ui/timeline/empty_note.h"
#include "ui/window/bench_page.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/per_page.h"
#include "ui/window/schedule_page.h"

#include <QDockWidget>
#include <QMimeData>

#include <algorithm>

namespace pw::ui {

namespace {

bool isEmpty(const Draft& draft)
{
    return std::all_of(draft.orders.begin(), draft.orders.end(),
                       [](const auto& order) { return order.empty(); });
}

/// What composing adds to a page: it takes drops, says what an empty timeline is for, and offers
/// what else a dropped pass may mean.
class PageComposer : public QObject
{
public:
    PageComposer(MainWindow& window, SchedulePage& page)
        : QObject(&page)
        , m_page(page)
        , m_drops(new DropController(page.document(), page.timeline(), this))
        , m_note(new EmptyNote(page.timeline().viewport(), page.timeline().margin()))
        , m_choice(new ChoiceButton(page.timeline().viewport()))
    {
        connect(m_drops, &DropController::trialChanged, this, &PageComposer::showTrial);
        connect(m_drops, &DropController::choicesChanged, this, &PageComposer::showChoice);
        connect(m_drops, &DropController::placed, &window, &MainWindow::tell);
        connect(m_drops, &DropController::refused, &window, &MainWindow::refuse);
        connect(m_choice, &ChoiceButton::chosen, m_drops,
                [this](int choice) { m_drops->choose(static_cast<std::size_t>(choice)); });
        connect(&page.timeline(), &TimelineView::selectionChanged, this, &PageComposer::showChoice);
        connect(&page.range(), &ViewRange::changed, this, &PageComposer::showChoice);
        connect(&page.document(), &ScheduleDocument::resultChanged, this, &PageComposer::showNote);
        connect(&page, &SchedulePage::lockedChanged, this,
                [this] { m_note->setWaiting(m_page.waiting()); });
        showNote();
    }

    DropController& drops() { return *m_drops; }
    ChoiceButton& choice() { return *m_choice; }

private:
    void showTrial()
    {
        const PaletteDrop* drop = m_drops->trial();
        if (drop == nullptr || drop->later) {
            m_page.timeline().setPreview(nullptr);
            m_page.clearTrial();
        } else {
            const Proposal& proposal = drop->proposal;
            m_page.timeline().setPreview(lanesOf(proposal.draft, proposal.times));
            // Where everything is new, the lanes themselves are the ghosts.
            m_page.showTrial(proposal.draft, proposal.times,
                             drop->replaces ? std::vector<Ghost>{} : m_drops->ghosts(),
                             m_drops->hint(), false);
        }
        showNote();
    }

    void showNote()
    {
        const ScheduleDocument& document = m_page.document();
        m_note->setVisible(!m_drops->holds() && !document.unmade() && isEmpty(document.draft()));
    }

    /// The choice stands below the placed pass as long as that is the selected one.
    void showChoice()
    {
        QStringList names;
        const std::vector<Pass>& choices = m_drops->choices();
        const SpanRef current = m_page.timeline().current();
        QRectF below;
        if (choices.size() > 1 && m_page.document().lanes()->holds(current) &&
            m_page.document().lanes()->pass(current) == choices[m_drops->choice()]) {
            below = m_page.timeline().rectangleOf(current);
            for (const Pass& pass : choices)
                names += passText(pass, m_page.document().draft().spec);
        }
        m_choice->offer(names, static_cast<int>(m_drops->choice()), below);
    }

    SchedulePage& m_page;
    DropController* m_drops;
    EmptyNote* m_note;
    ChoiceButton* m_choice;
};

using PageComposers = PerPage<PageComposer>;

/// A new tab for what is placed where no schedule is open.
void openFor(MainWindow& window, const PageComposers& composers, const PaletteItem& item)
{
    if (item.kind == PaletteKind::Family) {
        window.openFamily(item.id);
        return;
    }
    Project project;
    project.costs = UniformCosts{};
    project.draft.spec.devices = 4;
    project.draft.spec.microBatches = 8;
    project.draft.spec.routes = {Placement::linear(4)};
    if (item.kind == PaletteKind::Block) {
        const Result<BuildingBlock> block = blockFor(project, item);
        if (!block) {
            window.refuse(coreSentence(block.error().message));
            return;
        }
        project.draft.spec = specOf(*block, item.microBatches);
    }
    project.draft.orders.resize(static_cast<std::size_t>(project.draft.spec.devices));
    SchedulePage& page = window.openProject(std::move(project));
    composers.of(&page)->drops().place(item);
}

void place(MainWindow& window, const PageComposers& composers, const PaletteItem& item)
{
    if (PageComposer* composer = composers.of(window.schedulePage()); composer != nullptr)
        composer->drops().place(item);
    else
        openFor(window, composers, item);
}

/// What is dropped beside the lanes goes where it would go by key.
bool takePalette(MainWindow& window, const PageComposers& composers, const QMimeData& data,
                 bool drop)
{
    const std::optional<PaletteItem> item = PaletteItem::of(data);
    if (item && drop)
        place(window, composers, *item);
    return item.has_value();
}

void renameBlock(MainWindow& window, int block, const QString& title)
{
    SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return;
    const auto index = static_cast<std::size_t>(block);
    SetBlock change{index, page->document().project().blocks[index]};
    change.block.title = title.toStdString();
    const Result<void> done = page->document().edit(
        {{std::move(change)}}, MainWindow::tr("Rename block to “%1”").arg(title));
    if (!done)
        window.refuse(coreSentence(done.error().message));
}

void deleteBlock(MainWindow& window, int block)
{
    SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return;
    const Result<void> done = page->document().edit(
        {{RemoveBlock{static_cast<std::size_t>(block)}}}, MainWindow::tr("Delete block"));
    if (!done)
        window.refuse(coreSentence(done.error().message));
    else
        window.tell(MainWindow::tr("The block is gone from the project; undo brings it back."));
}

void connectPalette(MainWindow& window, PageComposers* composers, PalettePanel& palette)
{
    QObject::connect(
        &palette, &PalettePanel::chosen, composers,
        [&window, composers](const PaletteItem& item) { place(window, *composers, item); });
    QObject::connect(
        &palette, &PalettePanel::renameAsked, &window,
        [&window](int block, const QString& title) { renameBlock(window, block, title); });
    QObject::connect(&palette, &PalettePanel::deleteAsked, &window,
                     [&window](int block) { deleteBlock(window, block); });
    const auto showBlocks = [&window, &palette] {
        SchedulePage* page = window.schedulePage();
        palette.setOwnBlocks(page != nullptr ? page->document().project().blocks
                                             : std::vector<BuildingBlock>{});
    };
    QObject::connect(&window, &MainWindow::pageChanged, &palette, showBlocks);
    QObject::connect(&window, &MainWindow::figuresChanged, &palette, showBlocks);
}

/// What a person composes on, and where it begins.
bool isComposed(const InFront& front)
{
    return front.page == nullptr || qobject_cast<const SchedulePage*>(front.page) != nullptr ||
           qobject_cast<const BenchPage*>(front.page) != nullptr ||
           qobject_cast<const WelcomePage*>(front.page) != nullptr;
}

} // namespace

PalettePanel& addComposing(MainWindow& window)
{
    auto* palette = new PalettePanel(&window);
    window.addDock(QStringLiteral("palette"), MainWindow::tr("Palette"), palette,
                   Qt::LeftDockWidgetArea, isComposed);
    auto* composers = new PageComposers(
        window, [&window](SchedulePage& page) { return new PageComposer(window, page); });
    connectPalette(window, composers, *palette);
    window.addDropHandler([&window, composers](const QMimeData& data, bool drop) {
        return takePalette(window, *composers, data, drop);
    });
    window.commands().add({.id = QStringLiteral("edit.find-in-palette"),
                           .menu = Menu::Edit,
                           .text = MainWindow::tr("Find &in the palette"),
                           .keys = QKeySequence(MainWindow::tr("Ctrl+K")),
                           .group = 50,
                           .submenu = MainWindow::tr("Find")},
                          palette, [palette] { palette->focusSearch(); });
    window.commands().add(
        {.id = QStringLiteral("edit.another-pass"),
         .menu = Menu::Edit,
         .text = MainWindow::tr("Another pass &here…"),
         .keys = QKeySequence(MainWindow::tr("Alt+Down")),
         .tip = MainWindow::tr("Puts another pass where one was just placed."),
         .group = 40,
         .submenu = MainWindow::tr("Select and move")},
        composers, [&window, composers] {
            PageComposer* composer = composers->of(window.schedulePage());
            if (composer == nullptr || !composer->choice().open())
                window.refuse(MainWindow::tr("No pass was just placed that could mean another."));
        });
    return *palette;
}

} // namespace pw::ui
