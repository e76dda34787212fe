// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "app/store_path.h"

#include "core/store/store_path.h"

namespace pw::app {

Option storeOption()
{
    return {.name = "store",
            .kind = ValueKind::Text,
            .placeholder = "FILE",
            .summary = "where runs are kept (default: PIPEWRIGHT_STORE, or pipewright/runs.sqlite "
                       "under ~/.local/share)",
            .section = "Store"};
}

std::string storePath(const Arguments& arguments)
{
    if (arguments.has("store"))
        return arguments.text("store");
    return defaultStorePath();
}

} // namespace pw::app
