// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "ui/keep/samples.h"

#include "ui/keep/sample_words.h"

#include <QCoreApplication>
#include <QDir>
#include <QFile>

// Resources of a static library have to be asked for, outside any namespace.
static void initStudioResources()
{
    Q_INIT_RESOURCE(studio);
    Q_INIT_RESOURCE(samples);
}

namespace pw::ui {

namespace {

QString folder()
{
    initResources();
    return QStringLiteral(":/samples");
}

QString ending()
{
    return QStringLiteral(".pipewright.json");
}

} // namespace

void initResources()
{
    initStudioResources();
}

QStringList sampleNames()
{
    // Files begin with their place: "1-gpipe".
    QStringList names =
        QDir(folder()).entryList({QLatin1Char('*') + ending()}, QDir::Files, QDir::Name);
    for (QString& name : names)
        name.chop(ending().size());
    return names;
}

Result<Project> readSample(const QString& name)
{
    QFile file(folder() + QLatin1Char('/') + name + ending());
    if (!file.open(QIODevice::ReadOnly))
        return fail(ErrorCode::Io,
                    QCoreApplication::translate("pw::ui::Samples", "there is no sample %1")
                        .arg(name)
                        .toStdString());
    const QByteArray content = file.readAll();
    Result<Project> project =
        readProject({content.constData(), static_cast<std::size_t>(content.size())});
    if (project) {
        project->title = sampleWords(project->title);
        project->notes = sampleWords(project->notes);
    }
    return project;
}

} // namespace pw::ui
