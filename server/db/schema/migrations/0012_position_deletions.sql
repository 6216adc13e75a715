-- Pending deletions of positions: they are done in batches and continue after a restart.
create table position_deletions (
  session_id uuid primary key references sessions on delete cascade,
  up_to timestamptz not null
);
