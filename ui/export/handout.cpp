// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/export/handout.h"

#include "core/base/text.h"
#include "core/edit/compose.h"
#include "core/io/file_problem.h"
#include "core/lesson/play.h"
#include "core/lesson/standing.h"
#include "ui/export/figure.h"
#include "ui/export/handout_lanes.h"
#include "ui/help/marked_text.h"
#include "ui/lesson/goal_words.h"
#include "ui/lesson/lesson_words.h"
#include "ui/presentation.h"
#include "ui/text.h"

#include <QAbstractTextDocumentLayout>
#include <QBuffer>
#include <QCoreApplication>
#include <QFileInfo>
#include <QFontDatabase>
#include <QPainter>
#include <QPdfWriter>
#include <QTextBlock>
#include <QTextCursor>
#include <QTextDocument>

#include <algorithm>
#include <cmath>

namespace pw::ui {

namespace {

constexpr double paperDpi = 96;
constexpr double paperWidth = 210 / 25.4 * paperDpi;
constexpr double paperHeight = 297 / 25.4 * paperDpi;
constexpr double paperMargin = 18 / 25.4 * paperDpi;

struct Handout
{
    Q_DECLARE_TR_FUNCTIONS(Handout)
};

/// Writes a lesson into a document, letter by letter: nothing of it is read as markup.
class HandoutWriter
{
public:
    HandoutWriter(QTextDocument& document, HandoutLanes& lanes, const QString& language)
        : m_cursor(&document)
        , m_lanes(lanes)
        , m_language(language.toStdString())
    {
    }

    QString words(const LessonText& text) const { return pw::ui::text(text.in(m_language)); }

    void heading(const QString& words, double size, bool newPage = false)
    {
        QTextBlockFormat block;
        block.setTopMargin(newPage || m_first ? 0 : size);
        block.setBottomMargin(size / 3);
        if (newPage)
            block.setPageBreakPolicy(QTextFormat::PageBreak_AlwaysBefore);
        QTextCharFormat letters;
        letters.setFontPointSize(size);
        letters.setFontWeight(QFont::DemiBold);
        begin(block);
        m_cursor.insertText(words, letters);
    }

    /// Paragraphs with their marks. @param lead  in front of the first, bold
    void marked(const QString& marked, const QString& lead = {}, double indent = 0)
    {
        bool first = true;
        for (const std::vector<MarkedPart>& parts : markedParagraphs(marked)) {
            begin(paragraph(indent));
            QTextCharFormat bold;
            bold.setFontWeight(QFont::DemiBold);
            if (first && !lead.isEmpty())
                m_cursor.insertText(lead + QLatin1Char(' '), bold);
            first = false;
            for (const MarkedPart& part : parts) {
                QTextCharFormat letters;
                letters.setFontWeight(part.bold ? QFont::DemiBold : QFont::Normal);
                if (part.code)
                    letters.setFontFamilies(
                        {QFontDatabase::systemFont(QFontDatabase::FixedFont).family()});
                m_cursor.insertText(part.text, letters);
            }
        }
    }

    void plain(const QString& words, Role ink = Role::Text, double indent = 0)
    {
        QTextCharFormat letters;
        letters.setForeground(color(ink));
        begin(paragraph(indent));
        m_cursor.insertText(words, letters);
    }

    void picture(HandoutPicture picture)
    {
        QTextBlockFormat block;
        block.setTopMargin(4);
        block.setBottomMargin(4);
        begin(block);
        m_lanes.insert(m_cursor, std::move(picture));
    }

private:
    static QTextBlockFormat paragraph(double indent)
    {
        QTextBlockFormat block;
        block.setBottomMargin(5);
        block.setLeftMargin(indent);
        block.setLineHeight(118, QTextBlockFormat::ProportionalHeight);
        return block;
    }

    void begin(const QTextBlockFormat& block)
    {
        if (m_first)
            m_cursor.setBlockFormat(block);
        else
            m_cursor.insertBlock(block, QTextCharFormat());
        m_first = false;
    }

    QTextCursor m_cursor;
    HandoutLanes& m_lanes;
    std::string m_language;
    bool m_first = true;
};

/// The longest that an answer of a level is expected to be, for room to draw in.
Ticks roomOf(const LessonLevel& level)
{
    // A pass waits less than an interval for the one before, and no block of a lesson takes more.
    if (level.freedom == Freedom::Block)
        return 3 * level.start.blocks.front().interval * ticksPerMs;
    Ticks room = level.par.time.value_or(0);
    for (const LessonGoal& goal : level.goals)
        if (goal.kind == GoalKind::Makespan)
            room = std::max(room, static_cast<Ticks>(goal.limit));
    return room + room / 4;
}

std::optional<HandoutPicture> scheduleOfHandout(const Project& project, const QString& caption)
{
    const auto draft = draftOf(project);
    if (!draft)
        return std::nullopt;
    const auto times = draftTimes(*draft, costsOf(project));
    if (!times)
        return std::nullopt;
    HandoutPicture picture;
    picture.lanes = lanesOf(*draft, *times);
    picture.caption = caption;
    return picture;
}

void writeQuestions(HandoutWriter& out, const LessonStep& step)
{
    for (const LessonQuestion& question : step.questions) {
        out.marked(out.words(question.ask), Handout::tr("Predict:"));
        for (const LessonText& answer : question.answers)
            out.plain(QStringLiteral("☐  ") + withoutMarks(out.words(answer)), Role::Text, 14);
    }
}

void writeLevelPart(HandoutWriter& out, const LessonLevel& level, int number)
{
    out.marked(out.words(level.task), Handout::tr("Level %1.").arg(number));
    QStringList goals;
    for (const LessonGoal& goal : level.goals)
        goals << goalWords(goal);
    out.plain(Handout::tr("Goal: %1").arg(goals.join(QStringLiteral("; "))), Role::Secondary);
    if (level.freedom == Freedom::Choice)
        return;
    const bool drawn = level.freedom == Freedom::Order || level.freedom == Freedom::Block;
    auto blank = scheduleOfHandout(
        level.start, level.freedom == Freedom::Block
                         ? Handout::tr("Draw your block, a unit in each millisecond of the ruler.")
                     : drawn ? Handout::tr("Draw your order. F, B and W have their lengths on the "
                                           "ruler.")
                             : Handout::tr("This is how it stands."));
    if (blank) {
        if (drawn)
            blank->room = roomOf(level);
        out.picture(std::move(*blank));
    }
}

/// The answers of a step, where it has any.
Result<void> writeSolution(HandoutWriter& out, const LessonStep& step, int number)
{
    if (step.questions.empty() && !step.level)
        return {};
    out.heading(out.words(step.title), 12);
    for (const LessonQuestion& question : step.questions) {
        const LessonText& right = question.answers[static_cast<std::size_t>(question.right)];
        out.marked(out.words(question.why), withoutMarks(out.words(right)) + QLatin1Char('.'));
    }
    if (!step.level)
        return {};
    const LessonLevel& level = *step.level;
    const auto played = play(level, level.start);
    if (!played)
        return fail(played.error());
    const Standing standing = standingOf(level, *played);
    QStringList numbers;
    for (const auto& [name, medal] : {std::pair{Handout::tr("time"), standing.time},
                                      {Handout::tr("memory"), standing.memory},
                                      {Handout::tr("messages"), standing.letters}})
        if (medal.offered)
            numbers << Handout::tr("%1 %2, par %3").arg(name, text(medal.now), text(medal.par));
    // A level without medals is told by its goals.
    const bool told = numbers.isEmpty();
    for (std::size_t i = 0; told && i < level.goals.size(); ++i)
        numbers << goalWords(level.goals[i]) + QStringLiteral(" (") +
                       standingWords(level.goals[i], standing.goals[i], standing) +
                       QLatin1Char(')');
    out.plain(Handout::tr("Level %1. One solution: %2.")
                  .arg(number)
                  .arg(numbers.join(QStringLiteral("; "))));
    if (level.freedom == Freedom::Block) {
        for (const LessonAct& act : level.demonstration)
            out.plain(actWords(act), Role::Secondary, 14);
    } else if (auto picture = scheduleOfHandout(*played, QString())) {
        out.picture(std::move(*picture));
    }
    return {};
}

Result<void> writeLessonPages(HandoutWriter& out, const Lesson& lesson)
{
    out.heading(out.words(lesson.title), 20);
    out.plain(out.words(lesson.summary), Role::Secondary);
    int number = 0;
    for (const LessonStep& step : lesson.steps) {
        out.heading(out.words(step.title), 13);
        out.marked(out.words(step.text));
        for (const LessonPicture& picture : step.pictures)
            if (auto shown = scheduleOfHandout(picture.project, out.words(picture.caption)))
                out.picture(std::move(*shown));
        writeQuestions(out, step);
        if (step.level)
            writeLevelPart(out, *step.level, ++number);
    }
    if (!lesson.source.empty())
        out.plain(text(lesson.source), Role::Secondary);
    out.heading(Handout::tr("Solutions: %1").arg(out.words(lesson.title)), 16, true);
    number = 0;
    for (const LessonStep& step : lesson.steps) {
        number += step.level ? 1 : 0;
        if (const auto done = writeSolution(out, step, number); !done)
            return done;
    }
    return {};
}

/// Pages one after another, with their numbers below.
QByteArray printed(QTextDocument& document, const QString& title)
{
    constexpr int dpi = 1200;
    QBuffer buffer;
    buffer.open(QIODevice::WriteOnly);
    QPdfWriter writer(&buffer);
    writer.setResolution(dpi);
    writer.setPageSize(QPageSize(QPageSize::A4));
    writer.setPageMargins(QMarginsF());
    writer.setTitle(title);
    writer.setCreator(QStringLiteral("Pipewright"));
    QPainter painter(&writer);
    painter.scale(dpi / paperDpi, dpi / paperDpi);
    // In units of the page: points would be taken for dots of the printer, and scaled again.
    QFont small = painter.font();
    small.setPixelSize(HandoutLanes::smallPixels);
    painter.setFont(small);
    const double high = document.pageSize().height();
    for (int page = 0; page < document.pageCount(); ++page) {
        if (page > 0)
            writer.newPage();
        painter.save();
        painter.translate(paperMargin, paperMargin - page * high);
        document.drawContents(&painter, QRectF(0, page * high, document.pageSize().width(), high));
        painter.restore();
        painter.setPen(color(Role::Secondary));
        painter.drawText(
            QRectF(0, paperHeight - paperMargin, paperWidth, paperMargin), Qt::AlignCenter,
            Handout::tr("%1 · %2 of %3").arg(title).arg(page + 1).arg(document.pageCount()));
    }
    painter.end();
    QByteArray file = buffer.data();
    fixPdfDate(file);
    return file;
}

} // namespace

Result<QByteArray> handoutOf(const Lesson& lesson, const QString& language)
{
    const GroundScope paper(Ground::Light);
    QTextDocument document;
    document.setUndoRedoEnabled(false);
    document.setDocumentMargin(0);
    QFont font;
    font.setPointSizeF(10);
    document.setDefaultFont(font);
    document.setPageSize({paperWidth - 2 * paperMargin, paperHeight - 2 * paperMargin});
    HandoutLanes lanes(document);
    HandoutWriter out(document, lanes, language);
    if (const auto done = writeLessonPages(out, lesson); !done)
        return fail(done.error());
    return printed(document, text(lesson.title.in(language.toStdString())));
}

Result<void> writeHandout(const QString& lesson, const QString& language, const QString& path)
{
    const bool file = lesson.endsWith(QLatin1String(".json")) || QFileInfo::exists(lesson);
    const auto read = file ? loadLesson(lesson.toStdString()) : shippedLesson(lesson.toStdString());
    if (!read)
        return fail(read.error());
    const auto made = handoutOf(*read, language);
    if (!made)
        return fail(made.error());
    return writeFile(path.toStdString(),
                     std::string_view(made->constData(), static_cast<std::size_t>(made->size())));
}

} // namespace pw::ui
