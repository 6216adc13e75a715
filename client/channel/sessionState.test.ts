import { expect, test } from 'vitest'
import type { DownOf } from '#contract/live.ts'
import type { PhoneState } from '#contract/phone.ts'
import type { Session } from '#contract/sessions.ts'
import { exampleSession } from '#testing/live/exampleSession.ts'
import { noMessage } from './messageState.ts'
import { applyFrame, type LiveSession, lastKnown, unknownSession } from './sessionState.ts'

const session: Session = {
  ...exampleSession,
  message: { ...noMessage, version: 4, type: 'Pit' },
  speedKmh: 120,
  latitude: 50.4,
  longitude: 5.9,
  lastDriverContactAt: 1000,
}

function snapshotOf(part: Partial<Session> = {}): DownOf<'snapshot'> {
  return {
    t: 'snapshot',
    room: 'session:s1',
    now: 0,
    snapshot: { of: 'session', session: { ...session, ...part }, watching: [] },
  }
}

function fixAt(c: number, v: number | null): DownOf<'fix'> {
  return { t: 'fix', s: 's1', c, at: c, la: 50.5, lo: 6, v, ac: 5 }
}

const known: LiveSession = applyFrame(unknownSession, snapshotOf())

test('a late snapshot never brings back an older message', () => {
  const newer = applyFrame(known, {
    t: 'message',
    session: 's1',
    message: { ...noMessage, version: 5, type: null },
  })
  const after = applyFrame(newer, snapshotOf())
  expect(after.session?.message).toMatchObject({ version: 5, type: null })
})

test('a late snapshot never reactivates an ended session', () => {
  const ended = applyFrame(known, { t: 'session-ended', team: 't1', session: 's1' })
  expect(ended.session?.status).toBe('Complete')
  expect(applyFrame(ended, snapshotOf()).session?.status).toBe('Complete')
})

test('the later phone state wins, in a snapshot or on its own', () => {
  const phone: PhoneState = {
    drivingSince: 100,
    count: 2,
    presence: 'hidden',
    presenceSince: 0,
    gps: 'good',
    gpsSince: 0,
    battery: null,
  }
  const hidden = applyFrame(known, { t: 'phone', session: 's1', phone })
  expect(applyFrame(hidden, snapshotOf()).session?.phone).toBe(phone)
  const before = { ...phone, count: 1, presence: 'shown' } as const
  expect(applyFrame(hidden, snapshotOf({ phone: before })).session?.phone).toBe(phone)
  const otherScreen = { ...before, drivingSince: 101 }
  expect(applyFrame(hidden, { t: 'phone', session: 's1', phone: otherScreen }).session?.phone).toBe(
    otherScreen,
  )
})

test('a fix from before a connection loss yields to a snapshot with a later contact', () => {
  const before = applyFrame(known, fixAt(2000, 130))
  expect(lastKnown(applyFrame(before, snapshotOf({ lastDriverContactAt: 1999 }))).speedKmh).toBe(
    130,
  )
  expect(lastKnown(applyFrame(before, snapshotOf({ lastDriverContactAt: 9000 }))).speedKmh).toBe(
    120,
  )
})

test('the last contact never moves backwards', () => {
  const moved = applyFrame(known, fixAt(5000, 130))
  expect(moved.lastContactAt).toBe(5000)
  expect(applyFrame(moved, snapshotOf()).lastContactAt).toBe(5000)
  expect(applyFrame(moved, fixAt(4000, 90))).toBe(moved)
})

test('a fix without GPS clears the speed', () => {
  expect(lastKnown(known)).toMatchObject({ speedKmh: 120 })
  expect(lastKnown(applyFrame(known, fixAt(2000, null)))).toMatchObject({ speedKmh: null })
})

test('a receipt for another version changes nothing', () => {
  const receipt = { reachedAt: 1, shownAt: 2, copiedAt: null }
  expect(applyFrame(known, { t: 'receipt', session: 's1', version: 3, receipt })).toBe(known)
  expect(
    applyFrame(known, { t: 'receipt', session: 's1', version: 4, receipt }).session?.message,
  ).toMatchObject(receipt)
})

function officialAt(number: number, part: { feed?: string; shownAt?: number } = {}) {
  const { feed = 'f1', shownAt = null } = part
  const flag = { feed, change: 3, flag: 'Yellow', since: 1, seenAt: number, shownAt }
  return { t: 'official', session: 's1', feed, number, flag, place: null } as const
}

test('official timing of an older batch of the same feed is ignored', () => {
  const newest = applyFrame(known, officialAt(7))
  expect(applyFrame(newest, officialAt(6))).toBe(newest)
  expect(applyFrame(newest, officialAt(8)).official?.number).toBe(8)
  expect(applyFrame(newest, officialAt(2, { feed: 'f2' })).official?.number).toBe(2)
})

test('an older flag by hand that was read before the known one is ignored', () => {
  const byHand = (flag: string, since: number, seenAt: number) => {
    const frame = officialAt(7)
    return { ...frame, flag: { ...frame.flag, flag, since, seenAt, byHand: 'Mia' } }
  }
  const red = applyFrame(known, byHand('Red', 15, 20))
  expect(applyFrame(red, byHand('Green', 10, 19))).toBe(red)
  const shown = (frame: Parameters<typeof applyFrame>[1]) => applyFrame(red, frame).official?.flag
  // The clock of the node that stored it may be late.
  expect(shown(byHand('Purple', 19, 19))).toMatchObject({ flag: 'Purple' })
  // An entry that was undone uncovers the one before it, the flag of the source, or none.
  expect(shown(byHand('Green', 10, 21))).toMatchObject({ flag: 'Green' })
  expect(shown(officialAt(7))).toMatchObject({ flag: 'Yellow' })
  expect(shown({ ...officialAt(7), flag: null })).toBeNull()
})

test('the receipt of a flag stays known, in whichever order frames arrive', () => {
  const shownFlag = { t: 'flag-shown', session: 's1', feed: 'f1', change: 3, shownAt: 9 } as const
  const shown = applyFrame(applyFrame(known, officialAt(7)), shownFlag)
  expect(shown.official?.flag?.shownAt).toBe(9)
  expect(applyFrame(shown, officialAt(8)).official?.flag?.shownAt).toBe(9)
  expect(applyFrame(shown, { ...shownFlag, change: 2, shownAt: 1 })).toBe(shown)
  expect(applyFrame(known, shownFlag)).toBe(known)
})
