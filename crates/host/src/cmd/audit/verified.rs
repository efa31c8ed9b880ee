//! What checking the log found, and what it could not find.

use crate::audit::Verified;
use crate::visible::visible;
use std::fmt::Write as _;

pub(super) fn text(verified: &Verified) -> String {
    let count = verified.records.saturating_sub(verified.before);
    let mut text = format!(
        "{count} record{} in {} segment{} hold{}, the last with hash\n  {}\n",
        plural(count),
        verified.segments,
        plural(verified.segments as u64),
        if count == 1 { "s" } else { "" },
        visible(&verified.head)
    );
    if verified.before > 0 {
        let _infallible = writeln!(
            text,
            "begun after record {}: what is before it was not looked at",
            verified.before
        );
    }
    if verified.mended > 0 {
        let _infallible = writeln!(
            text,
            "{} time{} the log was mended; `countersign audit show --kind recovered` says why",
            verified.mended,
            plural(verified.mended)
        );
    }
    if let Some(found) = &verified.broken {
        let _infallible = writeln!(text, "BROKEN: {}", visible(&found.said()));
        return text;
    }
    if !verified.has_head && count > 0 {
        text.push_str(
            "There is no file `head`: nothing beside the segments says where they end.\n",
        );
    }
    match &verified.anchored {
        Some(anchored) => {
            let _infallible = writeln!(
                text,
                "{} anchored head{} in {} hold{}, the last of record {}; what was cut off behind that record would not be seen here.",
                anchored.heads,
                plural(anchored.heads as u64),
                visible(&anchored.file.to_string_lossy()),
                if anchored.heads == 1 { "s" } else { "" },
                anchored.last
            );
            if anchored.others > 0 {
                let _infallible = writeln!(
                    text,
                    "{} line{} of it are no heads.",
                    anchored.others,
                    plural(anchored.others as u64)
                );
            }
        }
        None => text.push_str(
            "Nothing is anchored: whoever can write this folder can cut off the end, or write all of it anew.\n\
             Keep the hash where no agent can write, or set `[audit] anchor`.\n",
        ),
    }
    text
}

fn plural(count: u64) -> &'static str {
    if count == 1 { "" } else { "s" }
}
