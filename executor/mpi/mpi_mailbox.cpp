// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "executor/mpi/mpi_mailbox.h"

#include <utility>

namespace pw::exec {

namespace {

constexpr Ticks signEvery = ticksPerSecond / 2;
/// A pause of this process that is longer was a stop, and no silence of the others.
constexpr Ticks longestPause = ticksPerSecond;

MpiChannel channelOf(MailKind kind)
{
    if (kind == MailKind::Record)
        return MpiChannel::Records;
    return kind == MailKind::Result || kind == MailKind::Exchange ? MpiChannel::Data
                                                                  : MpiChannel::Control;
}

} // namespace

MpiMailbox::MpiMailbox(std::unique_ptr<MpiPort> opened, std::string theClockName)
    : port(std::move(opened))
    , rank(port->rank())
    , size(port->size())
    , library(port->library())
    , clockName(std::move(theClockName))
    , hosts(static_cast<std::size_t>(size))
    , guides(static_cast<std::size_t>(size), leadRank)
    , heard(static_cast<std::size_t>(size), 0)
{
    for (auto& channel : coming)
        channel.resize(static_cast<std::size_t>(size));
}

void MpiMailbox::note(const Error& error)
{
    if (problem)
        problem = fail(error);
}

void MpiMailbox::send(RankId to, const MailHead& head, std::span<const std::byte> body,
                      std::shared_ptr<const void> owner, int tag)
{
    Leaving& one = leaving.emplace_back(Leaving{0, head, std::move(owner)});
    const Result<MpiPort::Transfer> begun =
        port->send(channelOf(head.kind), to, tag,
                   std::as_bytes(std::span<const MailHead>(&one.head, 1)), body);
    if (begun) {
        one.transfer = *begun;
        return;
    }
    note(begun.error());
    leaving.pop_back();
}

void MpiMailbox::poll()
{
    if (left)
        return;
    const Ticks woken = clock.now();
    if (woken - lastPoll > longestPause) {
        for (Ticks& time : heard)
            time += woken - lastPoll;
    }
    lastPoll = woken;
    for (int channel = 0; channel < mpiChannelCount; ++channel)
        begin(static_cast<MpiChannel>(channel));
    for (auto& channel : coming) {
        for (std::deque<Coming>& ofSender : channel)
            finish(ofSender);
    }
    leaving.remove_if([this](const Leaving& one) {
        const Result<bool> done = port->done(one.transfer);
        if (!done)
            note(done.error());
        return !done || *done;
    });
    const Ticks now = clock.now();
    if (now - lastSign >= signEvery && met && !saidGoodbye) {
        lastSign = now;
        giveSign();
    }
}

void MpiMailbox::giveSign()
{
    const MailHead head{.kind = MailKind::Alive};
    if (rank != leadRank)
        return send(leadRank, head, {}, {}, 0);
    for (const RankId to : others())
        send(to, head, {}, {}, 0);
}

void MpiMailbox::begin(MpiChannel channel)
{
    for (;;) {
        const Result<std::optional<MpiPort::Incoming>> found = port->next(channel);
        if (!found)
            return note(found.error());
        if (!*found)
            return;
        const MpiPort::Incoming& message = **found;
        const std::int64_t head = static_cast<std::int64_t>(sizeof(MailHead));
        if (message.bytes < head)
            return note({ErrorCode::Fault, "rank " + std::to_string(message.from) +
                                               " sends what is not a message of Pipewright"});
        Coming& one =
            coming[static_cast<std::size_t>(channel)][static_cast<std::size_t>(message.from)]
                .emplace_back();
        one.mail.from = RankId(message.from);
        one.mail.tag = message.tag;
        one.mail.started = clock.now();
        std::span<std::byte> body;
        if (message.bytes > head) {
            one.mail.body = std::make_shared<HostPayload>(message.bytes - head);
            body = {static_cast<std::byte*>(one.mail.body->data()),
                    static_cast<std::size_t>(one.mail.body->bytes())};
        }
        const Result<MpiPort::Transfer> begun = port->receive(
            channel, std::as_writable_bytes(std::span<MailHead>(&one.mail.head, 1)), body);
        if (!begun)
            return note(begun.error());
        one.transfer = *begun;
    }
}

void MpiMailbox::finish(std::deque<Coming>& ofSender)
{
    while (!ofSender.empty()) {
        Coming& first = ofSender.front();
        const Result<bool> done = port->done(first.transfer);
        if (!done)
            return note(done.error());
        if (!*done)
            return;
        first.mail.ended = clock.now();
        deliver(std::move(first.mail));
        ofSender.pop_front();
    }
}

void MpiMailbox::deliver(Mail mail)
{
    const MailHead& head = mail.head;
    const int kind = static_cast<int>(head.kind);
    if (head.mark != MailHead{}.mark || kind < 0 || kind >= mailKindCount)
        return note({ErrorCode::Fault,
                     "rank " + std::to_string(mail.from) + " is of another build of Pipewright"});
    heard[mail.from.index()] = mail.ended;
    switch (head.kind) {
    case MailKind::Alive:
        return;
    case MailKind::Ping: {
        MailHead answer{.kind = MailKind::Pong, .number = head.number};
        answer.posted = clock.now();
        return send(mail.from, answer, {}, {}, 0);
    }
    default:
        inbox[static_cast<std::size_t>(kind)].push_back(std::move(mail));
    }
}

std::optional<Mail> MpiMailbox::pick(MailKind kind)
{
    std::deque<Mail>& mails = inbox[static_cast<std::size_t>(kind)];
    if (mails.empty())
        return std::nullopt;
    Mail mail = std::move(mails.front());
    mails.pop_front();
    return mail;
}

} // namespace pw::exec
