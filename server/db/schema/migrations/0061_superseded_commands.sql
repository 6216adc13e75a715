-- Commands that a later message of the same page has superseded, newest first: a request for one of them that arrives
-- after that message stores nothing. They are in the session's row, which each message locks, so that a message that
-- waited for the lock sees them.
alter table sessions add column superseded_commands uuid[] not null default '{}';
