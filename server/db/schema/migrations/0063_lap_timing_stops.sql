-- Why the laps of a session are not timed any further, and the version of the product that stopped: another version, or
-- a member who asks for it, times them again.
alter table lap_timings add column stopped text, add column stopped_by text;

-- Sessions now have at most 5,000 laps. The next version times these again, which stores why there are no more.
update lap_timings set stopped = 'too-many-laps', stopped_by = ''
where session_id in (select session_id from laps where number > 5000);
delete from laps where number > 5000;
