-- Since when, by the server's clock, the drive screen that counts is in use: a newer one takes over.
alter table sessions add driving_since timestamptz;

-- What phones say of themselves has an order now; what was said before has none.
update sessions set phone = null where phone is not null;
