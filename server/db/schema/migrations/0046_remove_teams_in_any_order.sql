-- Removing a team deletes its sessions, cars, drivers and races. The order of these cascades must not decide whether it
-- works, so what sessions and stints name is checked at the end of the transaction.
alter table stints alter constraint stints_driver_id_fkey deferrable initially deferred;
alter table sessions
  alter constraint sessions_team_id_car_id_fkey deferrable initially deferred,
  alter constraint sessions_team_id_race_id_fkey deferrable initially deferred;
