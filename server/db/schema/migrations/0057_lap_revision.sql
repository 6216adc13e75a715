-- Number of the last change of a session's laps: a screen notices with it that it missed a change.
alter table lap_timings add column revision bigint not null default 0;
