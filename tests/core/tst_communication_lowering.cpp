// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/communication/lowering.h"
#include "core/communication/torch_listing.h"
#include "tests/support/data_files.h"
#include "tests/support/family_runs.h"
#include "tests/support/test_program.h"

#include <QtTest>

#include <set>
#include <sstream>

using namespace pw;
using namespace pw::communication;

namespace {

/// The rows of a listing, a line a rank, fields with commas between, as the runtime has them.
std::string listingText(const Listing& listing, const Schedule& schedule)
{
    std::string text;
    for (const auto& row : listing.ranks) {
        for (std::size_t i = 0; i < row.size(); ++i) {
            if (i > 0)
                text += ',';
            text += actionText(row[i], listing, schedule);
        }
        text += "\r\n";
    }
    return text;
}

/// A listing that PyTorch's runtime made of a family's order.
struct Reference
{
    std::string family;
    FamilyOptions options;
    bool deferred = false;
    std::string rows;
};

std::vector<Reference> references()
{
    std::istringstream text(test::testDataText("communication/torch_lowering.txt.gz"));
    std::vector<Reference> all;
    std::string line;
    while (std::getline(text, line)) {
        if (line.empty() || line[0] == '#')
            continue;
        if (line[0] != '|') {
            std::istringstream words(line);
            Reference& next = all.emplace_back();
            std::string how;
            int devices = 0, microBatches = 0, chunks = 0;
            words >> next.family >> devices >> microBatches >> chunks >> how;
            next.options = test::sized(devices, microBatches);
            if (chunks > 0)
                next.options.parameters = {{"chunks", chunks}};
            next.deferred = how == "deferred";
            continue;
        }
        all.back().rows += line.substr(1) + "\r\n";
    }
    return all;
}

Schedule scheduleOf(const std::string& family, const FamilyOptions& options)
{
    auto schedule = buildUniform(test::familyOf(family), options, UniformCosts());
    if (!schedule)
        qFatal("%s: %s", family.c_str(), schedule.error().message.c_str());
    return *schedule;
}

} // namespace

class TestCommunicationLowering : public QObject
{
    Q_OBJECT

private slots:
    /// PyTorch 2.14's own lowering of every family that its runtime can hold, letter for letter.
    void theListingIsTheRuntimesOwn()
    {
        const std::vector<Reference> all = references();
        QVERIFY(all.size() > 50);
        for (const Reference& reference : all) {
            const Schedule schedule = scheduleOf(reference.family, reference.options);
            Lowering lowering;
            lowering.sharded = true;
            if (reference.deferred)
                lowering.receives = ReceivePlace::Deferred;
            const auto listing = listingOf(schedule, lowering);
            QVERIFY2(listing, reference.family.c_str());
            const std::string text = listingText(*listing, schedule);
            if (text != reference.rows)
                qWarning("%s, %d devices", reference.family.c_str(), reference.options.devices);
            QCOMPARE(QString::fromStdString(text), QString::fromStdString(reference.rows));
            QVERIFY(check(*listing, schedule));
        }
    }

    /// The listing of two ranks that the engine's rules give.
    void twoRanksAreAsTheEngineMakesThem()
    {
        const Schedule schedule = scheduleOf("1f1b", test::sized(2, 2));
        Lowering lowering;
        lowering.sharded = true;
        const auto listing = listingOf(schedule, lowering);
        QVERIFY(listing);
        // Rank 0's order of 1F1B has its warm-up, here both forwards.
        QCOMPARE(QString::fromStdString(listingText(*listing, schedule)),
                 QStringLiteral("0UNSHARD,0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1,"
                                "0REDUCE_GRAD,0RESHARD\r\n"
                                "1UNSHARD,1RECV_F0,1F0,1RECV_F1,1B0,1SEND_B0,1F1,1B1,1SEND_B1,"
                                "1REDUCE_GRAD,1RESHARD\r\n"));
        lowering.sharded = false;
        const auto plain = listingOf(schedule, lowering);
        QVERIFY(plain);
        QCOMPARE(QString::fromStdString(listingText(*plain, schedule)),
                 QStringLiteral("0F0,0SEND_F0,0F1,0SEND_F1,0RECV_B0,0B0,0RECV_B1,0B1\r\n"
                                "1RECV_F0,1F0,1RECV_F1,1B0,1SEND_B0,1F1,1B1,1SEND_B1\r\n"));
    }

    void neighboursOnOneRankSendNothing()
    {
        const Schedule schedule = scheduleOf("zb-v", test::sized(2, 4));
        const auto listing = listingOf(schedule, {});
        QVERIFY(listing);
        const std::string text = listingText(*listing, schedule);
        for (const char* absent : {"1SEND_F", "2RECV_F", "2SEND_B", "1RECV_B"})
            QVERIFY2(text.find(absent) == std::string::npos, absent);
        QVERIFY(text.find("0SEND_F0") != std::string::npos);
    }

    /// Gathers start later with a shorter look ahead; passes, frees and their order stay.
    void lookingAheadMovesGathersAlone()
    {
        FamilyOptions options = test::sized(4, 8);
        options.parameters = {{"chunks", 4}};
        const Schedule schedule = scheduleOf("interleaved-1f1b", options);
        Lowering lowering;
        lowering.sharded = true;
        lowering.activeStages = 4;
        const auto full = listingOf(schedule, lowering);
        lowering.lookAhead = -1;
        const auto partly = listingOf(schedule, lowering);
        QVERIFY(full && partly);
        const std::vector<std::size_t> ahead = {2, 3, 4, 4}; // min(rank + 2, 4)
        for (std::size_t rank = 0; rank < 4; ++rank) {
            const auto gathersFirst = [&](const Listing& listing) {
                std::size_t count = 0;
                for (const Action& action : listing.ranks[rank]) {
                    if (action.kind == ActionKind::Compute)
                        break;
                    count += action.kind == ActionKind::Gather ? 1 : 0;
                }
                return count;
            };
            const auto others = [&](const Listing& listing) {
                std::vector<std::string> texts;
                for (const Action& action : listing.ranks[rank]) {
                    if (action.kind == ActionKind::Compute || action.kind == ActionKind::Free)
                        texts.push_back(actionText(action, listing, schedule));
                }
                return texts;
            };
            QCOMPARE(gathersFirst(*full), std::size_t(4));
            QCOMPARE(gathersFirst(*partly), ahead[rank]);
            QVERIFY(others(*full) == others(*partly));
        }
    }

    /// Also with room for one stage a rank has both of a pair's, and of single passes just their
    /// own: what is gathered is what runs next.
    void bothStagesOfAPairAreThereWhenItRuns()
    {
        const Schedule schedule = scheduleOf("dualpipe", test::sized(4, 8));
        const PipelineSpec& spec = schedule.spec();
        Lowering lowering;
        lowering.sharded = true;
        lowering.activeStages = 1;
        const auto listing = listingOf(schedule, lowering);
        QVERIFY(listing);
        int pairs = 0;
        for (const std::vector<Action>& actions : listing->ranks) {
            std::set<std::int32_t> active;
            for (const Action& action : actions) {
                if (action.kind == ActionKind::Gather)
                    QVERIFY(active.insert(action.index).second);
                else if (action.kind == ActionKind::Free)
                    QCOMPARE(active.erase(action.index), std::size_t{1});
                if (action.kind != ActionKind::Compute)
                    continue;
                const OrderEntry entry = schedule.entry(EntryId(action.index));
                std::set<std::int32_t> needed = {entry.pass.route * spec.stages() +
                                                 entry.pass.stage};
                if (entry.paired)
                    needed.insert(entry.partner.route * spec.stages() + entry.partner.stage);
                QCOMPARE(active, needed);
                pairs += needed.size() == 2 ? 1 : 0;
            }
            QVERIFY(active.empty());
        }
        QVERIFY(pairs > 0);
    }

    void receivesComeAsEarlyAsTheyAreAskedFor()
    {
        const Schedule schedule = scheduleOf("gpipe", test::sized(2, 4));
        Lowering lowering;
        lowering.receives = ReceivePlace::Early;
        lowering.early = 2;
        const auto listing = listingOf(schedule, lowering);
        QVERIFY(listing);
        const QString text = QString::fromStdString(listingText(*listing, schedule));
        QVERIFY2(
            text.contains(QLatin1String("1RECV_F0,1RECV_F1,1RECV_F2,1F0,1RECV_F3,1F1,1F2,1F3")),
            qPrintable(text));
    }

    void waitsStandWhereTheyAreAskedFor()
    {
        const Schedule schedule = scheduleOf("1f1b", test::sized(2, 2));
        Lowering lowering;
        lowering.sends = SendWait::Backward;
        const auto listing = listingOf(schedule, lowering);
        QVERIFY(listing);
        QVERIFY(listingText(*listing, schedule)
                    .find("0RECV_B0,0B0,0WAIT_SEND_F0,0RECV_B1,0B1,0WAIT_SEND_F1") !=
                std::string::npos);
        QVERIFY(check(*listing, schedule));
        lowering.blockingReceives = true;
        lowering.sends = SendWait::AtOnce;
        const auto blocking = listingOf(schedule, lowering);
        QVERIFY(blocking);
        QVERIFY(listingText(*blocking, schedule).find("1RECV_F0,1WAIT_RECV_F0,1F0,") !=
                std::string::npos);
        QVERIFY(check(*blocking, schedule));
    }

    /// Rank 1 of a V gets activations of its second stage before it needs those of its first.
    void tooFewReceiveBuffersAreToldWithTheReceive()
    {
        const Schedule schedule = scheduleOf("zb-v", test::sized(4, 8));
        Lowering lowering;
        lowering.receiveBuffers = 1;
        const auto refused = listingOf(schedule, lowering);
        QVERIFY(!refused);
        QCOMPARE(QString::fromStdString(refused.error().message),
                 QStringLiteral("rank 1: 1RECV_F4 finds no free buffer before its use; 1 buffer "
                                "for activations cannot hold what arrives before it"));
        lowering.receives = ReceivePlace::AtUse;
        QVERIFY(listingOf(schedule, lowering));
        QVERIFY(!listingOf(schedule, Lowering{.activeStages = 0}));
    }

    void segmentsAndRoutesHaveListingsToo()
    {
        for (const char* family :
             {"seq1f1b", "seq1f1b-zb", "dualpipe", "chimera", "pipedream", "pipedream-2bw"}) {
            const Schedule schedule = scheduleOf(family, test::sized(4, 8));
            for (const bool sharded : {false, true}) {
                Lowering lowering;
                lowering.sharded = sharded;
                const auto listing = listingOf(schedule, lowering);
                QVERIFY2(listing, family);
                const auto whole = check(*listing, schedule);
                QVERIFY2(whole, whole ? "" : whole.error().message.c_str());
                QVERIFY(!torchTableOf(*listing, schedule));
            }
        }
    }

    /// What is written is read back as it was, gathers and all.
    void aCommunicatingFileIsTakenAsItIs()
    {
        for (const char* family : {"1f1b", "zb-v", "dualpipe-v", "interleaved-1f1b"}) {
            const Schedule schedule = scheduleOf(family, test::sized(4, 8));
            for (const ReceivePlace place : {ReceivePlace::AsSent, ReceivePlace::Deferred}) {
                Lowering lowering;
                lowering.receives = place;
                lowering.sharded = place == ReceivePlace::AsSent;
                const auto listing = listingOf(schedule, lowering);
                QVERIFY(listing);
                const auto table = torchTableOf(*listing, schedule);
                QVERIFY(table);
                const std::string text = writeTorchTable(*table);
                QCOMPARE(text, listingText(*listing, schedule));
                const auto read = listingOf(parseTorchCsv(text));
                QVERIFY2(read, read ? "" : read.error().message.c_str());
                QCOMPARE(read->gathers, lowering.sharded);
                QCOMPARE(listingText(read->listing, read->schedule), text);
            }
        }
    }

    void aFileWithAReceiveTooLateIsRefusedWithItsPlace()
    {
        const auto read = listingOf(parseTorchCsv("0F0,0SEND_F0,0RECV_B0,0B0\n"
                                                  "1F0,1RECV_F0,1B0,1SEND_B0\n"));
        QVERIFY(!read);
        QVERIFY2(QString::fromStdString(read.error().message).contains(QLatin1String("1RECV_F0")),
                 read.error().message.c_str());
    }

    void aGatherOfAnotherRanksStageIsRefused()
    {
        for (const char* gather : {"1UNSHARD", "2147483647UNSHARD", "2REDUCE_GRAD"}) {
            const auto read =
                listingOf(parseTorchCsv(std::string(gather) + ",0F0,0SEND_F0,0RECV_B0,0B0\n"
                                                              "1RECV_F0,1F0,1B0,1SEND_B0\n"));
            QVERIFY(!read);
            QCOMPARE(QString::fromStdString(read.error().message),
                     QStringLiteral("rank 0: %1 is of a stage that the rank does not have")
                         .arg(QLatin1String(gather)));
        }
    }

    void aListingThatIsNoneIsRefused()
    {
        const Schedule schedule = scheduleOf("1f1b", test::sized(2, 2));
        const auto listing = listingOf(schedule, {});
        QVERIFY(listing);
        const auto refusal = [&](Listing changed) {
            const auto fine = check(changed, schedule);
            return fine ? QString() : QString::fromStdString(fine.error().message);
        };
        Listing twice = *listing;
        twice.ranks[0].push_back(twice.ranks[0][1]);
        QCOMPARE(refusal(twice), QStringLiteral("rank 0: 0SEND_F0 appears twice"));
        Listing lacking = *listing;
        lacking.ranks[1].erase(lacking.ranks[1].begin());
        QCOMPARE(refusal(lacking), QStringLiteral("rank 1 lacks 1RECV_F0"));
        Listing early = *listing;
        std::swap(early.ranks[0][0], early.ranks[0][1]);
        QCOMPARE(refusal(early),
                 QStringLiteral("rank 0: 0SEND_F0 comes before the pass that makes it"));
    }
};

PW_TEST(TestCommunicationLowering)
#include "tst_communication_lowering.moc"
