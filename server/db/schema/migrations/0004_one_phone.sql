-- When the current drive screen was opened, by the server's clock: a newer one takes over.
alter table sessions add driving_since timestamptz;

-- Phone states are ordered from now on; the stored ones have no order.
update sessions set phone = null where phone is not null;
