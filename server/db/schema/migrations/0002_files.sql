-- A team's files. The bytes are in the blob store, under a key that is never reused.
create table files (
  team_id uuid not null references teams on delete cascade,
  name text collate "C" not null check (length(name) between 1 and 120),
  blob_key text not null unique,
  content_type text not null,
  size_bytes integer not null check (size_bytes > 0),
  updated_at timestamptz not null default now(),
  -- The member a photo shows, if any: it is deleted with the membership.
  member_id uuid,
  primary key (team_id, name),
  foreign key (team_id, member_id) references team_access (team_id, user_id) on delete cascade
);

-- Blobs without a file: to be removed from the store after this time.
create table blob_leftovers (
  blob_key text primary key,
  remove_after timestamptz not null default now()
);
create index blob_leftovers_due on blob_leftovers (remove_after);

-- Records the blob of a file that is deleted, replaced, or removed with its team or member.
create function leave_blob() returns trigger
language plpgsql as $$
begin
  insert into blob_leftovers (blob_key) values (old.blob_key) on conflict do nothing;
  return null;
end
$$;
create trigger files_leave_blobs after delete or update of blob_key on files
for each row execute function leave_blob();
