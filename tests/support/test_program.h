// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include <QTest>
#ifdef QT_WIDGETS_LIB
#include <QApplication>
#endif

/// One program holds the tests of a folder, since linking and describing a program for each file
/// would take longer than compiling the file. A test still has a process of its own: the first
/// argument names its file.
namespace pw::tests {

/// A file of tests in the program: what its name is, and what runs it.
class TestFile
{
public:
    using Run = int (*)(int argc, char** argv);

    /// @param path  the source file; its stem is the name, `tst_simulator`
    TestFile(const char* path, Run run);
};

template<typename Application, typename Test>
int runTest(int argc, char** argv)
{
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace pw::tests

/// The file's tests run by a function of its own: `int run(int argc, char** argv)`.
#define PW_TEST_RUN(run) static const pw::tests::TestFile pwTestFile(__FILE__, run);

/// The file's tests are the slots of a class; no window.
#define PW_TEST(Class) PW_TEST_RUN((pw::tests::runTest<QCoreApplication, Class>))

/// The same with widgets.
#define PW_WINDOW_TEST(Class) PW_TEST_RUN((pw::tests::runTest<QApplication, Class>))
