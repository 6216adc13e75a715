import { describe, expect, test } from 'vitest'
import { seeded } from '#testing/drives.ts'
import { type StintEntry, type StintSources, stintIdOfRun, stintSequence } from './stintSequence.ts'

const minute = 60_000

const anas = 'a0000000-0000-4000-8000-00000000000a'
const bens = 'b0000000-0000-4000-8000-00000000000b'
const cems = 'c0000000-0000-4000-8000-00000000000c'
const names: Record<string, string> = { [anas]: 'A', [bens]: 'B', [cems]: 'C' }

type Phone = StintSources['phones'][number]

/** A phone of a person with this name in the roster; times in minutes. */
function phone(
  sessionId: string,
  starterId: string | null,
  {
    startedAt = 0,
    endedAt = null,
    leftPits = [],
    visits = [],
    drives = [],
  }: {
    startedAt?: number
    endedAt?: number | null
    leftPits?: readonly number[]
    visits?: readonly [number, number | null][]
    drives?: readonly [number, number | null][]
  } = {},
): Phone {
  return {
    sessionId,
    startedAt: startedAt * minute,
    endedAt: endedAt === null ? null : endedAt * minute,
    starterId,
    leftPitsAt: leftPits.map(at => at * minute),
    visits: visits.map(([from, to]) => ({
      startedAt: from * minute,
      endedAt: to === null ? null : to * minute,
      stoppedAt: null,
      leftAt: null,
    })),
    drives: drives.map(([from, to]) => ({
      from: from * minute,
      to: to === null ? null : to * minute,
    })),
  }
}

/** Runs from and until times in minutes. */
function runs(...all: [string | null, number, number | null][]): StintSources['runs'] {
  return all.map(([sessionId, from, until]) => ({
    sessionId,
    from: from * minute,
    until: until === null ? null : until * minute,
    decidedBy: sessionId === null ? 'person' : 'moved',
  }))
}

/** A driver change entered at a time in minutes; null: it follows the run of its id. */
function entry(
  id: string,
  sessionId: string,
  driverId: string | null,
  from: number | null,
  more: Partial<StintEntry> = {},
): StintEntry {
  const at = from === null ? null : from * minute
  return { id, sessionId, driverId, from: at, removedAt: null, byHand: false, ...more }
}

/** A driver change that a person removed much later. */
const removed = { removedAt: 500 * minute }

/** Stints as text, in minutes: `ana 0-60, ben 60-`. A person who is not in the roster has the letter of the session. */
function shown(sources: Partial<StintSources> & Pick<StintSources, 'phones'>): string {
  return stintSequence({ runs: [], entries: [], fillsAt: [], ...sources })
    .map(({ driverId, sessionId, from, to }) => {
      const end = to === null ? '' : to / minute
      return `${driverId ?? names[sessionId]} ${from / minute}-${end}`
    })
    .join(', ')
}

const ana = phone(anas, 'ana')

describe('the first stint', () => {
  test('begins with the first session, and then with the first run', () => {
    expect(shown({ phones: [ana] })).toBe('ana 0-')
    expect(shown({ phones: [phone(anas, null, { endedAt: 9 })] })).toBe('A 0-9')
    expect(shown({ phones: [ana], runs: runs([anas, 7, null]) })).toBe('ana 7-')
  })

  test('is of the person whose phone moved first', () => {
    const phones = [ana, phone(bens, 'ben', { startedAt: 3 })]
    expect(shown({ phones, runs: runs([bens, 7, null]) })).toBe('ben 7-')
    const [first] = stintSequence({ phones, runs: runs([bens, 7, null]), entries: [], fillsAt: [] })
    expect(first).toMatchObject({ id: bens, number: 1, sessionId: bens })
  })

  test('is of the driver who was chosen at its start', () => {
    const entries = [entry(anas, anas, 'cem', null)]
    expect(shown({ phones: [ana], entries })).toBe('cem 0-')
    expect(shown({ phones: [ana], entries, runs: runs([anas, 7, null]) })).toBe('cem 7-')
  })

  test('is of the driver in the car also if a spare phone moves first', () => {
    const spare = phone(bens, null, { startedAt: 3 })
    const kept = entry(bens, bens, null, null, { removedAt: 3 * minute })
    const of = (first: Phone, ...entries: StintEntry[]) =>
      shown({ phones: [first, spare], runs: runs([bens, 7, null]), entries: [kept, ...entries] })
    expect(of(ana, entry(anas, anas, 'cem', null))).toBe('cem 7-')
    expect(of(ana)).toBe('ana 7-')
    expect(of(phone(anas, null))).toBe('A 7-')
    expect(of(phone(anas, 'ana', { endedAt: 5 }))).toBe('ana 7-')
    expect(of(phone(anas, 'ana', { endedAt: 2 }))).toBe('B 7-')
    expect(of(ana, entry('x', anas, 'leo', 5))).toBe('leo 7-')
  })

  test('is of the driver who was entered before the phone moved', () => {
    const entries = [entry('x', anas, 'ben', 2), entry('y', anas, 'cem', 4)]
    expect(shown({ phones: [ana], entries })).toBe('ana 0-2, ben 2-4, cem 4-')
    expect(shown({ phones: [ana], entries, runs: runs([anas, 7, null]) })).toBe('cem 7-')
  })
})

describe('entered changes', () => {
  const inCar = runs([anas, 0, null])

  test('count on the page of any session of the car', () => {
    const phones = [ana, phone(bens, 'ben', { startedAt: 3 })]
    const entries = [entry('x', bens, 'cem', 60), entry('y', anas, 'ana', 30)]
    expect(shown({ phones, entries, runs: inCar })).toBe('ana 0-30, ana 30-60, cem 60-')
  })

  test('without a driver are of the person who started their session', () => {
    const phones = [ana, phone(bens, null), phone(cems, 'cem')]
    const entries = [entry('x', bens, null, 30), entry('y', cems, null, 60)]
    expect(shown({ phones, entries, runs: inCar })).toBe('ana 0-30, B 30-60, cem 60-')
  })

  test('do not count once they are removed', () => {
    const entries = [entry('x', anas, 'cem', 60, removed)]
    expect(shown({ phones: [ana], entries, runs: inCar })).toBe('ana 0-')
  })

  test('stay when the runs change', () => {
    const phones = [ana, phone(bens, 'ben')]
    const entries = [entry('x', bens, 'cem', 60)]
    for (const each of [runs([anas, 0, null]), runs([anas, 0, 60], [bens, 60, null]), runs()])
      expect(shown({ phones, entries, runs: each })).toContain('cem 60-')
  })
})

describe('a change that is entered on the track', () => {
  const stop = { startedAt: 60, stoppedAt: 60.5, leftAt: 61.5, endedAt: 62 }
  const stops = [stop, { startedAt: 80, stoppedAt: 80.5, leftAt: 81.5, endedAt: 82 }].map(
    visit => ({
      startedAt: visit.startedAt * minute,
      stoppedAt: visit.stoppedAt * minute,
      leftAt: visit.leftAt * minute,
      endedAt: visit.endedAt * minute,
    }),
  )
  const of = (...entries: StintEntry[]) =>
    shown({
      phones: [{ ...ana, visits: stops }],
      runs: runs([anas, 0, null]),
      entries,
    })

  test('is of the stop that the car has left, also if it is repeated', () => {
    for (const at of [62.1, 65.5])
      expect(of(entry('x', anas, 'ben', at))).toBe('ana 0-60.5, ben 60.5-')
    expect(of(entry('x', anas, 'ben', 62.1), entry('y', anas, 'ben', 64))).toBe(
      'ana 0-60.5, ben 60.5-',
    )
  })

  test('replaces the driver who was confirmed in the stop', () => {
    const both = [entry('x', anas, 'ben', 61), entry('y', anas, 'cem', 63)]
    expect(of(...both)).toBe('ana 0-61, ben 61-61, cem 61-')
  })

  test('stays where it is four minutes after a stop, by hand after one, and before it', () => {
    for (const at of [59, 67, 79])
      expect(of(entry('x', anas, 'ben', at))).toBe(`ana 0-${at}, ben ${at}-`)
    const byHand = { byHand: true }
    expect(of(entry('x', anas, 'ben', 62.1, byHand))).toBe('ana 0-60.5, ben 60.5-')
    expect(of(entry('x', anas, 'ben', 64, byHand))).toBe('ana 0-64, ben 64-')
  })
})

describe('a phone that takes over', () => {
  const ben = phone(bens, 'ben', { startedAt: 50, leftPits: [63] })
  const inPits = phone(anas, 'ana', { visits: [[60, null]] })

  test('in the pits begins a stint of the person who started its session', () => {
    const swapped = runs([anas, 0, 63], [bens, 63, null])
    expect(shown({ phones: [inPits, ben], runs: swapped })).toBe('ana 0-63, ben 63-')
    // One phone saw the visit, or the other one that it left the pits.
    expect(shown({ phones: [ana, ben], runs: swapped })).toBe('ana 0-63, ben 63-')
    const unseen = phone(bens, 'ben', { startedAt: 50 })
    expect(shown({ phones: [inPits, unseen], runs: swapped })).toBe('ana 0-63, ben 63-')
  })

  test('begins a stint also if the last session ended after the phone left the pits', () => {
    const gone = phone(anas, 'ana', { endedAt: 63, drives: [[0, 60]] })
    const swapped = runs([anas, 0, 63], [bens, 63, null])
    const left = phone(bens, 'ben', { leftPits: [62] })
    expect(shown({ phones: [gone, left], runs: swapped })).toBe('ana 0-63, ben 63-')
    const later = phone(bens, 'ben', { leftPits: [64] })
    expect(shown({ phones: [gone, later], runs: swapped })).toBe('ana 0-63, ben 63-')
    // Both phones were in the car.
    const both = phone(anas, 'ana', { endedAt: 63, leftPits: [62] })
    expect(shown({ phones: [both, left], runs: swapped })).toBe('ana 0-')
    const earlier = phone(bens, 'ben', { leftPits: [61] })
    expect(shown({ phones: [gone, earlier], runs: swapped })).toBe('ana 0-')
  })

  test('on the track changes nobody', () => {
    const swapped = runs([anas, 0, 40], [bens, 40, null])
    expect(shown({ phones: [ana, ben], runs: swapped })).toBe('ana 0-')
    const chosen = [entry(bens, bens, 'cem', null)]
    expect(shown({ phones: [ana, ben], runs: swapped, entries: chosen })).toBe('ana 0-')
    // A session that was started again.
    const restarted = runs([anas, 0, 40], [bens, 40.2, null])
    for (const fillsAt of [[], [35 * minute]])
      expect(shown({ phones: [ana, ben], runs: restarted, fillsAt })).toBe('ana 0-')
  })

  test('goes on with the same driver', () => {
    const swapped = runs([anas, 0, 63], [bens, 63, null])
    const phones = [inPits, phone(bens, 'ana', { leftPits: [63] })]
    expect(shown({ phones, runs: swapped })).toBe('ana 0-')
  })

  test('tells two people apart who are not in the roster', () => {
    const swapped = runs([anas, 0, 63], [bens, 63, null])
    const phones = [phone(anas, null), phone(bens, null, { leftPits: [63] })]
    expect(shown({ phones, runs: swapped })).toBe('A 0-63, B 63-')
  })

  test('after a time without a phone begins a stint, also of the same driver', () => {
    const phones = [phone(anas, 'ana', { endedAt: 60, visits: [[59, null]] }), ben]
    const gap = runs([anas, 0, 60], [bens, 63, null])
    expect(shown({ phones, runs: gap })).toBe('ana 0-60, ben 63-')
    const same = [phone(anas, 'ana', { endedAt: 60, visits: [[59, null]] }), phone(bens, 'ana')]
    expect(shown({ phones: same, runs: gap })).toBe('ana 0-60, ana 63-')
  })

  test('goes on with the same driver who drove on without a phone', () => {
    const phones = [phone(anas, 'ana', { endedAt: 60 }), phone(bens, 'ana')]
    const gap = runs([anas, 0, 60], [bens, 63, null])
    expect(shown({ phones, runs: gap })).toBe('ana 0-')
    // Fuel was added, a person says that no phone was in the car, or nobody knows for long.
    expect(shown({ phones, runs: gap, fillsAt: [62 * minute] })).toBe('ana 0-60, ana 63-')
    const none = runs([anas, 0, 60], [null, 60, 63], [bens, 63, null])
    expect(shown({ phones, runs: none })).toBe('ana 0-60, ana 63-')
    const long = runs([anas, 0, 60], [bens, 90.1, null])
    expect(shown({ phones, runs: long })).toBe('ana 0-60, ana 90.1-')
  })

  test('again goes on with who drove it last', () => {
    const phones = [phone(anas, 'ana', { leftPits: [123] }), phone(bens, 'ben', { leftPits: [63] })]
    const swapped = runs([anas, 0, 63], [bens, 63, 123], [anas, 123, null])
    expect(shown({ phones, runs: swapped })).toBe('ana 0-63, ben 63-123, ana 123-')
    const entries = [entry('x', anas, 'cem', 30)]
    const expected = 'ana 0-30, cem 30-63, ben 63-123, cem 123-'
    expect(shown({ phones, runs: swapped, entries })).toBe(expected)
    const id = stintIdOfRun(anas, 1)
    const all = stintSequence({ phones, runs: swapped, entries, fillsAt: [] })
    expect(all.map(stint => [stint.id, stint.sessionId])).toEqual([
      [anas, anas],
      ['x', anas],
      [bens, bens],
      [id, anas],
    ])
    const corrected = [...entries, entry(id, anas, 'leo', null)]
    expect(shown({ phones, runs: swapped, entries: corrected })).toContain('ben 63-123, leo 123-')
    const without = [...entries, entry(id, anas, 'leo', null, removed)]
    expect(shown({ phones, runs: swapped, entries: without })).toContain('ben 63-')
  })

  test('again is not of the driver who was entered in the stop in which it left the car', () => {
    const phones = [
      phone(anas, 'ana', { leftPits: [123], visits: [[60, 122]], drives: [[0, 60]] }),
      phone(bens, 'ben', { leftPits: [63] }),
    ]
    const swapped = runs([anas, 0, 63], [bens, 63, 123], [anas, 123, null])
    const entries = [entry('x', anas, 'ben', 61)]
    expect(shown({ phones, runs: swapped, entries })).toBe('ana 0-61, ben 61-123, ana 123-')
    // The phone was silent before the stop.
    const silent = [
      phone(anas, 'ana', { leftPits: [123], drives: [[0, 50]] }),
      phone(bens, 'ben', { leftPits: [63] }),
    ]
    expect(shown({ phones: silent, runs: swapped, entries })).toBe('ana 0-61, ben 61-123, ana 123-')
    // Only a person knew that it was in the car.
    const unheard = [
      phone(anas, 'ana', { leftPits: [123], drives: [[123, null]] }),
      phone(bens, 'ben', { leftPits: [63] }),
    ]
    const before = [...entries, entry('y', anas, 'cem', 0)]
    const decided = runs([bens, -9, 0.5], [anas, 0.5, 63], [bens, 63, 123], [anas, 123, null])
    expect(shown({ phones: unheard, runs: decided, entries: before })).toBe(
      'ben -9-0, cem 0-61, ben 61-123, cem 123-',
    )
  })

  test('again is not of the driver in whose stint it was in the car for seconds', () => {
    const phones = [phone(anas, 'ana', { leftPits: [123] }), phone(bens, 'ben', { leftPits: [63] })]
    const seconds = runs([anas, 0, 63], [bens, 63, 90], [anas, 90, 90.1], [bens, 90.1, 123])
    const all = [...seconds, ...runs([anas, 123, null])]
    expect(shown({ phones, runs: all })).toBe('ana 0-63, ben 63-123, ana 123-')
  })

  test('of a spare phone goes on with the driver in the car', () => {
    const spare = phone(bens, null, { startedAt: 30, leftPits: [65] })
    const kept = entry(bens, bens, null, null, { removedAt: 30 * minute })
    const of = (...entries: StintEntry[]) =>
      shown({ phones: [inPits, spare], runs: runs([anas, 0, 63], [bens, 63, null]), entries })
    expect(of()).toBe('ana 0-63, B 63-')
    expect(of(kept)).toBe('ana 0-')
    expect(of(kept, entry('x', anas, 'cem', 40))).toBe('ana 0-40, cem 40-')
    expect(of(kept, entry('x', anas, 'cem', 62))).toBe('ana 0-62, cem 62-')
    const silent = [phone(anas, 'ana', { endedAt: 60, visits: [[59, null]] }), spare]
    const gap = runs([anas, 0, 60], [bens, 63, null])
    expect(shown({ phones: silent, runs: gap, entries: [kept] })).toBe('ana 0-60, ana 63-')
    expect(shown({ phones: [spare], runs: runs([bens, 63, null]), entries: [kept] })).toBe('B 63-')
  })

  test('is corrected and removed by a person', () => {
    const swapped = runs([anas, 0, 63], [bens, 63, null])
    const phones = [inPits, ben]
    const moved = [entry(bens, bens, 'cem', 61)]
    expect(shown({ phones, runs: swapped, entries: moved })).toBe('ana 0-61, cem 61-')
    const without = [entry(bens, bens, null, null, removed)]
    expect(shown({ phones, runs: swapped, entries: without })).toBe('ana 0-')
    // A correction by a person stays where it is, whatever happens to the run.
    expect(shown({ phones, runs: runs([anas, 0, null]), entries: moved })).toBe('ana 0-61, cem 61-')
  })
})

describe('one change of drivers', () => {
  const phones = [
    phone(anas, 'ana', { visits: [[60, null]] }),
    phone(bens, 'ben', { startedAt: 50, leftPits: [65] }),
  ]
  const swapped = runs([anas, 0, 65], [bens, 65, null])

  test('that is entered on the wall, on the old phone and by the new session is one', () => {
    const wall = entry('x', anas, 'ben', 61)
    const old = entry('y', anas, 'ben', 62)
    expect(shown({ phones, runs: swapped, entries: [wall, old] })).toBe('ana 0-61, ben 61-')
  })

  test('is not that before the first run, however soon the car stops', () => {
    const soon = [
      phone(anas, 'ana', { visits: [[8, null]] }),
      phone(bens, 'ben', { leftPits: [9] }),
    ]
    const inCar = runs([anas, 2, 9], [bens, 9, null])
    const start = entry('x', anas, 'cem', 1)
    expect(shown({ phones: soon, runs: inCar, entries: [start] })).toBe('cem 2-9, ben 9-')
  })

  test('is not that of the stop before, however soon the car stops again', () => {
    const again = [
      phone(anas, 'ana', {
        visits: [
          [60, 62],
          [67, null],
        ],
      }),
      phone(bens, 'ben', { leftPits: [70] }),
    ]
    const inCar = runs([anas, 0, 70], [bens, 70, null])
    const wall = entry('x', anas, 'cem', 61)
    expect(shown({ phones: again, runs: inCar, entries: [wall] })).toBe(
      'ana 0-61, cem 61-70, ben 70-',
    )
  })

  test('is not that of a stop that the car has left since', () => {
    const again = [phone(anas, 'ana', { leftPits: [62] }), phone(bens, 'ben', { leftPits: [69] })]
    const wall = entry('x', anas, 'cem', 61)
    const inCar = runs([anas, 0, 69], [bens, 69, null])
    expect(shown({ phones: again, runs: inCar, entries: [wall] })).toBe(
      'ana 0-61, cem 61-69, ben 69-',
    )
  })

  test('is not one after which another phone took over unseen in the pits', () => {
    const three = [
      ana,
      phone(bens, 'ben', { startedAt: 61 }),
      phone(cems, 'cem', { leftPits: [69] }),
    ]
    const wall = entry('x', anas, 'ben', 61)
    const inCar = runs([anas, 0, 62], [bens, 62, 69], [cems, 69, null])
    expect(shown({ phones: three, runs: inCar, entries: [wall] })).toBe(
      'ana 0-61, ben 61-69, cem 69-',
    )
  })

  test('is not the begin of a run, however soon the driver is entered in the next stop', () => {
    const stays = phone(anas, 'ana', { visits: [[5, 8]] })
    const wall = entry('x', anas, 'ana', 6, { byHand: true })
    const inCar = runs([anas, 0, null])
    expect(shown({ phones: [stays], runs: inCar, entries: [wall] })).toBe('ana 0-6, ana 6-')
    // No phone saw the stop, from which the next phone comes.
    const silent = [ana, phone(bens, 'ben', { leftPits: [7] })]
    const swap = runs([anas, 0, 7], [bens, 7, null])
    expect(shown({ phones: silent, runs: swap, entries: [wall] })).toBe('ana 0-6, ana 6-')
    expect(shown({ phones: silent, runs: swap, entries: [entry('x', anas, 'ana', 2)] })).toBe(
      'ana 0-7, ben 7-',
    )
  })

  test('that is entered after the new phone left the pits is one as well', () => {
    const wall = entry('x', anas, 'ben', 66)
    expect(shown({ phones, runs: swapped, entries: [wall] })).toBe('ana 0-65, ben 65-')
  })

  test('goes on over the time between two sessions', () => {
    const ended = [phone(anas, 'ana', { endedAt: 62, visits: [[60, null]] }), phones[1] as Phone]
    const gap = runs([anas, 0, 62], [bens, 65, null])
    const wall = entry('x', anas, 'ben', 61)
    expect(shown({ phones: ended, runs: gap, entries: [wall] })).toBe('ana 0-61, ben 61-')
    const later = entry('x', anas, 'ben', 63)
    expect(shown({ phones: ended, runs: gap, entries: [later] })).toBe('ana 0-62, ben 63-')
  })

  test('goes on when a session is started again on the way into the pits', () => {
    const again = phone(bens, 'ana', { startedAt: 62, visits: [[62.8, 65]], leftPits: [65] })
    const sessions = [phone(anas, 'ana', { endedAt: 62 }), again]
    const gap = runs([anas, 0, 62], [bens, 65, null])
    expect(shown({ phones: sessions, runs: gap })).toBe('ana 0-')
    const later = phone(bens, 'ana', { startedAt: 62, visits: [[63.5, 65]], leftPits: [65] })
    expect(shown({ phones: [sessions[0] as Phone, later], runs: gap })).toBe('ana 0-62, ana 65-')
  })

  test('begins where the phone left the pits, also if the old session ends later', () => {
    const left = [phone(anas, 'ana', { endedAt: 65.1 }), phones[1] as Phone]
    const gap = runs([anas, 0, 65.1], [bens, 65.1, null])
    expect(shown({ phones: left, runs: gap })).toBe('ana 0-65, ben 65-')
  })

  test('counts as it was entered, although another phone is in the car for a moment', () => {
    const three = [ana, phone(bens, 'ben'), phone(cems, 'cem', { leftPits: [65] })]
    const inCar = runs([anas, 0, 64], [bens, 64, 64.2], [cems, 64.2, null])
    const wall = entry('x', anas, 'leo', 63)
    expect(shown({ phones: three, runs: inCar, entries: [wall] })).toBe('ana 0-63, leo 63-')
  })

  test('that is entered again in the next stop is that of its phone', () => {
    const entries = [entry('x', anas, 'leo', 56), entry('y', anas, 'leo', 64)]
    const unseen = [ana, phone(bens, 'ben', { leftPits: [65] })]
    expect(shown({ phones: unseen, runs: swapped, entries })).toBe('ana 0-56, leo 56-')
  })

  test('counts as it was entered, unless the new session names another driver', () => {
    const wall = entry('x', anas, 'cem', 61)
    expect(shown({ phones, runs: swapped, entries: [wall] })).toBe('ana 0-61, cem 61-')
    const chosen = [wall, entry(bens, bens, 'leo', null)]
    expect(shown({ phones, runs: swapped, entries: chosen })).toBe('ana 0-61, cem 61-65, leo 65-')
  })

  test('is not lost if the one that it repeated began with a run that is gone', () => {
    const entries = [entry('x', anas, 'ben', 66), entry('y', anas, 'ben', 67)]
    expect(shown({ phones, runs: swapped, entries })).toBe('ana 0-65, ben 65-')
    expect(shown({ phones, runs: runs([anas, 0, null]), entries })).toBe('ana 0-66, ben 66-')
    // Unless a person undid it.
    const undone = [...entries, entry(bens, bens, 'ben', 65, removed)]
    expect(shown({ phones, runs: runs([anas, 0, null]), entries: undone })).toBe('ana 0-')
  })

  test('is not one with that of the stop before, whenever the positions of both arrive', () => {
    const entries = [entry('x', anas, 'ben', 61), entry('y', anas, 'ben', 67)]
    const late = (...visits: [number, number | null][]) => {
      const inCar = runs([anas, 0, null])
      return (all: StintEntry[]) =>
        shown({ phones: [phone(anas, 'ana', { visits })], runs: inCar, entries: all })
    }
    expect(late()(entries)).toBe('ana 0-61, ben 61-')
    expect(late([60, 62])(entries)).toBe('ana 0-61, ben 61-')
    expect(late([60, 68])(entries)).toBe('ana 0-61, ben 61-')
    const twoStops = late([60, 62], [66, 68])
    expect(twoStops(entries)).toBe('ana 0-61, ben 61-67, ben 67-')
    // Only the first one is removed.
    const without = [entry('x', anas, 'ben', 61, removed), ...entries.slice(1)]
    expect(twoStops(without)).toBe('ana 0-67, ben 67-')
    expect(late()(without)).toBe('ana 0-')
  })

  test('that is entered as the car is called in is that of the stop, and so is its undo', () => {
    const stopped = phone(anas, 'ana', { visits: [[63, 65]], leftPits: [65] })
    const of = (more?: Partial<StintEntry>) =>
      shown({
        phones: [stopped],
        runs: runs([anas, 0, null]),
        entries: [entry('x', anas, 'ben', 61.5, more), entry('y', anas, 'ben', 64)],
      })
    expect(of()).toBe('ana 0-61.5, ben 61.5-')
    expect(of(removed)).toBe('ana 0-')
  })

  test('is not one with the begin of a run before the stop', () => {
    const entries = [entry('y', anas, 'ana', 6)]
    const inCar = runs([anas, 0, null])
    expect(shown({ phones: [ana], runs: inCar, entries })).toBe('ana 0-')
    const stopped = phone(anas, 'ana', { visits: [[5, 7]] })
    expect(shown({ phones: [stopped], runs: inCar, entries })).toBe('ana 0-6, ana 6-')
  })
})

describe('a change that was removed', () => {
  const inCar = runs([anas, 0, null])
  const of = (...entries: StintEntry[]) => shown({ phones: [ana], runs: inCar, entries })
  const at = (minutes: number) => ({ removedAt: minutes * minute })

  test('takes its repetitions along, unless they were made after the removal', () => {
    const first = entry('x', anas, 'ben', 60, at(62))
    expect(of(first, entry('y', anas, 'ben', 61))).toBe('ana 0-')
    expect(of(entry('x', anas, 'ben', 60), entry('y', anas, 'ben', 61, at(62)))).toBe('ana 0-')
    expect(of(first, entry('y', anas, 'ben', 63))).toBe('ana 0-63, ben 63-')
    expect(of(first, entry('y', anas, 'cem', 61))).toBe('ana 0-61, cem 61-')
    expect(of(first, entry('y', anas, 'ben', 61, { byHand: true }))).toBe('ana 0-61, ben 61-')
  })

  test('takes the begin of a run along', () => {
    const swap = {
      phones: [
        phone(anas, 'ana', { visits: [[60, null]] }),
        phone(bens, 'ben', { leftPits: [65] }),
      ],
      runs: runs([anas, 0, 65], [bens, 65, null]),
    }
    const entered = (minutes: number) => [entry('x', anas, 'ben', 61, at(minutes))]
    expect(shown({ ...swap, entries: entered(66) })).toBe('ana 0-')
    expect(shown({ ...swap, entries: entered(64) })).toBe('ana 0-65, ben 65-')
  })

  test('leaves one with another driver in between, as it was then', () => {
    const [first, last] = [entry('x', anas, 'ben', 60), entry('z', anas, 'ben', 66, at(67))]
    const between = (more?: Partial<StintEntry>) => entry('y', anas, 'cem', 63, more)
    expect(of(first, between(), last)).toBe('ana 0-60, ben 60-63, cem 63-')
    expect(of(first, between(at(65)), last)).toBe('ana 0-')
    expect(of(first, between(at(68)), last)).toBe('ana 0-60, ben 60-')
  })

  test('to another driver leaves a later change to the first one, not its repetitions', () => {
    const corrected = [
      entry('x', anas, 'cem', 60, { byHand: true }),
      entry('was', anas, 'ben', 60, at(70)),
    ]
    expect(of(...corrected, entry('y', anas, 'ben', 60.5))).toBe('ana 0-60, cem 60-')
    expect(of(...corrected, entry('y', anas, 'ben', 66))).toBe('ana 0-60, cem 60-66, ben 66-')
  })

  test('by hand leaves the one before it', () => {
    const hand = (more?: Partial<StintEntry>) =>
      entry('y', anas, 'ben', 65, { byHand: true, ...more })
    expect(of(entry('x', anas, 'ben', 60), hand())).toBe('ana 0-60, ben 60-65, ben 65-')
    expect(of(entry('x', anas, 'ben', 60), hand(at(70)))).toBe('ana 0-60, ben 60-')
    expect(of(hand(at(70)), entry('z', anas, 'ben', 66))).toBe('ana 0-')
  })
})

describe('the end of a stint', () => {
  test('is that of the last session', () => {
    const ended = [phone(anas, 'ana', { endedAt: 60 })]
    expect(shown({ phones: ended, runs: runs([anas, 0, 60]) })).toBe('ana 0-60')
    const waiting = [...ended, phone(bens, 'ben', { startedAt: 50 })]
    expect(shown({ phones: waiting, runs: runs([anas, 0, 60]) })).toBe('ana 0-60')
  })

  test('is open for a driver who was entered before the next phone moves', () => {
    const waiting = [phone(anas, 'ana', { endedAt: 60 }), phone(bens, 'ben', { startedAt: 50 })]
    const entries = [entry('x', bens, 'cem', 61)]
    expect(shown({ phones: waiting, runs: runs([anas, 0, 60]), entries })).toBe('ana 0-60, cem 61-')
  })

  test('is its start if it was entered after the last session', () => {
    const ended = [phone(anas, 'ana', { endedAt: 60 })]
    const entries = [entry('x', anas, 'cem', 61)]
    expect(shown({ phones: ended, runs: runs([anas, 0, 60]), entries })).toBe('ana 0-60, cem 61-61')
  })
})

test('random runs and entries give stints without overlaps, in any order', () => {
  const draw = seeded(3)
  const ids = [anas, bens, cems]
  const one = <T>(all: readonly T[]) => all[Math.floor(draw() * all.length)] as T
  let stints = 0
  for (let index = 0; index < 500; index++) {
    const phones = ids.map(id =>
      phone(id, one(['ana', 'ben', 'cem', null]), {
        endedAt: draw() < 0.5 ? null : 200,
        leftPits: draw() < 0.5 ? [60, 120] : [],
      }),
    )
    const bounds = [0, 30 * draw(), 60, 60 + 40 * draw(), 120]
    const inCar = bounds.flatMap((from, at): [string, number, number | null][] => {
      const next = bounds[at + 1]
      if (next === undefined) return [[one(ids), from, null]]
      return draw() < 0.2 ? [] : [[one(ids), from, draw() < 0.7 ? next : (from + next) / 2]]
    })
    const entries = Array.from({ length: Math.floor(draw() * 6) }, (_, at) =>
      entry(`x${at}`, one(ids), one(['ana', 'ben', 'cem', null]), 150 * draw(), {
        removedAt: draw() < 0.3 ? 150 * minute * draw() : null,
        byHand: draw() < 0.3,
      }),
    )
    const sources = { phones, runs: runs(...inCar), entries, fillsAt: [] }
    const all = stintSequence(sources)
    stints += all.length
    expect(all.length).toBeGreaterThan(0)
    expect(new Set(all.map(({ id }) => id)).size).toBe(all.length)
    for (const [at, { number, from, to }] of all.entries()) {
      const next = all[at + 1]?.from ?? Number.POSITIVE_INFINITY
      expect(number).toBe(at + 1)
      expect(from).toBeLessThanOrEqual(to ?? next)
      expect(to ?? next).toBeLessThanOrEqual(next)
    }
    expect(stintSequence({ ...sources, entries: entries.toReversed() })).toEqual(all)
  }
  expect(stints).toBeGreaterThan(1500)
})

test('the stint of a later run has an id of its own', () => {
  expect(stintIdOfRun(anas, 0)).toBe(anas)
  expect(stintIdOfRun(anas, 1)).toBe('a0000000-0000-4000-8000-00000000000b')
  expect(stintIdOfRun('a0000000-0000-4000-8000-ffffffffffff', 2)).toBe(
    'a0000000-0000-4000-8000-000000000001',
  )
})
