-- The time before which a provider of official timing asked not to send a request, for whichever node is next.
alter table race_timings add column retry_at timestamptz;
