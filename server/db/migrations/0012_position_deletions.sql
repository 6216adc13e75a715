-- Deletions of positions that are under way: they go on in portions, also after a restart.
create table position_deletions (
  session_id uuid primary key references sessions on delete cascade,
  up_to timestamptz not null
);
