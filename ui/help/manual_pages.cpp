// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/help/manual_pages.h"

#include <QDir>
#include <QFile>
#include <QRegularExpression>

#include <algorithm>

// Resources of a static library have to be asked for, outside any namespace.
static void initManualResources()
{
    Q_INIT_RESOURCE(manual);
}

namespace pw::ui {

namespace {

QString folderOfPages()
{
    return QStringLiteral(":/manual/");
}

HelpPage readHelpPage(const QString& name)
{
    HelpPage page;
    page.name = name;
    QFile file(folderOfPages() + name + QStringLiteral(".md"));
    if (file.open(QIODevice::ReadOnly))
        page.text = QString::fromUtf8(file.readAll());
    const QString first = page.text.section(QLatin1Char('\n'), 0, 0);
    page.title = first.startsWith(QLatin1String("# ")) ? first.mid(2) : name;
    return page;
}

} // namespace

std::vector<HelpPage> helpPages()
{
    initManualResources();
    QStringList names;
    const QStringList files = QDir(folderOfPages()).entryList(QDir::Files, QDir::Name);
    for (const QString& file : files)
        names << file.section(QLatin1Char('.'), 0, 0);
    const QString index = QStringLiteral("index");
    QStringList inOrder;
    if (names.contains(index)) {
        static const QRegularExpression link(QStringLiteral("\\]\\(([\\w-]+)\\.md[)#]"));
        const QString text = readHelpPage(index).text;
        inOrder << index;
        for (auto one = link.globalMatch(text); one.hasNext();)
            if (const QString name = one.next().captured(1);
                names.contains(name) && !inOrder.contains(name))
                inOrder << name;
    }
    for (const QString& name : std::as_const(names))
        if (!inOrder.contains(name))
            inOrder << name;
    std::vector<HelpPage> pages;
    for (const QString& name : std::as_const(inOrder))
        pages.push_back(readHelpPage(name));
    return pages;
}

int helpHits(const HelpPage& page, const QStringList& words)
{
    if (words.isEmpty())
        return 0;
    const QList<QStringView> lines = QStringView(page.text).split(QLatin1Char('\n'));
    return static_cast<int>(std::count_if(lines.begin(), lines.end(), [&words](QStringView line) {
        return std::all_of(words.begin(), words.end(), [line](const QString& word) {
            return line.contains(word, Qt::CaseInsensitive);
        });
    }));
}

QString headingAnchor(const QString& heading)
{
    QString anchor;
    const QString small = heading.toLower();
    for (const QChar c : small) {
        if (c.isLetterOrNumber() || c == QLatin1Char('-') || c == QLatin1Char('_'))
            anchor += c;
        else if (c == QLatin1Char(' '))
            anchor += QLatin1Char('-');
    }
    return anchor;
}

} // namespace pw::ui
