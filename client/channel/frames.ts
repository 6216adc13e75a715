import type { Down, RoomName } from '#contract/live.ts'

const knownFrames: Record<Down['t'], Record<string, string>> = {
  welcome: { now: 'number', user: 'string' },
  heartbeat: { at: 'number', now: 'number', versions: 'object' },
  snapshot: { room: 'string', snapshot: 'object' },
  fix: { s: 'string', c: 'number' },
  message: { session: 'string', message: 'object' },
  receipt: { session: 'string', version: 'number', receipt: 'object' },
  answer: { session: 'string', answer: 'object' },
  phone: { session: 'string', phone: 'object' },
  official: { session: 'string', feed: 'string', number: 'number' },
  'flag-shown': { session: 'string', feed: 'string', change: 'number', shownAt: 'number' },
  test: { session: 'string', at: 'number' },
  'test-seen': { session: 'string' },
  driving: { session: 'string', since: 'number' },
  watching: { room: 'string', users: 'object' },
  'team-added': { team: 'object' },
  'team-changed': { team: 'string' },
  'user-changed': { user: 'object' },
  'team-removed': { team: 'string' },
  'invitation-added': { invitation: 'object' },
  'invitation-removed': { invitation: 'string' },
  'invited-added': { team: 'string', invited: 'object' },
  'invited-removed': { team: 'string', invited: 'string' },
  'member-added': { team: 'string', member: 'object' },
  'member-changed': { team: 'string', member: 'object' },
  'member-removed': { team: 'string', member: 'string' },
  'session-started': { session: 'object' },
  'session-changed': { session: 'object' },
  'laps-changed': { session: 'string' },
  'circuits-changed': { team: 'string' },
  'race-changed': { team: 'string' },
  silent: { team: 'string', session: 'string' },
  'team-event': { event: 'object' },
  'session-ended': { team: 'string', session: 'string' },
  refused: { re: 'string', code: 'string' },
}

/**
 * Parses a frame of the server, or returns null for anything else. The server validates its frames with the
 * contract's schemas; here only the outline is checked, so that zod stays out of the browser.
 */
export function parseDown(text: unknown): Down | null {
  if (typeof text !== 'string') return null
  let frame: unknown
  try {
    frame = JSON.parse(text)
  } catch {
    return null
  }
  return isDown(frame) ? frame : null
}

function isDown(frame: unknown): frame is Down {
  if (!isRecord(frame) || typeof frame.t !== 'string') return false
  if (!Object.hasOwn(knownFrames, frame.t)) return false
  return Object.entries(knownFrames[frame.t as Down['t']]).every(
    ([field, type]) => typeof frame[field] === type && frame[field] !== null,
  )
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null
}

/** Returns the rooms whose listeners receive a frame. `user` is the user of this connection. */
export function roomsOf(frame: Down, user: string): RoomName[] {
  switch (frame.t) {
    case 'welcome':
      return []
    case 'heartbeat':
      return Object.keys(frame.versions).map((id): RoomName => `session:${id}`)
    case 'snapshot':
    case 'watching':
    case 'refused':
      return frame.room === undefined ? [] : [frame.room]
    case 'fix':
      return [`session:${frame.s}`]
    case 'message':
    case 'receipt':
    case 'answer':
    case 'phone':
    case 'official':
    case 'flag-shown':
    case 'test':
    case 'test-seen':
    case 'driving':
    case 'laps-changed':
      return [`session:${frame.session}`]
    case 'team-added':
    case 'team-changed':
    case 'user-changed':
    case 'invitation-added':
    case 'invitation-removed':
      return [`user:${user}`]
    case 'team-removed':
      return [`user:${user}`, `team:${frame.team}`]
    case 'invited-added':
    case 'invited-removed':
    case 'member-added':
    case 'member-changed':
    case 'member-removed':
    case 'silent':
      return [`team:${frame.team}`]
    case 'team-event':
      return [`team:${frame.event.teamId}`]
    case 'session-started':
    case 'session-changed':
      return [`team:${frame.session.teamId}`, `session:${frame.session.id}`]
    case 'circuits-changed':
    case 'race-changed':
      return [frame.session === undefined ? `team:${frame.team}` : `session:${frame.session}`]
    case 'session-ended':
      return [`team:${frame.team}`, `session:${frame.session}`]
  }
}
