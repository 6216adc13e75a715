import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import { migrate } from '#server/db/migrate.ts'
import { type DatabaseSettings, openDatabase } from '#server/db/open.ts'
import type { LineOrder } from './talks.ts'

/** One team in which everybody is, as device logins: cars that each drive a session, and watchers. */
export interface Seeded {
  /** The token of each car's driver, and its session. */
  cars: { token: string; session: string }[]
  /** Tokens of watchers: each is good for `linesEach` lines. */
  watchers: string[]
}

/** A user may have 50 lines. */
export const linesEach = 45

const digits = 11

/**
 * Writes people, logins and sessions straight into a database that no server has open: signing them up
 * one by one would take longer than the bench. Their tokens are good until tomorrow.
 */
export async function seed(
  settings: DatabaseSettings,
  { cars, watchingLines }: { cars: number; watchingLines: number },
): Promise<Seeded> {
  const watchers = Math.ceil(watchingLines / linesEach)
  // A token is 43 characters: something nobody can guess, and the number of the user.
  const secret = randomBytes(16).toString('hex')
  const token = (n: number) => secret + String(n).padStart(digits, '0')
  const database = await openDatabase(settings)
  const { db } = database
  try {
    await migrate(db)
    const { id: team } = await db
      .insertInto('teams')
      .values({ name: 'Northline Racing' })
      .returning('id')
      .executeTakeFirstOrThrow()
    await sql`
      with people as (
        insert into users (email, first_name, last_name, signed_in_at)
        select lpad(n::text, ${digits}, '0') || '@northline.example', 'Kim', 'Tester', now()
        from generate_series(0, ${cars + watchers - 1}::int) n
        returning id, split_part(email, '@', 1) as number
      ), signed_in as (
        insert into logins (user_id, token_hash, device, expires_at)
        select id, sha256(convert_to(${secret}::text || number, 'UTF8')), 'bench', now() + interval '1 day'
        from people
      ), racing as (
        insert into sessions (team_id, user_id, name)
        select ${team}, id, 'Stint ' || number from people where number::int < ${cars}::int
      )
      insert into team_access (user_id, team_id) select id, ${team} from people
    `.execute(db)
    const rows = await db.selectFrom('sessions').select('id').orderBy('name').execute()
    return {
      cars: rows.map(({ id }, n) => ({ token: token(n), session: id })),
      watchers: Array.from({ length: watchers }, (_, n) => token(cars + n)),
    }
  } finally {
    await database.close()
  }
}

/** Orders for lines around the cars from `first` on: so many that drive each car, and that watch it. */
export function linesAround(
  { cars, watchers }: Seeded,
  {
    first = 0,
    count,
    drivers = 1,
    watching,
    sampled = 1,
  }: { first?: number; count: number; drivers?: number; watching: number; sampled?: number },
): LineOrder[] {
  return cars.slice(first, first + count).flatMap(({ token, session }, n) => {
    const room = `session:${session}`
    const driving = { token, room, drives: true, sampled: false }
    // Spread evenly, the last one among them: who is written to last waits longest.
    const isSample = (each: number) => (watching - 1 - each) % Math.ceil(watching / sampled) === 0
    const watcher = (each: number) => ({
      token: watchers[Math.floor(((first + n) * watching + each) / linesEach)] ?? '',
      room,
      drives: false,
      sampled: isSample(each),
    })
    return [
      ...Array.from({ length: drivers }, () => driving),
      ...Array.from({ length: watching }, (_, each) => watcher(each)),
    ]
  })
}
