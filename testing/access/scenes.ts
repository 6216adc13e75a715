import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { storedRows } from '../database/storedRows.ts'
import type { Callers } from './callers.ts'
import { newRace, type Scene } from './sceneInputs.ts'

/** Teams with a session. A request that changes nothing leaves its scene to the next test. */
export class Scenes {
  readonly #callers: Callers
  #unchanged: Scene | undefined
  /** The state of a scene at the last comparison, which is its state before the next request. */
  #compared: { of: Scene; state: Stored } | undefined

  constructor(callers: Callers) {
    this.#callers = callers
  }

  /** Returns a team and a session that no test has changed, so that tests cannot influence each other. */
  async next(): Promise<Scene> {
    await this.#callers.app.forgetLimits()
    const scene = this.#unchanged ?? (await createScene(this.#callers))
    this.#unchanged = undefined
    return scene
  }

  /** Keeps an unchanged scene for the next test. */
  keep(scene: Scene) {
    this.#unchanged = scene
  }

  /** Call before a request that must not change the scene. */
  async stateBefore(scene: Scene): Promise<Before> {
    const state =
      this.#compared?.of === scene ? this.#compared.state : await stored(this.#callers, scene)
    return { state, transactionId: await nextTransactionId(this.#callers) }
  }

  /** Returns false if the request since `stateBefore` changed the scene; otherwise the next test uses it too. */
  async keepUnchanged(scene: Scene, before: Before): Promise<boolean> {
    // Without a transaction that wrote, the scene cannot differ. Comparing it takes twelve queries.
    const wrote = (await nextTransactionId(this.#callers)) !== before.transactionId
    if (wrote && !isDeepStrictEqual(await stored(this.#callers, scene), before.state)) return false
    this.keep(scene)
    this.#compared = { of: scene, state: before.state }
    return true
  }
}

type Stored = Awaited<ReturnType<typeof stored>>

interface Before {
  readonly state: Stored
  readonly transactionId: string
}

/** Returns the id that the next writing transaction will get: it is the same while nothing is written. */
async function nextTransactionId({ app }: Callers): Promise<string> {
  const { rows } = await sql<{
    id: string
  }>`select pg_snapshot_xmax(pg_current_snapshot())::text as id`.execute(app.database.db)
  return rows[0]?.id ?? ''
}

/** Tables and views with rows of a team, and with rows of a race. */
const ofTeam = [
  'cars',
  'circuits',
  'drivers',
  'invitations',
  'join_codes',
  'join_requests',
  'races',
  'rule_packs',
  'team_users_view',
] as const
const ofRace = ['race_plans', 'race_timings', 'run_corrections', 'timing_entries'] as const

/** The stored state of a scene. */
async function stored({ app }: Callers, { teamId, sessionId, raceId }: Scene) {
  const { db } = app.database
  const rows = [
    await storedRows(db, 'teams', 'id', teamId),
    await storedRows(db, 'sessions_view', 'id', sessionId),
    await storedRows(db, 'stints', 'session_id', sessionId),
  ]
  for (const table of ofTeam) rows.push(await storedRows(db, table, 'team_id', teamId))
  for (const table of ofRace) rows.push(await storedRows(db, table, 'race_id', raceId))
  return rows
}

async function createScene({ app, people, joined }: Callers): Promise<Scene> {
  const { invited, viewer, member, driver, owner } = people
  const { db } = app.database
  // A person may be in 100 teams.
  const own = [invited, viewer, member, joined, driver, owner].map(({ id }) => id)
  await db.deleteFrom('team_access').where('user_id', 'in', own).execute()
  const { id: team_id } = await owner.call.teams.create({ name: 'Night Owls' })
  // Writes to the database, because the calls of so many tests would exceed the rate limit.
  await db
    .insertInto('team_access')
    .values([
      { team_id, user_id: viewer.id, role: 'viewer' },
      { team_id, user_id: member.id },
      { team_id, user_id: joined.id },
      { team_id, user_id: driver.id },
    ])
    .execute()
  const session = await driver.call.sessions.start({ teamId: team_id, name: 'Stint 1' })
  const sessionId = session.id
  const [carId, rosterDriverId, stintId] = [randomUUID(), randomUUID(), randomUUID()]
  await db.insertInto('cars').values({ id: carId, team_id, position: 0, number: '7' }).execute()
  await db
    .insertInto('drivers')
    .values({
      id: rosterDriverId,
      team_id,
      position: 0,
      name: 'Noor Haddad',
      user_id: member.id,
    })
    .execute()
  await db
    .insertInto('stints')
    .values({ session_id: sessionId, id: stintId, driver_id: null, from_at: new Date() })
    .execute()
  const [race, rulePackId, fillId] = [newRace(), randomUUID(), randomUUID()]
  const created = { team_id, created_at: new Date(), rules: JSON.stringify(race.rules) }
  await db
    .insertInto('races')
    .values({ id: race.id, name: race.name, length_ms: race.length.ms, ...created })
    .execute()
  const source = JSON.stringify({ kind: 'push' })
  await db
    .insertInto('race_timings')
    .values({ race_id: race.id, id: randomUUID(), source })
    .execute()
  const driven = { race_id: race.id, car_id: carId }
  await db.updateTable('sessions').set(driven).where('id', '=', sessionId).execute()
  await db
    .insertInto('rule_packs')
    .values({ id: rulePackId, ...created })
    .execute()
  await db
    .insertInto('fills')
    .values({
      session_id: sessionId,
      id: fillId,
      at: new Date(),
      litres: 58,
      kind: 'full',
      removed_at: null,
    })
    .execute()
  const codeId = randomUUID()
  await db
    .insertInto('join_codes')
    .values({
      id: codeId,
      team_id,
      shown_by: owner.id,
      code: codeId.slice(0, 6),
      role: 'member',
      asks: true,
      uses: 1,
      max_uses: 20,
      created_at: new Date(),
      expires_at: new Date(Date.now() + 3_600_000),
    })
    .execute()
  await db
    .insertInto('join_requests')
    .values({ team_id, user_id: invited.id, code_id: codeId, created_at: new Date() })
    .execute()
  const { id: invitationId } = await owner.call.teams.invite({
    teamId: team_id,
    ...invited.details,
  })
  return {
    teamId: team_id,
    sessionId,
    userId: driver.id,
    memberId: member.id,
    waitingId: invited.id,
    codeId,
    invitationId,
    carId,
    driverId: rosterDriverId,
    stintId,
    raceId: race.id,
    rulePackId,
    fillId,
  }
}
