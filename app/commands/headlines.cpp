// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/plan/headlines.h"

#include "app/command.h"
#include "app/progress.h"
#include "app/text_table.h"
#include "core/base/text.h"
#include "core/io/json_text.h"

#include <algorithm>
#include <ostream>

namespace pw::app::commands {

namespace {

constexpr int headlineDigits = 3;

struct ComputedPaper
{
    const plan::HeadlinePaper* paper;
    std::vector<plan::Headline> figures;
};

/// The figure that a paper is known by; null where the search for it was stopped.
const plan::Headline* claimOf(const ComputedPaper& paper)
{
    const auto found =
        std::find_if(paper.figures.begin(), paper.figures.end(), [&](const plan::Headline& one) {
            return one.experiment == paper.paper->claim;
        });
    return found == paper.figures.end() ? nullptr : &*found;
}

std::string figureText(const plan::Figure& figure)
{
    std::string text = plainNumber(figure.from, headlineDigits);
    if (figure.isRange())
        text += " … " + plainNumber(figure.to, headlineDigits);
    return text;
}

std::string signedText(double value)
{
    constexpr int digits = 2;
    return (value < 0 ? "−" : "+") + plainNumber(std::abs(value), digits);
}

std::string differenceText(const plan::Headline& one)
{
    const plan::Figure difference = one.difference();
    std::string text = signedText(difference.from);
    if (one.published.isRange())
        text += " … " + signedText(difference.to);
    return text + (one.unit == plan::HeadlineUnit::Percent ? " points" : " %");
}

std::string meanText(const std::vector<plan::Headline>& figures)
{
    constexpr int digits = 2;
    std::string text;
    for (const bool points : {false, true}) {
        if (const double mean = plan::meanDifference(figures, points); mean > 0) {
            text += (text.empty() ? "in the mean " : " and ") + plainNumber(mean, digits) +
                    (points ? " points" : " %");
        }
    }
    return text.empty() ? "no difference" : text + " apart";
}

std::string headlinesText(const std::vector<ComputedPaper>& papers, const Screen& screen)
{
    using Align = TextTable::Align;
    std::string out;
    for (const ComputedPaper& one : papers) {
        TextTable table(screen, {{.title = "figure", .align = Align::Left},
                                 {.title = "published"},
                                 {.title = "ours"},
                                 {.title = "unit", .align = Align::Left},
                                 {.title = "difference"},
                                 {.title = "", .align = Align::Left}});
        for (const plan::Headline& figure : one.figures) {
            table.append({figure.experiment, figureText(figure.published), figureText(figure.ours),
                          std::string(unitText(figure.unit)),
                          figure.kind == plan::HeadlineKind::Figure ? differenceText(figure) : "",
                          std::string(plan::verdictText(figure.verdict()))});
        }
        out += (out.empty() ? "" : "\n") +
               fitted(screen.paint(std::string(one.paper->title), Role::Accent) + "  " +
                          screen.paint(meanText(one.figures), Role::Secondary) + "\n",
                      screen.width) +
               table.text();
        const auto note = [&](std::string_view what, std::string_view text) {
            if (!text.empty()) {
                out += screen.paint(
                    wrapped(std::string(what) + ": " + std::string(text), screen.width, 2),
                    Role::Secondary);
            }
        };
        note("source", one.paper->source);
        note("assumed", one.paper->assumptions);
        note("why", one.paper->remark);
    }
    return out;
}

/// A command line to be pasted, over several lines where one has no room for it.
std::string pastedText(std::string_view command, int width)
{
    std::string out = "  $";
    int used = displayWidth(out);
    for (std::size_t begin = 0; begin < command.size();) {
        const std::size_t end = std::min(command.find(' ', begin), command.size());
        const std::string word(command.substr(begin, end - begin));
        constexpr int goesOn = 2; // " \\"
        if (used + 1 + displayWidth(word) + goesOn > width) {
            out += " \\\n   ";
            used = 3;
        }
        out += " " + word;
        used += 1 + displayWidth(word);
        begin = end + 1;
    }
    return out + "\n";
}

/// Of each paper the figure that it is known by, and the command lines that repeat ours.
std::string claimsText(const std::vector<ComputedPaper>& papers, const Screen& screen)
{
    std::string out;
    for (const ComputedPaper& one : papers) {
        const plan::Headline* claim = claimOf(one);
        if (claim == nullptr)
            continue;
        const plan::HeadlineVerdict verdict = claim->verdict();
        const std::string unit(unitText(claim->unit));
        const bool limit = claim->kind != plan::HeadlineKind::Figure;
        out += fitted(
            screen.bold(std::string(one.paper->id)) + ": " + claim->experiment + ": " +
                figureText(claim->published) + " " + unit + " published, " +
                figureText(claim->ours) + " " + unit + " here" +
                (limit ? "" : ", " + differenceText(*claim)) + ": " +
                screen.paint(plan::verdictText(verdict),
                             verdict == plan::HeadlineVerdict::Apart ? Role::Refusal : Role::Good) +
                "\n",
            screen.width);
        for (const std::string_view command : one.paper->commands)
            if (!command.empty())
                out += screen.paint(pastedText(command, screen.width), Role::Secondary);
    }
    return out + "\n" +
           wrapped("All figures of a paper, its source and what is assumed: --paper WHICH; all: "
                   "--all",
                   screen.width);
}

void figureMember(JsonText& json, std::string_view name, const plan::Figure& figure)
{
    json.member(name, figure.from);
    if (figure.isRange())
        json.member(std::string(name) + "_to", figure.to);
}

std::string headlinesJson(const std::vector<ComputedPaper>& papers)
{
    JsonText json;
    json.beginArray();
    for (const ComputedPaper& one : papers) {
        json.beginObject();
        json.member("id", one.paper->id);
        json.member("title", one.paper->title);
        json.member("source", one.paper->source);
        json.member("assumptions", one.paper->assumptions);
        json.member("remark", one.paper->remark);
        json.key("commands");
        json.beginArray(JsonText::Layout::OneLine);
        for (const std::string_view command : one.paper->commands)
            if (!command.empty())
                json.value(command);
        json.endArray();
        json.member("mean_difference_percent", plan::meanDifference(one.figures, false));
        json.member("mean_difference_points", plan::meanDifference(one.figures, true));
        json.key("figures");
        json.beginArray();
        for (const plan::Headline& figure : one.figures) {
            json.beginObject(JsonText::Layout::OneLine);
            json.member("experiment", std::string_view(figure.experiment));
            json.member("unit", plan::unitText(figure.unit));
            figureMember(json, "published", figure.published);
            figureMember(json, "ours", figure.ours);
            figureMember(json, "difference", figure.difference());
            json.member("verdict", plan::verdictText(figure.verdict()));
            if (&figure == claimOf(one))
                json.member("claim", true);
            json.endObject();
        }
        json.endArray();
        json.endObject();
    }
    json.endArray();
    return json.text();
}

std::vector<std::string> paperIds()
{
    std::vector<std::string> ids;
    for (const plan::HeadlinePaper& paper : plan::headlinePapers())
        ids.emplace_back(paper.id);
    return ids;
}

Outcome runHeadlines(const Arguments& arguments, Console& console)
{
    std::vector<ComputedPaper> papers;
    for (const plan::HeadlinePaper& paper : plan::headlinePapers()) {
        if (arguments.has("paper") && arguments.text("paper") != paper.id)
            continue;
        showStatus(console.err, paper.title);
        papers.push_back({&paper, paper.compute(nullptr)});
    }
    showStatus(console.err, "");
    const bool whole = arguments.has("paper") || arguments.has("all");
    console.out << (arguments.has("json") ? headlinesJson(papers)
                    : whole               ? headlinesText(papers, console.screen)
                                          : claimsText(papers, console.screen));
    return ExitCode::Good;
}

std::vector<Option> optionsOfHeadlines()
{
    return {{.name = "paper",
             .kind = ValueKind::Text,
             .placeholder = "WHICH",
             .summary = "one paper's experiment alone",
             .choices = paperIds()},
            {.name = "all", .summary = "all figures of all papers"},
            {.name = "json", .summary = "for programs: an array of papers with their figures"}};
}

} // namespace

Command headlines()
{
    Command command;
    command.name = "headlines";
    command.group = CommandGroup::Plan;
    command.summary = "the papers' main experiments: published figures beside those computed here";
    command.about =
        "Computes the experiments that the papers behind the schedules are known by with the cost "
        "model and the simulator of `plan`, and puts the published figures beside them: the "
        "source, what is assumed where the source does not say, and why the two differ. No figure "
        "is fitted. Of each paper one line has the figure that it is known by, and the commands "
        "that repeat ours; where there are two, the time of the first is divided by that of the "
        "second.";
    command.examples = {"pipewright headlines", "pipewright headlines --paper zero-bubble",
                        "pipewright headlines --json"};
    command.options = optionsOfHeadlines;
    command.run = runHeadlines;
    return command;
}

} // namespace pw::app::commands
