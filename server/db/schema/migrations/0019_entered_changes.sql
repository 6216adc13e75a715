-- Driver changes are stored as they were entered. Which of them repeat one another follows from all of them, so that the
-- order in which they arrive does not matter.
alter table stints
  -- True: it is a stint of its own, however near another entry of the same driver is. Otherwise it may repeat another one.
  add column by_hand boolean not null default false;
-- Those that count until now stay stints of their own.
update stints set by_hand = true where merged_into is null and removed_at is null;
-- A second entry is removed with the one that it repeats.
update stints entry
set removed_at = (select other.removed_at from stints other where other.id = entry.merged_into limit 1)
where merged_into is not null and not exists (
  select from stints other
  where other.id = entry.merged_into and other.merged_into is not null
);
alter table stints drop column merged_into;
