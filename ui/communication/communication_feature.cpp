// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/torch_listing.h"
#include "core/io/file_problem.h"
#include "core/io/schedule_file.h"
#include "ui/communication/communication_page.h"
#include "ui/window/commands.h"
#include "ui/window/features.h"
#include "ui/window/main_window.h"
#include "ui/window/per_page.h"
#include "ui/window/schedule_page.h"

namespace pw::ui {

namespace {

/// The PyTorch file that a page's schedule was opened from. Such a file is no project, so that the
/// document keeps no path of it.
class TorchFile : public QObject
{
public:
    using QObject::QObject;

    QString path; ///< empty: it came from elsewhere
};

using TorchFiles = PerPage<TorchFile>;

QString whyNoCommunication(const MainWindow& window)
{
    const SchedulePage* page = window.schedulePage();
    if (page == nullptr)
        return MainWindow::tr("No schedule is in front.");
    const ScheduleDocument& document = page->document();
    if (document.schedule() != nullptr)
        return {};
    return document.problem().isEmpty() ? MainWindow::tr("The schedule is empty.")
                                        : document.problem();
}

/// The sends and receives of the file that a schedule was opened from, where it is still that
/// file's and has any.
std::optional<communication::Listing> listingOfFile(const SchedulePage& page,
                                                    const TorchFiles& files)
{
    const ScheduleDocument& document = page.document();
    const std::string path = files.of(&page)->path.toStdString();
    if (path.empty() || formatOfPath(path) != FileFormat::TorchCsv)
        return std::nullopt;
    const Result<std::string> content = readFile(path, maxTorchCsvBytes);
    if (!content)
        return std::nullopt;
    const TorchCsv csv = parseTorchCsv(*content);
    if (!csv.communicates || !csv.problems.none())
        return std::nullopt;
    Result<communication::TorchListing> read = communication::listingOf(csv);
    if (!read || !(read->schedule == *document.schedule()))
        return std::nullopt;
    return std::move(read->listing);
}

} // namespace

void addCommunication(MainWindow& window)
{
    auto* files = new TorchFiles(window, [](SchedulePage& page) { return new TorchFile(&page); });
    QObject::connect(&window, &MainWindow::fileUsed, files, [&window, files](const QString& path) {
        SchedulePage* page = window.schedulePage();
        if (page != nullptr && page->document().path().isEmpty() &&
            formatOfPath(path.toStdString()) == FileFormat::TorchCsv)
            files->of(page)->path = path;
    });
    window.commands().add(
        {.id = QStringLiteral("schedule.communication"),
         .menu = Menu::Schedule,
         .text = MainWindow::tr("Comm&unication"),
         .keys = QKeySequence(MainWindow::tr("Ctrl+Shift+U")),
         .tip = MainWindow::tr("Opens every device into its passes, sends, receives and gathers, "
                               "as an engine executes them; they can be moved."),
         .group = 15,
         .whyNot = [&window] { return whyNoCommunication(window); }},
        files, [&window, files] {
            const SchedulePage& schedule = *window.schedulePage();
            const ScheduleDocument& document = schedule.document();
            window.addPage(new CommunicationPage(document.title(), document.schedule(),
                                                 document.costs(),
                                                 listingOfFile(schedule, *files)));
        });
}

} // namespace pw::ui
