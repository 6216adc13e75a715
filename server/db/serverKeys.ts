import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from './schema/tables.ts'

const keyBytes = 32

/** Returns the key of this name, 32 random bytes: created at the first call, then the same for all nodes. */
export async function serverKey(db: Kysely<Tables>, name: string): Promise<Buffer> {
  const known = await readKey(db, name)
  if (known) return known
  // If nodes start together, the first insert wins and all read its key.
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
