-- A member has confirmed that the clock of the race follows that of its official timing.
alter table race_timings add column follows_clock boolean not null default false;
