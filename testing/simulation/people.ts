import { createHash } from 'node:crypto'
import type { SimulatedDatabase } from './database.ts'
import type { Mutation } from './mutations.ts'
import type { Random } from './random.ts'
import type { VirtualTime } from './virtualTime.ts'

export interface Person {
  readonly id: string
  readonly token: string
}

/** The parts of the simulated world that `storePeople` needs. */
interface Place {
  readonly settings: { seed: number; mutation: Mutation | null }
  readonly time: VirtualTime
  readonly random: Random
  readonly database: SimulatedDatabase
  readonly teamId: string
  readonly sessionId: string
}

/** The phone state of another team's session, which no schedule may change. */
export const bystanderPhone = {
  drivingSince: 1,
  count: 1,
  presence: 'hidden',
  presenceSince: 1,
  gps: 'good',
  gpsSince: 1,
  battery: null,
}

/** Expiry times of messages, in seconds. */
const expiries = [10, 15, 30, 120] as const

/** An own word of the simulated team. */
export const ownWord = 'BOX 2'

/**
 * Stores four signed-in people, the team of the first three, and the session that the first one drives.
 * Returns them by name.
 */
export async function storePeople(place: Place): Promise<Map<string, Person>> {
  const { database, teamId, sessionId, random, settings, time } = place
  const at = new Date(time.now)
  const people = new Map<string, Person>()
  for (const name of ['Leo', 'Ana', 'Ben', 'Zoe']) {
    const id = random.uuid()
    const token = createHash('sha256').update(`${settings.seed} ${name}`).digest('base64url')
    people.set(name, { id, token })
    await storeUser(database, { id, token, name }, time.now)
  }
  await database.run(`insert into teams (id, name) values ($1, 'Night Owls')`, [teamId])
  await database.run(
    `insert into own_words (id, team_id, position, text, colour) values ($1, $2, 0, $3, 'push')`,
    [teamId, teamId, ownWord],
  )
  const members = [...people.values()].slice(0, settings.mutation === 'admit-stranger' ? 4 : 3)
  for (const { id } of members)
    await database.run('insert into team_access (user_id, team_id) values ($1, $2)', [id, teamId])
  await database.run(
    `insert into sessions (id, team_id, user_id, name, date_started, expire_after_s)
      values ($1, $2, $3, 'Stint 1', $4, $5)`,
    [sessionId, teamId, people.get('Leo')?.id, at, random.pick(expiries)],
  )
  await storeBystanders(place, people.get('Zoe')?.id, at)
  return people
}

const loginLifeMs = 20 * 24 * 60 * 60 * 1000

/** Stores a user with a login. */
export async function storeUser(
  database: { run(sql: string, parameters: unknown[]): Promise<unknown> },
  { id, token, name }: Person & { name: string },
  nowMs: number,
) {
  const at = new Date(nowMs)
  const email = `${name.toLowerCase().replace(' ', '-')}@example.com`
  await database.run(
    `insert into users (id, email, first_name, last_name, signed_in_at)
      values ($1, $2, $3, 'Tester', $4)`,
    [id, email, name, at],
  )
  await database.run(
    'insert into logins (user_id, token_hash, created_at, expires_at) values ($1, $2, $3, $4)',
    [id, createHash('sha256').update(token).digest(), at, new Date(nowMs + loginLifeMs)],
  )
}

/** Fixed, so that it draws no random number and seeds keep their schedules. */
const bystanderId = '0b57a7de-0000-4000-8000-000000000000'

/** Stores another team with an active session, and a member: the server removes teams that nobody belongs to. */
async function storeBystanders(place: Place, userId: string | undefined, at: Date) {
  const { database, random } = place
  const teamId = random.uuid()
  await database.run(`insert into teams (id, name) values ($1, 'Bystanders')`, [teamId])
  await database.run(`insert into users (id, email) values ($1, 'bystander@example.com')`, [
    bystanderId,
  ])
  await database.run('insert into team_access (user_id, team_id) values ($1, $2)', [
    bystanderId,
    teamId,
  ])
  await database.run(
    `insert into sessions (id, team_id, user_id, name, date_started, phone)
      values ($1, $2, $3, 'Bystanding', $4, $5)`,
    [random.uuid(), teamId, userId, at, JSON.stringify(bystanderPhone)],
  )
}
