import type { Down, DownOf, FixDown } from '#contract/live.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import { mergeMessage, mergeReceipt } from './messageState.ts'

/** What the live channel knows of one race session. */
export interface LiveSession {
  /** None until the first snapshot. Its message is the newest one heard of. */
  readonly session: Session | null
  /** The newest fix heard on this connection, if any. */
  readonly fix: FixDown | null
  /** The server's time of the last frame from the driver's phone. */
  readonly lastContactAt: number | null
  /** The server's time of the driver's newest test flash, if any was heard. */
  readonly testedAt: number | null
  /** Why the room may not be watched, if so. */
  readonly refused: RefusalCode | null
}

export const unknownSession: LiveSession = {
  session: null,
  fix: null,
  lastContactAt: null,
  testedAt: null,
  refused: null,
}

/** The state after one frame of this session's room. Returns `state` itself when nothing is new. */
export function hear(state: LiveSession, frame: Down): LiveSession {
  switch (frame.t) {
    case 'snapshot':
      return frame.snapshot.of === 'session' ? mergeSession(state, frame.snapshot.session) : state
    case 'session-started':
      return mergeSession(state, frame.session)
    case 'session-changed':
      return mergeSession(withoutDeleted(state, frame.session), frame.session)
    case 'fix':
      return hearFix(state, frame)
    case 'message':
      return withMessage(state, session => mergeMessage(session.message, frame.message))
    case 'receipt':
      return withMessage(state, session =>
        mergeReceipt(session.message, frame.version, frame.receipt),
      )
    case 'phone':
      return hearPhone(state, frame.phone)
    case 'test':
      return { ...state, testedAt: frame.at }
    case 'session-ended':
      return hearEnd(state)
    case 'refused':
      return { ...state, refused: frame.code }
    case 'welcome':
    case 'beat':
    case 'test-seen':
    case 'driving':
    case 'team-added':
    case 'team-removed':
    case 'invitation-added':
    case 'invitation-removed':
    case 'invited-added':
    case 'invited-removed':
    case 'member-added':
    case 'member-removed':
      return state
  }
}

function mergeSession(state: LiveSession, received: Session): LiveSession {
  const message = state.session
    ? mergeMessage(received.message, state.session.message)
    : received.message
  // A session never becomes active again: an old snapshot must not revive it.
  const status = state.session?.status === 'Complete' ? 'Complete' : received.status
  const phone = newerPhone(state.session?.phone ?? null, received.phone)
  const { lastDriverContactAt } = received
  // What happened while there was no connection is newer than the last fix that came by it.
  const fixIsOld = state.fix !== null && (lastDriverContactAt ?? 0) > state.fix.c
  return {
    session: { ...received, message, status, phone },
    fix: fixIsOld ? null : state.fix,
    lastContactAt: later(state.lastContactAt, lastDriverContactAt),
    testedAt: state.testedAt,
    refused: null,
  }
}

/** Where the car was is no longer known to the server when the driver had the positions deleted. */
function withoutDeleted(state: LiveSession, { latitude, speedKmh }: Session): LiveSession {
  return latitude === null && speedKmh === null ? { ...state, fix: null } : state
}

function hearFix(state: LiveSession, fix: DownOf<'fix'>): LiveSession {
  if (state.fix !== null && fix.c < state.fix.c) return state
  return { ...state, fix, lastContactAt: later(state.lastContactAt, fix.c) }
}

function withMessage(
  state: LiveSession,
  learn: (session: Session) => Session['message'],
): LiveSession {
  // Without a snapshot there is nothing to add to; the snapshot that is on its way is newer.
  if (state.session === null) return state
  const message = learn(state.session)
  if (message === state.session.message) return state
  return { ...state, session: { ...state.session, message } }
}

function hearPhone(state: LiveSession, phone: PhoneState): LiveSession {
  if (state.session === null) return state
  return { ...state, session: { ...state.session, phone: newerPhone(state.session.phone, phone) } }
}

/** Of two words of the phone the later one, whichever came first. */
function newerPhone(known: PhoneState | null, received: PhoneState | null): PhoneState | null {
  if (!known || !received) return received ?? known
  const later = received.drivingSince - known.drivingSince || received.count - known.count
  return later >= 0 ? received : known
}

function hearEnd(state: LiveSession): LiveSession {
  if (state.session === null || state.session.status === 'Complete') return state
  return { ...state, session: { ...state.session, status: 'Complete' } }
}

function later(a: number | null, b: number | null): number | null {
  if (a === null) return b
  if (b === null) return a
  return Math.max(a, b)
}

/** The car's last known speed and place, from the newest of snapshot and fix. */
export function lastKnown(state: LiveSession): {
  speedKmh: number | null
  latitude: number | null
  longitude: number | null
} {
  const { fix, session } = state
  if (fix) return { speedKmh: fix.v, latitude: fix.la, longitude: fix.lo }
  return {
    speedKmh: session?.speedKmh ?? null,
    latitude: session?.latitude ?? null,
    longitude: session?.longitude ?? null,
  }
}
