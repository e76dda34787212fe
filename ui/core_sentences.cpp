// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/core_sentences.h"

#include "ui/text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace pw::ui {

namespace {

/// A sentence of the core; %1 to %7 are its names and numbers.
struct KnownSentence
{
    const char* context;
    const char* english;
};

constexpr const char* saidContext = "Errors";
/// What the window says of codes and passes, too, has its translation there.
constexpr const char* ruleContext = "Rules";
constexpr const char* passContext = "Core";

constexpr KnownSentence knownSentences[] = {
    // Passes, rules of an order, rings.
    {passContext, "%1 of micro-batch %2 on stage %3"},
    {passContext, "%1 of micro-batch %2, segment %3, on stage %4"},
    {passContext, "%1 of step %2 on stage %3"},
    {passContext, "%1 of route %2"},
    {ruleContext, "device %1 misses %2"},
    {ruleContext, "%1 appears twice"},
    {ruleContext, "%1 belongs to device %2"},
    {ruleContext, "%1 appears beside a BW, which contains it"},
    {ruleContext, "%1 appears beside a %2 of the same micro-batch"},
    {ruleContext, "micro-batch %1 of stage %2 has %3 before %4"},
    {ruleContext, "%1 comes before the update of step %2 that makes its weights"},
    {ruleContext, "device %1, entry %2: %3"},
    {ruleContext, "device %1 waits in %2 for %3"},
    {ruleContext, "deadlock: %1"},
    {ruleContext, "%1 cannot start before %2 ends at %3 and its message is there at %4"},
    {ruleContext, "%1 cannot start before %2 ends at %3"},
    {ruleContext, "device %1: %2 takes %3 and meets its own repetition at %4 of interval %5"},
    {ruleContext, "device %1: %2 at %3 and %4 at %5 meet at %6 of interval %7"},
    // Building blocks.
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the block collides: %1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 (and %2 more)")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 starts at %2, before %3 ends at %4")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 would start at %2, before %3 ends at %4")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "%1 would start at %2 and last %3; offsets are within %4")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "offsets are within %1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "interval is %1; %2 to %3")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "interval is %1; device %2 works %3 for one block")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the duration is %1; %2 to %3")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the start of %1 is %2; %3 to %4")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the duration of %1 is %2; %3 to %4")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "device %1 has no free stretch of %2 in the interval %3 for %4")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "there is no BW to split among the chosen passes")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "there is no B to join with its W among the chosen passes")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is there already")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "%1 cannot be placed beside the other backward of its stage: split or join that one")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the block has no %1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the block is for %1 devices, the schedule has %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the block places the stages in another way")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the block has %1 segments, the schedule %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 micro-batches are asked for; %2 of %3 are free")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "micro-batch %1 takes route %2, in the block route %3")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "micro-batch %1 has no pass yet")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "micro-batches cannot grow over %1 steps")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "there is no block to repeat")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "there is no block")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "devices and placement are not those of the first block")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "segments are not those of the first block")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "the blocks are repeated for %1 micro-batches; so many passes or so long a time cannot "
         "be kept")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "a block has no U; updates are added to the schedule")},
    // Edits of an order.
    {saidContext, QT_TRANSLATE_NOOP("Errors", "there is no device %1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "there is no device %1; devices are 0 to %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the spec has no %1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "device %1 has no entry %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "device %1 would have more than %2 entries")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors", "device %1 cannot start %2: it holds %3 of activation, and the cap leaves %4")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "device %1 cannot start %2: it holds %3 micro-batches of activation, and the cap is %4")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the copy has route %1; the schedule has %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the copy has stage %1; the schedule has %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the copy has segment %1; the schedule has %2")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors", "there is no free micro-batch for micro-batch %1 of the copy; there are %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "no micro-batch takes route %1 of the copy")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the clip has device %1; devices are 0 to %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "nothing is grabbed")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "the family makes the order; make it an order of its own first")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the family makes the shape; change its options")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 would have no place; delete it first")},
    {saidContext, QT_TRANSLATE_NOOP(
                      "Errors", "%1 passes, the first %2, would have no place; delete them first")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors", "the order contains optimizer updates, and passes are not moved across them")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "%1 overlaps with %2, and overlapped pairs are not taken apart")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "no pass is named that could have a time of its own")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "a pass takes 0 ms or more")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "a pass takes at most %1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "there is no %1 in this pipeline")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "nothing is recomputed there")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "there is no backward that could be recomputed for: it is missing, or it is recomputed "
         "already")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "a memory cap is at least 1 byte")},
    // Files: the system, JSON, fields.
    {saidContext, QT_TRANSLATE_NOOP("Errors", "cannot read %1: %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "cannot open %1: %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "cannot write %1: %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "it is a folder")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "it is a device and no file")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "it is read-only")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "No such file or directory")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Permission denied")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "No space left on device")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is longer than %2 bytes, the most that is read")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "line %1, column %2: %3")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "brackets nest deeper than %1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "a zero byte")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the file")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "The document is empty.")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "The document root must not be followed by other values.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Invalid value.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Missing a name for object member.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Missing a colon after a name of object member.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Missing a comma or '}' after an object member.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Missing a comma or ']' after an array element.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Invalid escape character in string.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Missing a closing quotation mark in string.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Invalid encoding in string.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "Number too big to be stored in double.")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is missing")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is unknown")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is unknown: %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is not an object")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is not a list")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is not text")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is not a number")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is not a whole number")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is neither true nor false")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is %2; it can be %3 to %4")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has %2 bytes; it can have %3")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has an element %2 that is not text")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "%1 has an element %2 that is not a whole number from %3 to %4")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is %2, which is none of its values")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is impossible: %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has %2 lines for %3 devices")},
    // Projects.
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "this is not a project: the field pipewright is missing")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "the project is of version %1; this program reads version 1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the project cannot be saved: %1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the project holds something that no file can hold")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is %2; it is one of %3")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has %2 elements; it can have %3")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors",
                       "%1 has no words; only arrows, brackets and regions can do without")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "a schedule has %1 annotations; it can have %2")},
    // Lessons, and results in them.
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "this is no lesson: the field pipewright_lesson is missing")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "the lesson is of version %1; this program reads version 1")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "these are not results: the field pipewright_results is missing")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "the results are of version %1; this program reads version 1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is empty; a lesson has at least one step")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is empty; a level has at least one goal")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "%1 is empty; a level has a par for time_ms (of a block: interval), memory or messages")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has %2 elements; %3 are the most")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has %2 elements; a question has 2 to 9")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is %2; order, choice or block")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 makes %2 choices; 1 to 1000")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has no block")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has %2; F, B, W, BW and R are known")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "%1 has to be F with BW, or F with B and W; R may be added")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 cannot be chosen: %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is no goal; a goal is one of %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is missing or false; a goal is one of %2")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "%1 is %2; place, move, remove, clear, finish, reorder, family, shift, interval or "
         "stamp")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 needs a number for each of the %2 stages")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 needs a line for each of the %2 devices")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "%1 has an element that is not a time in milliseconds")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "%1 has %2; a pass with its offset, and its length where it is not 1, is as F0@3 or "
         "BW0@4+2")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "%1 is not text, nor an object of texts by language")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 is longer than 16 KiB")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has to have 1 to 50 languages")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "%1 has to be an object of at most 20 values")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "has more passes than a lesson shows")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors",
                       "there is no rule %1; backward-first, forward-first or zero-bubble")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "no pass is named")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "no pass is named; a device and its passes are as 1:B0.1")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "step %1 of the demonstration: %2")},
    // Levels that are made.
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "only a schedule of one route, whole sequences and one step without updates becomes a "
         "level")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors",
                       "times of single passes and links that change cannot be said in a lesson")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "overlapped pairs cannot be said in a lesson")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "some backwards are split and others are not")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "a recomputation that takes another time than its forward cannot be said in a lesson")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "its par is not proven: %1")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "what stands at first meets all goals already; ask for less time or memory, or let "
         "less stand")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the search for any order ended unfinished")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "the search for less time ended unfinished after %1 choices")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors", "the search for less memory ended unfinished after %1 choices")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "no order meets the goals of the level")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "no order meets the goals of the level; the least time is %1, and %2 are asked for")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "no order meets the goals of the level; the least time with at most %1 micro-batches "
         "is %2, and %3 are asked for")},
    {saidContext,
     QT_TRANSLATE_NOOP(
         "Errors",
         "no order meets the goals of the level; the least peak is %1 micro-batches, and %2 are "
         "asked for")},
    {saidContext,
     QT_TRANSLATE_NOOP("Errors",
                       "only orders whose micro-batches take the same times can be searched")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "the lesson has %1 steps, and none of number %2")},
    {saidContext, QT_TRANSLATE_NOOP("Errors", "step %1 has no level that a task or hints are of")},
};

/// A known sentence, cut at its names and numbers.
struct CutSentence
{
    const KnownSentence* known = nullptr;
    std::vector<QString> words; ///< one more than places
    qsizetype letters = 0;
};

std::vector<CutSentence> cutSentences()
{
    std::vector<CutSentence> all;
    for (const KnownSentence& known : knownSentences) {
        CutSentence cut;
        cut.known = &known;
        QString word;
        for (const char* at = known.english; *at != '\0'; ++at) {
            if (*at == '%' && at[1] >= '1' && at[1] <= '9') {
                cut.words.push_back(word);
                word.clear();
                ++at;
            } else {
                word += QLatin1Char(*at);
                ++cut.letters;
            }
        }
        cut.words.push_back(word);
        all.push_back(std::move(cut));
    }
    // What has more words of its own is the nearer one.
    std::stable_sort(all.begin(), all.end(), [](const CutSentence& a, const CutSentence& b) {
        return a.letters > b.letters;
    });
    return all;
}

/// What stands at the places of a sentence, from a word on; none: it is another sentence.
std::optional<QStringList> placesIn(const QString& said, const CutSentence& cut, std::size_t word,
                                    qsizetype from)
{
    const QString& next = cut.words[word];
    if (word + 1 == cut.words.size()) {
        const qsizetype at = said.size() - next.size();
        if (at <= from || !said.endsWith(next))
            return std::nullopt;
        return QStringList{said.mid(from, at - from)};
    }
    // The words may be in a name, too: the first place whose rest fits.
    for (qsizetype at = said.indexOf(next, from + 1); at >= 0; at = said.indexOf(next, at + 1)) {
        auto rest = placesIn(said, cut, word + 1, at + next.size());
        if (rest)
            return QStringList{said.mid(from, at - from)} + *rest;
    }
    return std::nullopt;
}

std::optional<QStringList> placesIn(const QString& said, const CutSentence& cut)
{
    if (cut.words.size() == 1)
        return said == cut.words.front() ? std::optional(QStringList()) : std::nullopt;
    if (!said.startsWith(cut.words.front()))
        return std::nullopt;
    return placesIn(said, cut, 1, cut.words.front().size());
}

/// Whether what stands at the places of a pass can be a pass: letters, and numbers behind them.
bool isPass(const QStringList& places)
{
    return std::all_of(places.begin() + 1, places.end(), [](const QString& place) {
        return std::all_of(place.begin(), place.end(), [](QChar c) { return c.isDigit(); });
    });
}

QString saidOf(const QString& english, int depth);

/// The translation with its places filled; a name that looks like a place stays what it is.
QString filledSentence(const QString& pattern, const QStringList& places, int depth)
{
    QString out;
    for (qsizetype i = 0; i < pattern.size(); ++i) {
        const int place = pattern[i] == QLatin1Char('%') && i + 1 < pattern.size()
                              ? pattern[i + 1].digitValue()
                              : -1;
        if (place < 1 || place > places.size()) {
            out += pattern[i];
            continue;
        }
        out += saidOf(places[place - 1], depth + 1);
        ++i;
    }
    return out;
}

QString saidOf(const QString& english, int depth)
{
    constexpr int deepest = 6;
    constexpr qsizetype longest = 1000;
    // A name or a number is no sentence.
    if (depth > deepest || english.size() > longest || !english.contains(QLatin1Char(' ')))
        return english;
    static const std::vector<CutSentence> all = cutSentences();
    for (const CutSentence& cut : all) {
        const auto places = placesIn(english, cut);
        if (!places || (cut.known->context == passContext && !isPass(*places)))
            continue;
        const QString pattern = QCoreApplication::translate(cut.known->context, cut.known->english);
        // Half a sentence in another language is worse than all of it in one.
        return pattern == QLatin1String(cut.known->english)
                   ? english
                   : filledSentence(pattern, *places, depth);
    }
    // "deadlock: … ; …" and "lesson.json: …" have sentences as their parts.
    for (const QString& between : {QStringLiteral("; "), QStringLiteral(": ")}) {
        const qsizetype at = english.indexOf(between);
        if (at > 0)
            return saidOf(english.left(at), depth + 1) + between +
                   saidOf(english.mid(at + between.size()), depth + 1);
    }
    return english;
}

} // namespace

QString coreSentence(std::string_view english)
{
    QStringList lines;
    for (const QString& line : text(english).split(QLatin1Char('\n'))) {
        const qsizetype indent = line.indexOf(line.trimmed());
        lines += line.left(indent) + saidOf(line.mid(indent), 0);
    }
    return lines.join(QLatin1Char('\n'));
}

} // namespace pw::ui
