// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/text.h"
#include "ui/timeline/annotation_controller.h"
#include "ui/timeline/annotation_menu.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/no_schedule.h"
#include "ui/window/per_page.h"
#include "ui/window/schedule_page.h"

#include <functional>

namespace pw::ui {

namespace {

using Annotators = PerPage<AnnotationController>;

constexpr int annotateGroup = 35;

AnnotationController* makeAnnotator(MainWindow& window, SchedulePage& page)
{
    auto* made = new AnnotationController(page.document(), page.timeline(), &page);
    QObject::connect(made, &AnnotationController::refused, &window, &MainWindow::refuse);
    QObject::connect(made, &AnnotationController::told, &window, &MainWindow::tell);
    QObject::connect(made, &AnnotationController::changed, &window,
                     [&window] { window.commands().refresh(); });
    return made;
}

void add(MainWindow& window, Annotators& pages, const QString& id, const QString& text,
         const QString& tip, bool ofSelected, std::function<void(AnnotationController&)> run)
{
    window.commands().add({.id = id,
                           .menu = Menu::Edit,
                           .text = text,
                           .tip = tip,
                           .group = annotateGroup,
                           .submenu = MainWindow::tr("A&nnotate"),
                           .whyNot =
                               [&window, &pages, ofSelected] {
                                   const AnnotationController* page =
                                       pages.of(window.schedulePage());
                                   if (page == nullptr)
                                       return noSchedule(window);
                                   return ofSelected ? page->editor().whyNot() : QString();
                               }},
                          &pages, [&window, &pages, run = std::move(run)] {
                              if (AnnotationController* page = pages.of(window.schedulePage()))
                                  run(*page);
                          });
}

void addKinds(MainWindow& window, Annotators& pages)
{
    const auto kind = [&](const char* id, const QString& text, const QString& tip,
                          AnnotationKind which) {
        add(window, pages, QString::fromLatin1(id), text, tip, false,
            [which](AnnotationController& page) { page.draw(which); });
    };
    kind("annotate.text", MainWindow::tr("&Text"),
         MainWindow::tr("Writes something over the lanes. It stays with the file, moves with the "
                        "pass it is put on, and is in figures."),
         AnnotationKind::Text);
    kind("annotate.arrow", MainWindow::tr("&Arrow"),
         MainWindow::tr("Draws an arrow from some words to what they speak of."),
         AnnotationKind::Arrow);
    kind("annotate.bracket", MainWindow::tr("&Bracket"),
         MainWindow::tr("Draws a bracket along a lane, over a stretch of time."),
         AnnotationKind::Bracket);
    kind("annotate.region", MainWindow::tr("&Region"),
         MainWindow::tr("Marks a stretch of time on one or several lanes."),
         AnnotationKind::Region);
}

} // namespace

void addAnnotating(MainWindow& window)
{
    auto* pages = new Annotators(
        window, [&window](SchedulePage& page) { return makeAnnotator(window, page); });
    addKinds(window, *pages);
    add(window, *pages, QStringLiteral("annotate.next"), MainWindow::tr("&Next annotation"),
        MainWindow::tr("Selects the next annotation; arrow keys move it, Enter changes its text, "
                       "Del removes it."),
        false, [](AnnotationController& page) { page.editor().selectNext(); });
    add(window, *pages, QStringLiteral("annotate.words"), MainWindow::tr("&Edit text…"),
        MainWindow::tr("Changes the text of the selected annotation; a double click does it, "
                       "too."),
        true, [](AnnotationController& page) { page.editor().askText(); });
    for (const AnnotationTint tint : allAnnotationTints) {
        const QString word = nameOf(tint);
        add(window, *pages, QStringLiteral("annotate.") + text(name(tint)), word,
            MainWindow::tr("The colour of the selected annotation."), true,
            [tint](AnnotationController& page) { page.editor().setTint(tint); });
    }
    add(window, *pages, QStringLiteral("annotate.remove"), MainWindow::tr("Re&move annotation"),
        MainWindow::tr("Takes the selected annotation away; Del does it, too."), true,
        [](AnnotationController& page) { page.editor().remove(); });
}

} // namespace pw::ui
