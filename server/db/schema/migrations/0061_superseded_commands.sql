-- Commands that a later message of the session has superseded, the newest first: a request that arrives after the next
-- one of its page stores nothing. In the session's row, which each message locks, so that a message that waited for the
-- lock sees them.
alter table sessions add column superseded_commands uuid[] not null default '{}';
