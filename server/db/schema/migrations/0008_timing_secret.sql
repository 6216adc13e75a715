-- The token with which the server reads the source at a provider of timing. No call returns it.
alter table race_timings add column secret text;
