// Statements that empty a database after a test, on both engines. Those that return something call it `name`.

/** PostgreSQL's own objects have lower ids. */
const firstOwnOid = 16_384

/** Drops the days of positions, which tests create as they need them. */
export const dropDays = `select drop_positions_before('9999-12-31')`

/** Returns the functions that migrations and tests created. */
export const functionNames = `
  select oid::regprocedure::text as name from pg_proc where oid >= ${firstOwnOid} order by oid`

/** Returns a checksum of the names in the schema, which changes when a test adds, removes or renames a part of it. */
export const schemaChecksum = `
  select concat_ws(' ',
    (select sum(hashname(relname) + relnatts) from pg_class where oid >= ${firstOwnOid}),
    (select sum(hashname(conname)) from pg_constraint where oid >= ${firstOwnOid}),
    (select sum(hashname(tgname)) from pg_trigger where oid >= ${firstOwnOid} and not tgisinternal),
    (select sum(hashname(proname)) from pg_proc where oid >= ${firstOwnOid})) as name`

/** Returns the tables that have rows after `dropDays`, but those that migrations fill. */
export const tablesWithRows = `
  select oid::regclass::text as name from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r'
    and relname not like 'kysely_migration%' and relname <> 'database_identity'`

/**
 * Returns the statement that deletes all rows of these tables. Run twice, it also deletes the names of files that a
 * trigger stores during the first run. It is one statement, so that no foreign key is checked in between. Disabling
 * triggers would invalidate all plans.
 */
export function deletionOf(tables: readonly string[]): string {
  const deletions = tables.map((table, index) => `d${index} as (delete from ${table})`)
  return `with ${deletions.join(', ')} select`
}

/** Restarts the sequences that were used. */
export const restartSequences = `
  select setval(format('%I.%I', schemaname, sequencename), start_value, false) from pg_sequences
  where schemaname = 'public' and last_value is not null`

/** Resets a session like `discard all`, but keeps prepared statements and plans. */
export const resetSession =
  'close all; reset all; unlisten *; discard temp; discard sequences; select pg_advisory_unlock_all()'
