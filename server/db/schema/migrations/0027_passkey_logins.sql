-- True for a login made with a passkey, or that added one: support agents need it.
alter table logins add with_passkey boolean not null default false;
