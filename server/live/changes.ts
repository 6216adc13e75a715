import type { RoomName } from '#contract/live.ts'
import { isOneOf } from '../db/isOneOf.ts'
import { countInRooms } from '../db/roomRevisions.ts'
import type { LiveContext } from './context.ts'
import { type Change, changeEvents, frameEvent } from './publish/frame.ts'
import type { Hub } from './publish/hub.ts'

/** Counts a change of its room, and returns its number; 0 if that failed. */
export async function countChange(
  { db, log }: Pick<LiveContext, 'db' | 'log'>,
  change: Change,
): Promise<number> {
  try {
    const [revision = 0] = await countInRooms(db, [change])
    return revision
  } catch (err) {
    const { team: team_id, session: session_id = null } = change
    log.warn({ err, team_id, session_id }, 'failed to count a change of a room')
    return 0
  }
}

/** Reads the revision of a room that this node has opened, before its first snapshot is read. */
export async function readRevision({ db, hub }: Pick<LiveContext, 'db' | 'hub'>, room: RoomName) {
  if (hub.revisionIn(room) !== null) return
  const [row] = await revisionsOf(db, [room])
  const revision = row?.revision ?? 0
  // Another connection that entered during the read may have read an older one.
  hub.setRevision(room, Math.min(revision, hub.revisionIn(room) ?? revision))
}

/** Publishes changes to rooms of this node whose notices were lost. */
export async function repairChanges(db: LiveContext['db'], hub: Hub, rooms: RoomName[]) {
  for (const { team_id: team, session_id: session, revision } of await revisionsOf(db, rooms)) {
    const room: RoomName = session ? `session:${session}` : `team:${team}`
    if (revision <= (hub.revisionIn(room) ?? revision)) continue
    hub.setRevision(room, revision)
    for (const t of changeEvents)
      hub.publish(room, frameEvent({ t, team, ...(session && { session }) }))
  }
}

async function revisionsOf(db: LiveContext['db'], rooms: RoomName[]) {
  const idsOf = (of: 'team:' | 'session:') =>
    rooms.flatMap(room => (room.startsWith(of) ? room.slice(of.length) : []))
  const [teams, sessions] = [idsOf('team:'), idsOf('session:')]
  if (teams.length + sessions.length === 0) return []
  return db
    .selectFrom('room_revisions')
    .select(['team_id', 'session_id', 'revision'])
    .where(({ and, eb, or }) =>
      or([
        isOneOf('session_id', sessions),
        and([isOneOf('team_id', teams), eb('session_id', 'is', null)]),
      ]),
    )
    .execute()
}
