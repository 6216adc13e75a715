import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

const keyBytes = 32

/** The key of that name, 32 random bytes: made at the first call, the same for all nodes ever after. */
export async function serverKey(db: Kysely<Tables>, name: string): Promise<Buffer> {
  const known = await readKey(db, name)
  if (known) return known
  // Of nodes that start together the first to insert wins; all read what it wrote.
  await db
    .insertInto('server_keys')
    .values({ name, key: randomBytes(keyBytes) })
    .onConflict(conflict => conflict.column('name').doNothing())
    .execute()
  const made = await readKey(db, name)
  if (!made) throw new Error(`The key ${name} was deleted while it was made.`)
  return made
}

async function readKey(db: Kysely<Tables>, name: string): Promise<Buffer | undefined> {
  const row = await db
    .selectFrom('server_keys')
    .select('key')
    .where('name', '=', name)
    .executeTakeFirst()
  return row?.key
}
