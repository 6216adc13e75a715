-- The stint of which this one is a second entry of the same driver change: undoing either undoes both.
alter table stints add column merged_into uuid;
