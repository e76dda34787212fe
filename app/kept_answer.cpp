// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/kept_answer.h"

#include "app/store_path.h"
#include "app/stored_run.h"
#include "app/text_table.h"
#include "core/base/try.h"

#include <algorithm>
#include <ostream>
#include <utility>

namespace pw::app {

namespace {

std::string withoutColors(const std::string& text)
{
    std::string plain;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '\x1b')
            i = std::min(text.find('m', i), text.size());
        else
            plain += text[i];
    }
    return plain;
}

/// A word as a shell takes it.
std::string shellWord(const std::string& word)
{
    constexpr const char* plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                  "-_=.,:/@%+";
    if (!word.empty() && word.find_first_not_of(plain) == std::string::npos)
        return word;
    std::string quoted = "'";
    for (const char c : word)
        quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return quoted + "'";
}

/// The command line without what says how and where its answer is shown and kept.
std::string questionOf(AnswerKind kind, const Arguments& arguments)
{
    std::string line = kind == AnswerKind::Plan ? "pipewright plan" : "pipewright compare";
    for (const std::string& word : arguments.typed({"keep", "store", "json", "color"}))
        line += " " + shellWord(word);
    return line;
}

} // namespace

std::vector<Option> keepOptions()
{
    return {{.name = "keep",
             .summary = "keeps the answer in the store, beside runs: `runs` lists it, `show` opens "
                        "it again",
             .section = "Output"},
            storeOption()};
}

tl::expected<void, Failure> keepAnswer(AnswerKind kind, std::string title, std::string shown,
                                       std::string data, const Arguments& arguments,
                                       Console& console)
{
    const std::string path = storePath(arguments);
    PW_TRY(AnswerStore store, AnswerStore::open(path));
    PW_TRY(const std::int64_t number,
           store.keep({kind, std::move(title), questionOf(kind, arguments), withoutColors(shown),
                       std::move(data)}));
    console.out.flush();
    console.err << "kept as a" << number << " in " << path << "\n";
    return {};
}

std::string answersTable(const std::vector<StoredAnswer>& answers, const Screen& screen)
{
    if (answers.empty())
        return {};
    using Align = TextTable::Align;
    TextTable table(screen, {{"kept", "", Align::Left},
                             {"made (UTC)", "", Align::Left},
                             {"what", "", Align::Left},
                             {"title", "", Align::Left}});
    for (const StoredAnswer& answer : answers)
        table.append({"a" + std::to_string(answer.number), momentText(answer.madeMs),
                      std::string(name(answer.kind)),
                      answer.title + (answer.notes.empty() ? "" : " — " + answer.notes)});
    return table.text();
}

Outcome showAnswer(std::int64_t number, const Arguments& arguments, Console& console)
{
    PW_TRY(AnswerStore store, AnswerStore::openToRead(storePath(arguments)));
    PW_TRY(const StoredAnswer answer, store.answer(number));
    if (arguments.has("json")) {
        console.out << answer.data;
        return ExitCode::Good;
    }
    const Screen& screen = console.screen;
    console.out << screen.bold("a" + std::to_string(number) + ": " + answer.title) << "  "
                << name(answer.kind) << " of " << momentText(answer.madeMs) << " UTC\n";
    if (!answer.notes.empty())
        console.out << wrapped(answer.notes, screen.width, 2);
    console.out << screen.paint(wrapped(answer.question, screen.width, 2), Role::Secondary) << "\n"
                << answer.text;
    return ExitCode::Good;
}

Outcome changeAnswer(std::int64_t number, const Arguments& arguments, Console& console)
{
    PW_TRY(AnswerStore store, AnswerStore::open(storePath(arguments)));
    if (arguments.has("delete"))
        PW_DO(store.remove(number));
    if (arguments.has("rename"))
        PW_DO(store.rename(number, arguments.text("rename")));
    if (arguments.has("note"))
        PW_DO(store.annotate(number, arguments.text("note")));
    console.out << "a" << number << (arguments.has("delete") ? " deleted" : " changed") << "\n";
    return ExitCode::Good;
}

} // namespace pw::app
