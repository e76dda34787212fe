// SPDX-License-Identifier: GPL-3.0-or-later
// SPDX-FileCopyrightText: The Pipewright authors
#include "core/reading/digest/digest.h"

#include "core/reading/events/importer.h"

namespace pw::importers {

Importer digest()
{
    Importer importer;
    importer.id = "digest";
    importer.title = "digests of such files, as `pipewright reduce` makes them (.digest)";
    importer.content = {looksLikeDigest, readDigest};
    return importer;
}

} // namespace pw::importers
