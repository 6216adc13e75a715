import type { TeamId, UserId } from '#contract/ids.ts'
import type { Receipt } from '#contract/messages.ts'
import { CloseCode } from '#contract/shared/liveRules.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { messageFromRow } from '../messages/messageFromRow.ts'
import { repairChanges } from './changes.ts'
import type { LiveContext } from './context.ts'
import { evictedFrame, frameEvent } from './publish/frame.ts'
import type { Hub } from './publish/hub.ts'

const intervalMs = 5000

type RecheckContext = Pick<LiveContext, 'db' | 'clock' | 'hub' | 'log'>

/**
 * Compares the rooms and logins of this node's connections with the database every 5 s, in four statements
 * for all of them. Notices of other nodes arrive at most once: this repairs a lost message, receipt, change of a race or
 * circuit, session end, sign-out or removal. Call the result to stop.
 */
export function startRecheck(context: RecheckContext): () => void {
  let running = false
  async function run() {
    if (running) return
    running = true
    try {
      await recheck(context)
    } catch (error) {
      context.log.warn({ err: error }, 'failed to re-check connections')
    } finally {
      running = false
    }
  }
  return context.clock.every(intervalMs, () => void run())
}

/** Runs one check. */
export async function recheck({ db, hub }: Pick<RecheckContext, 'db' | 'hub'>) {
  await closeEndedLogins(db, hub)
  const teams = usersIn(hub, 'team')
  const sessions = await mergeSessions(db, hub)
  await repairChanges(
    db,
    hub,
    [...teams, ...sessions].map(({ room }) => room),
  )
  await evictNonMembers(db, hub, [...teams, ...sessions])
}

async function closeEndedLogins(db: LiveContext['db'], hub: Hub) {
  const connections = hub.connections()
  if (connections.length === 0) return
  const known = await db
    .selectFrom('logins')
    .select('id')
    .where(
      isOneOf(
        'id',
        connections.map(({ loginId }) => loginId),
      ),
    )
    .execute()
  const alive = new Set(known.map(({ id }) => id))
  for (const { userId, loginId } of connections)
    if (!alive.has(loginId)) hub.closeConnections(userId, CloseCode.signedOut, loginId)
}

/** The users in the room of a team, or of one of its sessions. */
interface RoomPresence {
  room: `team:${string}` | `session:${string}`
  team: TeamId
  users: Set<UserId>
}

function usersIn(hub: Hub, of: 'team' | 'session'): RoomPresence[] {
  return hub.present(of).map(({ room, userIds }) => ({
    room: room as RoomPresence['room'],
    team: room.slice(of.length + 1),
    users: userIds,
  }))
}

/**
 * Publishes newest messages, their receipts and ends to the session rooms if their notices were lost, and merges answers
 * and data links into them. Returns the users in them.
 */
async function mergeSessions(db: LiveContext['db'], hub: Hub): Promise<RoomPresence[]> {
  const present = usersIn(hub, 'session')
  if (present.length === 0) return []
  const rows = await db
    .selectFrom('sessions')
    .leftJoin('messages', join =>
      join
        .onRef('messages.session_id', '=', 'sessions.id')
        .onRef('messages.version', '=', 'sessions.message_version'),
    )
    .select(['id', 'team_id', 'message_version', 'answer_number', 'status', 'data_link'])
    .select(['type as message_type', 'colour', 'ask', 'carried_over', 'obeyed', 'by_plan'])
    .select(['pressed_at', 'sent_at', 'sent_by'])
    .select(['reached_at', 'shown_at', 'copied_at', 'messages.expires_at'])
    .where(
      isOneOf(
        'sessions.id',
        present.map(({ room }) => idIn(room)),
      ),
    )
    .execute()
  for (const row of rows) {
    const { id, team_id, message_version, answer_number, status, data_link } = row
    const room = `session:${id}` as const
    if (message_version > hub.versionIn(room))
      hub.publish(room, frameEvent({ t: 'message', session: id, message: messageFromRow(row) }))
    const receipt = receiptFrom(row)
    if (receipt.reachedAt !== null) {
      const event = { t: 'receipt', session: id, version: message_version, receipt } as const
      hub.mergeReceipt(room, frameEvent(event))
    }
    hub.mergeAnswer(room, answer_number)
    hub.mergeDataLink(room, data_link)
    if (status === 'Complete' && !hub.hasEnded(room))
      hub.publish(room, frameEvent({ t: 'session-ended', team: team_id, session: id }))
  }
  const teams = new Map(rows.map(({ id, team_id }) => [id, team_id]))
  return present.map(each => ({ ...each, team: teams.get(idIn(each.room)) ?? '' }))
}

async function evictNonMembers(db: LiveContext['db'], hub: Hub, present: RoomPresence[]) {
  const users = new Set(present.flatMap(each => [...each.users]))
  if (users.size === 0) return
  const rows = await db
    .selectFrom('team_readers')
    .select(['user_id', 'team_id'])
    .where(isOneOf('user_id', [...users]))
    .execute()
  const memberships = new Set(rows.map(({ user_id, team_id }) => `${user_id} of ${team_id}`))
  for (const { room, team, users: there } of present)
    for (const user of there)
      if (!memberships.has(`${user} of ${team}`)) hub.evict(room, user, evictedFrame(room, team))
}

/** Has its fields in the order in which `recordReceipt` publishes them: the hub compares the bytes. */
function receiptFrom(row: Record<'reached_at' | 'shown_at' | 'copied_at', Date | null>): Receipt {
  return {
    reachedAt: row.reached_at?.getTime() ?? null,
    shownAt: row.shown_at?.getTime() ?? null,
    copiedAt: row.copied_at?.getTime() ?? null,
  }
}

function idIn(room: RoomPresence['room']): string {
  return room.slice(room.indexOf(':') + 1)
}
