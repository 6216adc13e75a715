import type { FlagChangeId } from '#contract/glass.ts'
import type { Down, DownOf, FixDown, Snapshot } from '#contract/live.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { RefusalCode } from '#contract/refusal.ts'
import type { Session } from '#contract/sessions.ts'
import { mergeMessage, mergeReceipt } from './messageState.ts'

/** The known state of one race session. */
export interface LiveSession {
  /** Null until the first snapshot. It has the newest message received. */
  readonly session: Session | null
  /** The newest fix received on this connection, if any. */
  readonly fix: FixDown | null
  /** The server's time of the last frame from the driver's phone. */
  readonly lastContactAt: number | null
  /** The newest official timing for the glass of the car; null if none was received. */
  readonly official: DownOf<'official'> | null
  /** The server's time of the driver's newest test flash, if any was received. */
  readonly testedAt: number | null
  /** The users who watch this session, the longest first. */
  readonly watching: readonly string[]
  /** The reason if the subscription was refused. */
  readonly refused: RefusalCode | null
}

export const unknownSession: LiveSession = {
  session: null,
  fix: null,
  lastContactAt: null,
  official: null,
  testedAt: null,
  watching: [],
  refused: null,
}

/** Applies a frame of this session's room. Returns `state` itself if nothing changed. */
export function applyFrame(state: LiveSession, frame: Down): LiveSession {
  switch (frame.t) {
    case 'snapshot':
      return frame.snapshot.of === 'session' ? withSnapshot(state, frame.snapshot) : state
    case 'session-started':
      return mergeSession(state, frame.session)
    case 'session-changed':
      return mergeSession(withoutDeleted(state, frame.session), frame.session)
    case 'fix':
      return withFix(state, frame)
    case 'message':
      return withMessage(state, session => mergeMessage(session.message, frame.message))
    case 'receipt':
      return withMessage(state, session =>
        mergeReceipt(session.message, frame.version, frame.receipt),
      )
    case 'phone':
      return withPhone(state, frame.phone)
    case 'official':
      return withOfficial(state, frame)
    case 'flag-shown':
      return withShownFlag(state, frame)
    case 'test':
      return { ...state, testedAt: frame.at }
    case 'watching':
      return { ...state, watching: frame.users }
    case 'session-ended':
      return withEnd(state)
    case 'refused':
      return { ...state, refused: frame.code }
    case 'welcome':
    case 'heartbeat':
    case 'test-seen':
    case 'answer':
    case 'driving':
    case 'laps-changed':
    case 'circuits-changed':
    case 'race-changed':
    case 'silent':
    case 'team-event':
    case 'team-added':
    case 'team-changed':
    case 'user-changed':
    case 'team-removed':
    case 'invitation-added':
    case 'invitation-removed':
    case 'invited-added':
    case 'invited-removed':
    case 'member-added':
    case 'member-changed':
    case 'member-removed':
      return state
  }
}

function withSnapshot(
  state: LiveSession,
  { session, watching }: Extract<Snapshot, { of: 'session' }>,
): LiveSession {
  // A server of the previous version sends no list.
  return { ...mergeSession(state, session), watching: watching ?? [] }
}

function mergeSession(state: LiveSession, received: Session): LiveSession {
  const message = state.session
    ? mergeMessage(received.message, state.session.message)
    : received.message
  // A session never becomes active again: an old snapshot must not revive it.
  const status = state.session?.status === 'Complete' ? 'Complete' : received.status
  const phone = newerPhone(state.session?.phone ?? null, received.phone)
  const { lastDriverContactAt } = received
  // A contact during a connection loss is newer than the last fix received before it.
  const fixIsOld = state.fix !== null && (lastDriverContactAt ?? 0) > state.fix.c
  return {
    ...state,
    session: { ...received, message, status, phone },
    fix: fixIsOld ? null : state.fix,
    lastContactAt: later(state.lastContactAt, lastDriverContactAt),
    refused: null,
  }
}

/** Removes the fix once the driver has deleted the positions. */
function withoutDeleted(state: LiveSession, { latitude, speedKmh }: Session): LiveSession {
  return latitude === null && speedKmh === null ? { ...state, fix: null } : state
}

function withFix(state: LiveSession, fix: DownOf<'fix'>): LiveSession {
  if (state.fix !== null && fix.c < state.fix.c) return state
  return { ...state, fix, lastContactAt: later(state.lastContactAt, fix.c) }
}

/** Ignores an older batch of the same feed, which another node has sent. */
function withOfficial(state: LiveSession, frame: DownOf<'official'>): LiveSession {
  const known = state.official
  if (known && known.feed === frame.feed && known.number > frame.number) return state
  if (known && isOlderByHand(frame, known)) return state
  // The receipt may have been published while the frame was prepared.
  if (known?.flag && frame.flag && isSameFlag(known.flag, frame.flag))
    return {
      ...state,
      official: {
        ...frame,
        flag: { ...frame.flag, shownAt: frame.flag.shownAt ?? known.flag.shownAt },
      },
    }
  return { ...state, official: frame }
}

/**
 * True for an older flag by hand that was read before the known one, and published after it: no batch tells them apart.
 * One that was read after it counts again, because the newer one was undone.
 */
function isOlderByHand(frame: DownOf<'official'>, known: DownOf<'official'>): boolean {
  if (frame.feed !== known.feed || frame.number !== known.number) return false
  const [older, newer] = [frame.flag, known.flag]
  if (older?.byHand === undefined || newer?.byHand === undefined) return false
  return older.since < newer.since && older.seenAt < newer.seenAt
}

function withShownFlag(state: LiveSession, shown: DownOf<'flag-shown'>): LiveSession {
  const { official } = state
  if (!official?.flag || !isSameFlag(official.flag, shown)) return state
  const { shownAt } = shown
  return { ...state, official: { ...official, flag: { ...official.flag, shownAt } } }
}

/** True for two reports of one change of the official flag. */
export function isSameFlag(one: FlagChangeId, other: FlagChangeId): boolean {
  return one.feed === other.feed && one.change === other.change
}

function withMessage(
  state: LiveSession,
  merge: (session: Session) => Session['message'],
): LiveSession {
  // Without a snapshot there is nothing to merge into; the pending snapshot is newer.
  if (state.session === null) return state
  const message = merge(state.session)
  if (message === state.session.message) return state
  return { ...state, session: { ...state.session, message } }
}

function withPhone(state: LiveSession, phone: PhoneState): LiveSession {
  if (state.session === null) return state
  return { ...state, session: { ...state.session, phone: newerPhone(state.session.phone, phone) } }
}

/** Returns the later state of the phone, in whichever order they arrived. */
function newerPhone(known: PhoneState | null, received: PhoneState | null): PhoneState | null {
  if (!known || !received) return received ?? known
  const later = received.drivingSince - known.drivingSince || received.count - known.count
  return later >= 0 ? received : known
}

function withEnd(state: LiveSession): LiveSession {
  if (state.session === null || state.session.status === 'Complete') return state
  return { ...state, session: { ...state.session, status: 'Complete' } }
}

function later(a: number | null, b: number | null): number | null {
  if (a === null) return b
  if (b === null) return a
  return Math.max(a, b)
}

/** Returns the car's last known speed and position, from the newer of snapshot and fix. */
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
