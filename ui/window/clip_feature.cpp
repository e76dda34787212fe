// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/core_sentences.h"
#include "ui/models/clip_mime.h"
#include "ui/plural.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/no_schedule.h"
#include "ui/window/schedule_page.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QMimeData>

#include <algorithm>

namespace pw::ui {

namespace {

std::vector<EntryAt> selected(SchedulePage& page)
{
    std::vector<EntryAt> entries;
    for (const SpanRef span : page.timeline().overlay().selected)
        if (page.document().lanes()->holds(span))
            entries.push_back({DeviceId(span.lane), static_cast<std::int32_t>(span.index)});
    return entries;
}

QString passesText(std::size_t count)
{
    return plural(static_cast<qint64>(count), Noun::Pass);
}

QString nothingSelected(MainWindow& window)
{
    SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return noSchedule(window);
    return selected(*page).empty() ? MainWindow::tr("No pass is selected.") : QString();
}

/// Puts the selected passes onto the clipboard. @return  how many; nothing: refused, and told
std::optional<std::size_t> copy(MainWindow& window)
{
    SchedulePage& page = *window.schedulePage();
    const Result<Clip> clip = copyEntries(page.document().project(), selected(page));
    if (!clip || clip->empty()) {
        window.refuse(clip ? MainWindow::tr("Optimizer updates cannot be copied.")
                           : coreSentence(clip.error().message));
        return std::nullopt;
    }
    QGuiApplication::clipboard()->setMimeData(mimeOf(*clip, page.document().draft().spec));
    return clip->entries.size();
}

bool remove(MainWindow& window, const QString& step)
{
    SchedulePage& page = *window.schedulePage();
    Result<Proposal> proposal = removeEntries(page.document().project(), selected(page));
    Result<void> done;
    if (proposal)
        done = page.document().edit(proposal->edit, step);
    if (!proposal || !done) {
        window.refuse(coreSentence(proposal ? done.error().message : proposal.error().message));
        return false;
    }
    page.timeline().select({});
    return true;
}

void cut(MainWindow& window)
{
    const std::optional<std::size_t> count = copy(window);
    if (count && remove(window, MainWindow::tr("Cut %1").arg(passesText(*count))))
        window.tell(MainWindow::tr("%1 cut.").arg(passesText(*count)));
}

/// At the playback's cursor, else behind the selected pass, else at the end.
Ticks pasteTime(SchedulePage& page)
{
    if (const std::optional<double> cursor = page.timeline().overlay().cursor; cursor)
        return static_cast<Ticks>(*cursor);
    const LanesPtr& lanes = page.document().lanes();
    if (const SpanRef current = page.timeline().current(); lanes->holds(current))
        return lanes->lanes()[static_cast<std::size_t>(current.lane)]
            .end[static_cast<std::size_t>(current.index)];
    return page.document().result().makespan;
}

void paste(MainWindow& window)
{
    SchedulePage& page = *window.schedulePage();
    ScheduleDocument& document = page.document();
    const QMimeData* data = QGuiApplication::clipboard()->mimeData();
    const Result<Clip> clip =
        data == nullptr
            ? fail(ErrorCode::BadValue,
                   MainWindow::tr("There are no passes on the clipboard.").toStdString())
            : clipOf(*data, document.project());
    if (!clip) {
        window.refuse(coreSentence(clip.error().message));
        return;
    }
    const Result<Proposal> proposal =
        pw::paste(document.project(), *clip, pasteTime(page), Growth::Grow);
    if (!proposal) {
        window.refuse(coreSentence(proposal.error().message));
        return;
    }
    const int before = document.draft().spec.microBatches;
    const QString what = passesText(clip->entries.size());
    if (const Result<void> done =
            document.edit(proposal->edit, MainWindow::tr("Paste %1").arg(what));
        !done) {
        window.refuse(coreSentence(done.error().message));
        return;
    }
    std::vector<SpanRef> pasted;
    for (const EntryId entry : proposal->added) {
        const DeviceId device = proposal->times.deviceOf(entry);
        pasted.push_back({device, entry - proposal->times.begin[device.index()]});
    }
    page.timeline().setSelection(std::move(pasted));
    const int after = document.draft().spec.microBatches;
    window.tell(after > before
                    ? MainWindow::tr("%1 pasted; the schedule grows from %2 to %3 micro-batches.")
                          .arg(what)
                          .arg(before)
                          .arg(after)
                    : MainWindow::tr("%1 pasted.").arg(what));
}

void selectAll(SchedulePage& page)
{
    std::vector<SpanRef> all;
    const std::vector<Lane>& lanes = page.document().lanes()->lanes();
    for (std::size_t lane = 0; lane < lanes.size(); ++lane)
        for (std::size_t i = 0; i < lanes[lane].size(); ++i)
            all.push_back({static_cast<std::int32_t>(lane), static_cast<std::int64_t>(i)});
    page.timeline().setSelection(std::move(all));
}

} // namespace

void addClipboard(MainWindow& window)
{
    Commands& commands = window.commands();
    const auto needsSelection = [&window] { return nothingSelected(window); };
    const auto needsSchedule = [&window] { return noSchedule(window); };
    constexpr int group = 20;
    commands.add({.id = QStringLiteral("edit.cut"),
                  .menu = Menu::Edit,
                  .text = MainWindow::tr("Cu&t"),
                  .keys = QKeySequence::Cut,
                  .group = group,
                  .whyNot = needsSelection},
                 &window, [&window] { cut(window); });
    commands.add({.id = QStringLiteral("edit.copy"),
                  .menu = Menu::Edit,
                  .text = MainWindow::tr("&Copy"),
                  .keys = QKeySequence::Copy,
                  .tip = MainWindow::tr("Copies the selected passes, also as text."),
                  .group = group,
                  .whyNot = needsSelection},
                 &window, [&window] {
                     if (const std::optional<std::size_t> count = copy(window); count)
                         window.tell(MainWindow::tr("%1 copied.").arg(passesText(*count)));
                 });
    commands.add({.id = QStringLiteral("edit.paste"),
                  .menu = Menu::Edit,
                  .text = MainWindow::tr("&Paste"),
                  .keys = QKeySequence::Paste,
                  .tip = MainWindow::tr("Puts copied passes behind the selected one, for the next "
                                        "micro-batches that have none of them."),
                  .group = group,
                  .whyNot = needsSchedule},
                 &window, [&window] { paste(window); });
    commands.add({.id = QStringLiteral("edit.delete"),
                  .menu = Menu::Edit,
                  .text = MainWindow::tr("&Delete"),
                  .keys = QKeySequence::Delete,
                  .group = group,
                  .whyNot = needsSelection},
                 &window, [&window] {
                     const QString what = passesText(selected(*window.schedulePage()).size());
                     if (remove(window, MainWindow::tr("Delete %1").arg(what)))
                         window.tell(MainWindow::tr("%1 deleted.").arg(what));
                 });
    commands.add({.id = QStringLiteral("edit.select-all"),
                  .menu = Menu::Edit,
                  .text = MainWindow::tr("Select &all"),
                  .keys = QKeySequence::SelectAll,
                  .group = 30,
                  .submenu = MainWindow::tr("Select and move"),
                  .whyNot = needsSchedule},
                 &window, [&window] { selectAll(*window.schedulePage()); });
}

} // namespace pw::ui
