-- Laps that members marked yellow, by a time within the lap: its number changes when the laps are computed again.
create table lap_marks (
  session_id uuid not null references sessions on delete cascade,
  at timestamptz not null,
  primary key (session_id, at)
);

-- Which message made a lap yellow, and whether a member marked it.
alter table laps
  add yellow_message text check (yellow_message in ('FCY', 'SC')),
  add marked boolean not null default false;

update laps l set yellow_message = (
  select m.type
  from (
    select session_id, type, sent_at, version,
      lead(sent_at) over (partition by session_id order by version) as until
    from messages
  ) m
  where m.session_id = l.session_id and m.type in ('FCY', 'SC')
    and m.sent_at < l.started_at + l.time_ms * interval '1 millisecond'
    and (m.until is null or m.until > l.started_at)
  order by m.version
  limit 1
)
where yellow;

alter table laps drop column yellow;
