-- The person who entered or last corrected the litres; null for fills from before, and once their account is gone.
alter table fills add entered_by uuid references users on delete set null;
create index fills_by_person on fills (entered_by) where entered_by is not null;
