import { Readable } from 'node:stream'
import { type Kysely, sql } from 'kysely'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import type { RosterDriver } from '#contract/roster.ts'
import { memberPhotoName } from '#contract/shared/fileRules.ts'
import { pages } from '#contract/shared/storedBounds.ts'
import type { AppContext } from '../context.ts'
import { firstId, inPages, rowsPerPage } from '../db/inPages.ts'
import type { Tables } from '../db/schema/tables.ts'
import { allLaps } from '../laps/storedLaps.ts'
import { stintsOfCar } from '../races/carEntries.ts'
import { phoneRows } from '../races/phonesOfCar.ts'
import { driversOf } from '../roster/roster.ts'
import { enteredRows, rowsEnteredBy } from './rowsEnteredBy.ts'

type Stores = Pick<AppContext, 'db' | 'blobs'>

/** A file of the export, whose content is produced while it is read. */
export interface ExportedFile {
  name: string
  content: AsyncIterable<Uint8Array>
  /** True for content that is compressed already, such as a photo. */
  compressed?: boolean
}

/** Yields the files of an export: everything that belongs to a user. */
export async function* filesOf(context: Stores, userId: UserId): AsyncGenerator<ExportedFile> {
  const { db } = context
  yield json('account.json', await account(db, userId))
  yield json('teams.json', await teams(db, userId))
  yield json('invitations.json', await invitations(db, userId))
  yield { name: 'sessions.json', content: jsonArray(sessionsDriven(db, userId)) }
  for await (const id of idsOf(sessionsDriven(db, userId))) {
    yield { name: `sessions/${id}/messages.json`, content: jsonArray(messagesOf(db, id)) }
    yield json(`sessions/${id}/answers.json`, await answersOf(db, id))
    yield json(`sessions/${id}/official-flags.json`, await flagsOf(db, id))
    yield { name: `sessions/${id}/laps.json`, content: jsonArray(allLaps(db, id)) }
    yield { name: `sessions/${id}/positions.json`, content: jsonArray(positionsOf(db, id)) }
  }
  yield { name: 'messages-sent.json', content: jsonArray(messagesBy(db, userId)) }
  yield { name: 'stints.json', content: jsonArray(stintsDrivenBy(db, userId)) }
  for (const rows of enteredRows)
    yield { name: rows.file, content: jsonArray(rowsEnteredBy(db, userId, rows)) }
  yield* photos(context, userId)
}

async function account(db: Kysely<Tables>, userId: UserId) {
  const user = await db
    .selectFrom('users')
    .select(['id', 'email', 'first_name', 'last_name', 'created_at'])
    .where('id', '=', userId)
    .executeTakeFirst()
  const logins = await db
    .selectFrom('logins')
    .select(['device', 'browser', 'system', 'created_at', 'last_used_at', 'expires_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const passkeys = await db
    .selectFrom('passkeys')
    .select(['name', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .execute()
  const answers = await db
    .selectFrom('support_signals')
    .select(['test_id', 'task', 'status', 'duration_ms', 'answer', 'at'])
    .where('user_id', '=', userId)
    .orderBy('at')
    .execute()
  return {
    ...user,
    logins,
    passkeys,
    usability_test_answers: answers,
    notifications: await notifications(db, userId),
  }
}

/** The events that the user chose (null: all), and the notified browsers without their keys. */
async function notifications(db: Kysely<Tables>, userId: UserId) {
  const chosen = await db
    .selectFrom('notification_choices')
    .select('kinds')
    .where('user_id', '=', userId)
    .executeTakeFirst()
  const browsers = await db
    .selectFrom('push_subscriptions as push')
    .innerJoin('logins', 'logins.id', 'push.login_id')
    .select(['logins.browser', 'logins.system', 'push.endpoint', 'push.created_at'])
    .where('logins.user_id', '=', userId)
    .orderBy('push.created_at')
    .execute()
  return { kinds: chosen?.kinds ?? null, browsers }
}

function teams(db: Kysely<Tables>, userId: UserId) {
  return db
    .selectFrom('team_access')
    .innerJoin('teams', 'teams.id', 'team_access.team_id')
    .select(['teams.id', 'teams.name', 'team_access.role', 'team_access.created_at as joined_at'])
    .select(({ eb }) => eb('teams.owner_id', '=', userId).as('is_owner'))
    .where('team_access.user_id', '=', userId)
    .orderBy('teams.id')
    .execute()
}

async function invitations(db: Kysely<Tables>, userId: UserId) {
  const columns = [
    'team_id',
    'email',
    'first_name',
    'last_name',
    'created_at',
    'expires_at',
  ] as const
  const made = await db
    .selectFrom('invitations')
    .select(columns)
    .where('invited_by', '=', userId)
    .execute()
  const received = await db
    .selectFrom('invitations')
    .innerJoin('users', 'users.email', 'invitations.email')
    .innerJoin('teams', 'teams.id', 'invitations.team_id')
    .select(['teams.name as team', 'invitations.created_at', 'invitations.expires_at'])
    .where('users.id', '=', userId)
    .execute()
  return { made, received }
}

function sessionsDriven(db: Kysely<Tables>, userId: UserId) {
  return inPages(
    firstId,
    after =>
      db
        .selectFrom('sessions')
        .select(['id', 'team_id', 'name', 'status', 'date_started', 'date_ended', 'expire_after_s'])
        .select(['phone', 'positions_deleted_at'])
        .where('user_id', '=', userId)
        .where('practice', '=', false)
        .where('id', '>', after)
        .orderBy('id')
        .limit(pages.sessions)
        .execute(),
    ({ id }) => id,
    pages.sessions,
  )
}

async function* idsOf(sessions: AsyncIterable<readonly { id: SessionId }[]>) {
  for await (const page of sessions) for (const { id } of page) yield id
}

const messageColumns = [
  'version',
  'type',
  'colour',
  'pressed_at',
  'sent_at',
  'reached_at',
  'shown_at',
  'copied_at',
  'expires_at',
  'carried_over',
] as const

function messagesOf(db: Kysely<Tables>, sessionId: SessionId) {
  return inPages(
    0,
    after =>
      db
        .selectFrom('messages')
        .select(messageColumns)
        .where('session_id', '=', sessionId)
        .where('version', '>', after)
        .orderBy('version')
        .limit(rowsPerPage)
        .execute(),
    ({ version }) => version,
  )
}

function practiceCars(db: Kysely<Tables>) {
  return db.selectFrom('sessions').select('id').where('practice', '=', true)
}

function messagesBy(db: Kysely<Tables>, userId: UserId) {
  return inPages(
    { session_id: firstId, version: 0 },
    after =>
      db
        .selectFrom('messages')
        .select('session_id')
        .select(messageColumns)
        .where('sent_by', '=', userId)
        .where('session_id', 'not in', practiceCars(db))
        .where(
          sql<boolean>`(session_id, version) > (${after.session_id}::uuid, ${after.version}::integer)`,
        )
        .orderBy('session_id')
        .orderBy('version')
        .limit(rowsPerPage)
        .execute(),
    row => row,
  )
}

/** At most `maxStoredAnswers`. */
function answersOf(db: Kysely<Tables>, sessionId: SessionId) {
  return db
    .selectFrom('answers')
    .select(['number', 'kind', 'version', 'answered_at', 'received_at', 'got_at'])
    .where('session_id', '=', sessionId)
    .orderBy('number')
    .execute()
}

/** At most `storedBounds.glassFlags`. */
function flagsOf(db: Kysely<Tables>, sessionId: SessionId) {
  return db
    .selectFrom('glass_flags')
    .select(['flag', 'at', 'shown_at'])
    .where('session_id', '=', sessionId)
    .orderBy('at')
    .execute()
}

/**
 * The stints of the drivers in rosters who are linked to the user, by session: of sessions that the user started, and
 * of sessions in which another person entered the user as the driver.
 */
async function* stintsDrivenBy(db: Kysely<Tables>, userId: UserId) {
  const sessions = inPages(
    firstId,
    after =>
      phoneRows(db)
        .where('practice', '=', false)
        .where(({ or, eb, exists, selectFrom }) => {
          const own = selectFrom('drivers')
            .select('drivers.id')
            .where('drivers.user_id', '=', userId)
            .whereRef('drivers.team_id', '=', 'sessions.team_id')
          return or([
            eb('sessions.user_id', '=', userId).and(exists(own)),
            eb('sessions.id', 'in', entered(db, userId)),
          ])
        })
        .where('sessions.id', '>', after)
        .orderBy('sessions.id')
        .limit(rowsPerPage)
        .execute(),
    ({ id }) => id,
  )
  const rosters = new Map<TeamId, RosterDriver[]>()
  for await (const page of sessions)
    for (const session of page) {
      const { id, team_id, name } = session
      const drivers = rosters.get(team_id) ?? (await driversOf(db, team_id))
      rosters.set(team_id, drivers)
      const own = new Set(drivers.filter(each => each.userId === userId).map(each => each.id))
      const stints = await stintsOfCar(db, session, drivers)
      yield stints
        .filter(({ sessionId, driverId }) => sessionId === id && own.has(driverId ?? ''))
        .map(({ number, from, to }) => ({
          session_id: id,
          team_id,
          session: name,
          number,
          from: new Date(from),
          to: to === null ? null : new Date(to),
        }))
    }
}

/** Selects the sessions on whose pages a driver change to the user was entered. */
function entered(db: Kysely<Tables>, userId: UserId) {
  return db
    .selectFrom('stints')
    .innerJoin('drivers', 'drivers.id', 'stints.driver_id')
    .select('stints.session_id')
    .where('drivers.user_id', '=', userId)
    .where('stints.removed_at', 'is', null)
}

function positionsOf(db: Kysely<Tables>, sessionId: SessionId) {
  return inPages(
    new Date(0),
    after =>
      db
        .selectFrom('positions')
        .select(['at', 'latitude', 'longitude', 'speed', 'accuracy_m', 'heading_deg', 'at_arrival'])
        .where('session_id', '=', sessionId)
        .where('at', '>', after)
        .orderBy('at')
        .limit(pages.positions)
        .execute(),
    ({ at }) => at,
    pages.positions,
  )
}

async function* photos({ db, blobs }: Stores, userId: UserId): AsyncGenerator<ExportedFile> {
  const rows = await db
    .selectFrom('files')
    .select(['team_id', 'content_type', 'blob_key'])
    .where('name', '=', memberPhotoName(userId))
    .orderBy('team_id')
    .execute()
  for (const { team_id, content_type, blob_key } of rows) {
    const blob = await blobs.read(blob_key)
    const name = `photos/${team_id}.${content_type.replace('image/', '')}`
    if (blob) yield { name, content: blob.stream, compressed: true }
  }
}

const encoder = new TextEncoder()

function json(name: string, value: unknown): ExportedFile {
  return { name, content: Readable.from([encoder.encode(`${JSON.stringify(value, null, 2)}\n`)]) }
}

/** Formats pages of rows as one JSON array, a row a line. */
async function* jsonArray(pages: AsyncIterable<readonly unknown[]>): AsyncGenerator<Uint8Array> {
  let lead = '['
  for await (const page of pages) {
    if (page.length === 0) continue
    yield encoder.encode(`${lead}\n${page.map(row => JSON.stringify(row)).join(',\n')}`)
    lead = ','
  }
  yield encoder.encode(lead === '[' ? '[]\n' : '\n]\n')
}
