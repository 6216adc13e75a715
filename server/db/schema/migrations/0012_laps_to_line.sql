-- True for a lap into the pits that ended at a line beside the pit lane: it counts as soon as it has ended.
alter table laps add column ends_at_line boolean not null default false;
