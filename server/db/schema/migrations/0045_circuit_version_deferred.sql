-- Removing a team deletes its sessions and its circuits. The order of these cascades must not decide whether it works, so
-- the version that a session names is checked at the end of the transaction.
alter table sessions
  alter constraint sessions_team_id_circuit_id_circuit_version_fkey deferrable initially deferred;
