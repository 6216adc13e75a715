import { Readable } from 'node:stream'
import type { Kysely } from 'kysely'
import type { SessionId, UserId } from '#contract/ids.ts'
import { memberPhotoName } from '#contract/shared/fileRules.ts'
import { pages } from '#contract/shared/storedBounds.ts'
import type { AppContext } from '../context.ts'
import type { Tables } from '../db/schema/tables.ts'
import { allLaps } from '../laps/storedLaps.ts'
import { stintsOf } from '../races/storedStints.ts'

/** Rows read from the database at once. */
const rowsPerPage = 2000

/** Smaller than every other id. */
const firstId = '00000000-0000-0000-0000-000000000000'

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
    yield { name: `sessions/${id}/laps.json`, content: jsonArray(allLaps(db, id)) }
    yield { name: `sessions/${id}/positions.json`, content: jsonArray(positionsOf(db, id)) }
  }
  yield { name: 'messages-sent.json', content: jsonArray(messagesBy(db, userId)) }
  yield { name: 'stints.json', content: jsonArray(stintsDrivenBy(db, userId)) }
  yield { name: 'fills-entered.json', content: jsonArray(fillsBy(db, userId)) }
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

async function* sessionsDriven(db: Kysely<Tables>, userId: UserId) {
  for (let after = firstId; ; ) {
    const page = await db
      .selectFrom('sessions')
      .select(['id', 'team_id', 'name', 'status', 'date_started', 'date_ended', 'expire_after_s'])
      .select(['phone', 'positions_deleted_at'])
      .where('user_id', '=', userId)
      .where('id', '>', after)
      .orderBy('id')
      .limit(pages.sessions)
      .execute()
    yield page
    if (page.length < pages.sessions) return
    after = page.at(-1)?.id ?? after
  }
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
] as const

/** The messages of a session, or only those that one user sent. */
async function* messagesOf(db: Kysely<Tables>, sessionId: SessionId, sentBy?: UserId) {
  for (let after = 0; ; ) {
    const page = await db
      .selectFrom('messages')
      .select(messageColumns)
      .where('session_id', '=', sessionId)
      .$if(sentBy !== undefined, query => query.where('sent_by', '=', sentBy ?? null))
      .where('version', '>', after)
      .orderBy('version')
      .limit(rowsPerPage)
      .execute()
    yield page
    if (page.length < rowsPerPage) return
    after = page.at(-1)?.version ?? after
  }
}

async function* messagesBy(db: Kysely<Tables>, userId: UserId) {
  const sessions = await db
    .selectFrom('messages')
    .select('session_id')
    .distinct()
    .where('sent_by', '=', userId)
    .orderBy('session_id')
    .execute()
  for (const { session_id } of sessions)
    for await (const page of messagesOf(db, session_id, userId))
      yield page.map(message => ({ session_id, ...message }))
}

/** At most `maxStoredAnswers`. */
function answersOf(db: Kysely<Tables>, sessionId: SessionId) {
  return db
    .selectFrom('answers')
    .select(['number', 'kind', 'version', 'answered_at', 'received_at'])
    .where('session_id', '=', sessionId)
    .orderBy('number')
    .execute()
}

/** The stints of the drivers in rosters who are linked to the user, by session. */
async function* stintsDrivenBy(db: Kysely<Tables>, userId: UserId) {
  const own = await db.selectFrom('drivers').select('id').where('user_id', '=', userId).execute()
  const ids = new Set(own.map(({ id }) => id))
  if (ids.size === 0) return
  const sessions = await db
    .selectFrom('sessions')
    .select(['id', 'team_id', 'name', 'date_started', 'date_ended'])
    .where('id', 'in', query =>
      query
        .selectFrom('stints')
        .select('session_id')
        .where('driver_id', 'in', [...ids])
        .where('removed_at', 'is', null),
    )
    .orderBy('date_started')
    .orderBy('id')
    .execute()
  for (const session of sessions) {
    const stints = await stintsOf(db, session)
    yield stints
      .filter(({ driverId }) => driverId !== null && ids.has(driverId))
      .map(({ number, from, to }) => ({
        session_id: session.id,
        team_id: session.team_id,
        session: session.name,
        number,
        from: new Date(from),
        to: to === null ? null : new Date(to),
      }))
  }
}

async function* fillsBy(db: Kysely<Tables>, userId: UserId) {
  const sessions = await db
    .selectFrom('fills')
    .select('session_id')
    .distinct()
    .where('entered_by', '=', userId)
    .orderBy('session_id')
    .execute()
  for (const { session_id } of sessions) {
    yield await db
      .selectFrom('fills')
      .select(['session_id', 'at', 'litres', 'kind', 'removed_at'])
      .where('session_id', '=', session_id)
      .where('entered_by', '=', userId)
      .orderBy('at')
      .orderBy('id')
      .execute()
  }
}

async function* positionsOf(db: Kysely<Tables>, sessionId: SessionId) {
  for (let after = new Date(0); ; ) {
    const page = await db
      .selectFrom('positions')
      .select(['at', 'latitude', 'longitude', 'speed', 'accuracy_m', 'heading_deg', 'at_arrival'])
      .where('session_id', '=', sessionId)
      .where('at', '>', after)
      .orderBy('at')
      .limit(rowsPerPage)
      .execute()
    yield page
    if (page.length < rowsPerPage) return
    after = page.at(-1)?.at ?? after
  }
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
