-- A member has confirmed that the clock of the race follows that of its official timing, in the run of this name; empty
-- while that is not known.
alter table race_timings add column followed_run text;
