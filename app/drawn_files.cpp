// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/drawn_files.h"

#include "app/file_options.h"
#include "app/studio_program.h"
#include "app/study.h"
#include "app/study_files.h"
#include "app/web_application.h"
#include "core/base/try.h"
#include "core/io/file_problem.h"
#include "core/io/web_page.h"
#include "core/lesson/lesson.h"

#include <algorithm>
#include <filesystem>
#include <ostream>
#include <random>

namespace pw::app {

namespace {

/// Whether the command line says more of a schedule than its name: its shape, its times.
bool saysMore(const Arguments& arguments)
{
    for (const std::string& name : arguments.names())
        if (name != "to" && name != "from" && name != "dialect" && name != "interactive" &&
            name != "color" && name != "families")
            return true;
    return false;
}

/// A schedule as the command line asks for it.
Outcome studyPage(const Study& study, const Arguments& arguments, Console& console)
{
    if (arguments.has("interactive")) {
        PW_TRY(const std::string page, interactivePage(projectOf(study)));
        return putFile(page, arguments, console);
    }
    const Costs& costs = study.costs.costs;
    PW_TRY(const SimResult result, simulate(study.schedule, costs));
    WebPage page;
    page.title = study.title;
    page.notes = study.notes;
    page.tracks = {{"Schedule", &study.schedule, &costs, &result, &study.annotations}};
    return putFile(writeWebPage(page), arguments, console);
}

/// The schedule of a file, as it is.
Outcome filePage(const std::string& path, const Arguments& arguments, Console& console)
{
    PW_TRY(const ScheduleFile file, readScheduleFile(path, arguments));
    if (!file.unreadable.empty() || !file.problems.empty())
        return wrong(problemsText(path, file));
    Project project = file.project;
    if (project.title.empty())
        project.title = std::filesystem::path(path).filename().string();
    if (arguments.has("interactive")) {
        PW_TRY(const std::string page, interactivePage(project));
        return putFile(page, arguments, console);
    }
    PW_TRY(const Schedule schedule, scheduleOf(project));
    const Costs costs = costsOf(project);
    PW_TRY(const SimResult result, simulate(schedule, costs));
    WebPage page;
    page.title = project.title;
    page.notes = project.notes;
    page.tracks = {{"Schedule", &schedule, &costs, &result, &project.annotations}};
    return putFile(writeWebPage(page), arguments, console);
}

/// A file's name that no program takes for an option.
std::string asOperand(const std::string& name)
{
    return name.rfind('-', 0) == 0 ? "./" + name : name;
}

/// A schedule in a file, for the studio, which is given one; it goes away with this.
class ProjectBeside
{
public:
    static Result<ProjectBeside> make(const Study& study)
    {
        PW_TRY(const std::string text, writeProject(projectOf(study)));
        std::random_device seed;
        ProjectBeside made;
        made.m_path =
            (std::filesystem::temp_directory_path() /
             ("pipewright-" + std::to_string(seed()) + std::to_string(seed()) + ".pipewright.json"))
                .string();
        PW_DO(writeFile(made.m_path, text));
        return made;
    }
    ProjectBeside(ProjectBeside&& other) noexcept
        : m_path(std::exchange(other.m_path, {}))
    {
    }
    ProjectBeside& operator=(ProjectBeside&&) = delete;
    ~ProjectBeside()
    {
        std::error_code unimportant;
        if (!m_path.empty())
            std::filesystem::remove(m_path, unimportant);
    }

    const std::string& path() const { return m_path; }

private:
    ProjectBeside() = default;

    std::string m_path;
};

} // namespace

std::string outOf(const Arguments& arguments)
{
    return arguments.words().size() > 1 ? arguments.words()[1] : "-";
}

Outcome putFile(const std::string& content, const Arguments& arguments, Console& console)
{
    const std::string out = outOf(arguments);
    if (out == "-") {
        console.out << content;
        return ExitCode::Good;
    }
    PW_DO(writeFile(out, content));
    return ExitCode::Good;
}

const std::vector<std::string>& drawnTargets()
{
    static const std::vector<std::string> targets = {"pdf", "png", "gif", "mp4"};
    return targets;
}

bool isDrawn(const std::string& target)
{
    const std::vector<std::string>& all = drawnTargets();
    return std::find(all.begin(), all.end(), target) != all.end();
}

bool isLesson(const std::string& word)
{
    if (shippedLesson(word))
        return true;
    std::error_code unreadable;
    return std::filesystem::is_regular_file(word, unreadable) && loadLesson(word).has_value();
}

Outcome convertToDrawing(const std::string& target, const Arguments& arguments)
{
    const std::string& word = arguments.words()[0];
    const std::string out = outOf(arguments);
    if (out == "-")
        return usage("--to " + target + " needs a file whose name ends in ." + target +
                     ": as OUT, the second word");
    if (std::filesystem::path(out).extension() != "." + target)
        return usage("--to " + target + " and the name " + quotedWord(out) +
                     " are not the same: let it end in ." + target);
    if (word == "-")
        return usage("the studio, which draws a " + target + ", reads a file: give its name");
    const bool lesson = isLesson(word);
    if (lesson && target != "pdf")
        return usage("a lesson becomes a handout alone, --to pdf");
    const bool film = target == "gif" || target == "mp4";
    const char* how = lesson ? "--handout" : film ? "--film" : "--render";
    std::optional<ProjectBeside> beside;
    if (!lesson && saysMore(arguments)) {
        PW_TRY(const Study study, studyOf(word, arguments));
        PW_TRY(ProjectBeside made, ProjectBeside::make(study));
        beside.emplace(std::move(made));
    }
    std::vector<std::string> words = {how, beside ? beside->path() : asOperand(word),
                                      asOperand(out)};
    if (!lesson && !film)
        words.emplace_back("--charts");
    PW_DO(runStudio(words, "a " + target));
    return ExitCode::Good;
}

Outcome convertToPage(const Arguments& arguments, Console& console)
{
    const std::string& word = arguments.words()[0];
    if (!familyOfWord(word) && !saysMore(arguments))
        return filePage(word, arguments, console);
    PW_TRY(const Study study, studyOf(word, arguments));
    return studyPage(study, arguments, console);
}

} // namespace pw::app
