// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/command_registry.h"
#include "core/io/project_file.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QTemporaryDir>
#include <QTest>

#include <sstream>

using namespace pw;
using namespace pw::app;

namespace {

/// What a command writes; empty where it does not end well.
QString commandWrites(const std::vector<std::string>& words)
{
    std::ostringstream out, err;
    const ExitCode code = runProgram(words, out, err);
    return code == ExitCode::Good ? QString::fromStdString(out.str()) : QString();
}

} // namespace

/// What is drawn over a schedule goes with its file through every command.
class TestAnnotationsKept : public QObject
{
    Q_OBJECT

private slots:
    void initTestCase()
    {
        Project project;
        project.family = FamilyChoice{"zb-h1", test::sized(4, 8)};
        project.draft.spec = *specOf(test::familyOf("zb-h1"), test::sized(4, 8));
        project.costs = UniformCosts{};
        AnnotationAnchor anchor;
        anchor.pass = Pass{PassKind::W, 0, StageId(2), 3, 0};
        project.annotations = {
            {AnnotationKind::Text, AnnotationTint::Orange, "it can wait", anchor, {}}};
        m_file = m_folder.filePath(QStringLiteral("plan.pipewright.json")).toStdString();
        m_annotations = project.annotations;
        QVERIFY(saveProject(project, m_file));
    }

    void aProjectKeepsThem()
    {
        for (const bool order : {false, true}) {
            std::vector<std::string> words = {"convert", m_file, "-", "--to", "project"};
            if (order)
                words.emplace_back("--order");
            const auto read = readProject(commandWrites(words).toStdString());
            QVERIFY2(read, read ? "" : read.error().message.c_str());
            QCOMPARE(read->family.has_value(), !order);
            QVERIFY(read->annotations == m_annotations);
        }
    }

    void figuresAndPagesShowThem()
    {
        QVERIFY(commandWrites({"convert", m_file, "-", "--to", "svg"})
                    .contains(QStringLiteral(">it can wait<")));
        QVERIFY(commandWrites({"convert", m_file, "--to", "html"})
                    .contains(QStringLiteral("\"it can wait\"")));
    }

private:
    QTemporaryDir m_folder;
    std::string m_file;
    std::vector<Annotation> m_annotations;
};

PW_TEST(TestAnnotationsKept)
#include "tst_annotations_kept.moc"
