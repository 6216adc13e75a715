-- Driver changes are stored as they were entered. Which of them repeat one another follows from all of them, so that the
-- order in which they arrive does not matter.
alter table stints
  -- True: it is a stint of its own, however near another entry of the same driver is. Otherwise it may repeat another one.
  add column by_hand boolean not null default false;
-- Entries that count before the upgrade stay stints of their own.
update stints set by_hand = true where merged_into is null and removed_at is null;
-- `merged_into` stays, since nodes of 1.0.0 run beside this one during an upgrade: an entry with one counts as not removed.
