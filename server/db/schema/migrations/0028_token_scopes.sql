-- Rights of a device's token; null for a browser. Tokens issued before had all rights.
alter table logins add scopes text[];
update logins set scopes = '{drive,read,send}' where device is not null;
alter table logins
  add constraint scopes_of_device
  check (case when device is null then scopes is null else scopes <@ '{drive,read,send}' and cardinality(scopes) > 0 end);
