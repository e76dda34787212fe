// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#pragma once

#include "tests/support/patience.h"

#include <QTest>
#ifdef QT_WIDGETS_LIB
#include <QApplication>
#endif

// Qt's own give up after five seconds, which a machine with much else to do takes for a page.
#undef QTRY_VERIFY
#undef QTRY_VERIFY2
#undef QTRY_COMPARE
#define QTRY_VERIFY(expression) QTRY_VERIFY_WITH_TIMEOUT(expression, pw::test::longest)
#define QTRY_VERIFY2(expression, message)                                                          \
    QTRY_VERIFY2_WITH_TIMEOUT(expression, message, pw::test::longest)
#define QTRY_COMPARE(actual, expected)                                                             \
    QTRY_COMPARE_WITH_TIMEOUT(actual, expected, pw::test::longest)

/// One program holds the tests of a folder, since linking and describing a program for each file
/// would take longer than compiling the file. A test still has a process of its own: the first
/// argument names its file.
namespace pw::tests {

/// Runs the tests of one file, as its `main` would.
using RunTestFile = int (*)(int argc, char** argv);

/// @param path  the source file; its stem is the name, `tst_simulator`
void addTestFile(const char* path, RunTestFile run);

template<typename Application, typename Test>
int runTest(int argc, char** argv)
{
    Application application(argc, argv);
    QCoreApplication::setAttribute(Qt::AA_Use96Dpi);
    Test test;
    return QTest::qExec(&test, argc, argv);
}

} // namespace pw::tests

/// The tests of a class run by a function of the file's own: `int run(int argc, char** argv)`.
#define PW_TEST_RUN(Class, run)                                                                    \
    [[gnu::constructor]] static void pwAdd##Class()                                                \
    {                                                                                              \
        pw::tests::addTestFile(__FILE__, run);                                                     \
    }

/// The file's tests are the slots of a class; no window.
#define PW_TEST(Class) PW_TEST_RUN(Class, (pw::tests::runTest<QCoreApplication, Class>))

/// The same with widgets.
#define PW_WINDOW_TEST(Class) PW_TEST_RUN(Class, (pw::tests::runTest<QApplication, Class>))
