-- At a stop without fuel a member enters 0 litres, so that nobody is asked for them.
alter table fills
  drop constraint fills_litres_check,
  add constraint fills_litres_check check (litres >= 0 and litres <= 1000);

-- The person who entered a driver change; null once their account is gone, and for a stint that began with a phone.
alter table stints add column entered_by uuid references users on delete set null;
create index stints_by_person on stints (entered_by) where entered_by is not null;
