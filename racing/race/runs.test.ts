import { describe, expect, it } from 'vitest'
import type { Drive, Moves } from '../laps/moves.ts'
import { type PhoneMoves, type RunDecision, runsOf } from './runs.ts'
import { unsurePhones } from './unsurePhones.ts'

const second = 1000
const minute = 60_000
const forever = Number.POSITIVE_INFINITY

/** A drive in minutes; `leftPits` by default. */
function drive(from: number, to: number | null, more: Partial<Drive> = {}): Drive {
  const fromMs = from * minute
  return {
    from: fromMs,
    to: to === null ? null : to * minute,
    leftPits: true,
    provenAt: fromMs + 20 * second,
    ...more,
  }
}

const onTrack = { leftPits: false }

/** A phone drives off in the 23rd minute, which is certain three seconds later. */
const departure = { from: 23 * minute, provenAt: 23.05 * minute }

/** How a phone moved; its newest fix is at `until`, in minutes. */
function moved(until: number, drives: readonly Drive[], silences: [number, number][] = []): Moves {
  return {
    drives,
    departures: [],
    silences: silences.map(([from, to]) => ({ from: from * minute, to: to * minute })),
    movingSince: null,
    lastFixAt: until * minute,
  }
}

/** A phone whose session starts at `startedAt` and ends at `endedAt`, in minutes. */
function phone(
  sessionId: string,
  moves: Moves | null,
  { startedAt = 0, endedAt = null }: { startedAt?: number; endedAt?: number | null } = {},
): PhoneMoves {
  return {
    sessionId,
    startedAt: startedAt * minute,
    endedAt: endedAt === null ? null : endedAt * minute,
    moves,
  }
}

/** A decision in minutes. */
function decided(sessionId: string | null, from: number, until: number | null, id = 'c1') {
  const decision: RunDecision = {
    correctionId: id,
    phone: sessionId,
    from: from * minute,
    until: until === null ? null : until * minute,
    by: 'Ana',
  }
  return decision
}

/** Runs as text, in minutes: `ana 1-20, ben 20-`. Those of a person have a `!`. */
function shown(phones: readonly PhoneMoves[], decisions: readonly RunDecision[] = []): string {
  return runsOf(phones, decisions)
    .map(({ sessionId, from, until, decidedBy }) => {
      const end = until === null ? '' : until / minute
      return `${sessionId ?? 'none'}${decidedBy === 'person' ? '!' : ''} ${from / minute}-${end}`
    })
    .join(', ')
}

describe('the first run', () => {
  it('begins when a phone moves as a car does', () => {
    expect(shown([phone('ana', moved(9, []))])).toBe('')
    expect(shown([phone('ana', moved(9, [drive(5, null)]))])).toBe('ana 5-')
  })

  it('is that of the phone that moves first', () => {
    const ana = phone('ana', moved(9, [drive(5, null)]))
    const ben = phone('ben', moved(9, [drive(4, null)]), { startedAt: 3 })
    expect(shown([ana, ben])).toBe('ben 4-')
  })

  it('begins with the first session while no phone knows the circuit', () => {
    const ana = phone('ana', null, { endedAt: 30 })
    const ben = phone('ben', null, { startedAt: 10 })
    expect(shown([ana, ben])).toBe('ana 0-30, ben 30-')
    expect(runsOf([ana, ben], []).map(({ decidedBy }) => decidedBy)).toEqual(['start', 'start'])
  })

  it('waits for a phone that knows the circuit as soon as one does', () => {
    const ana = phone('ana', null)
    expect(shown([ana, phone('ben', moved(9, [drive(5, null)]))])).toBe('ben 5-')
  })
})

describe('a phone that drives', () => {
  it('stays in the car while another one of the car drives as well', () => {
    const ana = phone('ana', moved(60, [drive(5, null)]))
    const ben = phone('ben', moved(60, [drive(6, 20), drive(25, null)]))
    expect(shown([ana, ben])).toBe('ana 5-')
  })

  it('stays in it over a stop that both see', () => {
    const ana = phone('ana', moved(60, [drive(5, 20), drive(23.1, null)]))
    const ben = phone('ben', moved(60, [drive(5.1, 20.1), drive(23, null)]))
    expect(shown([ana, ben])).toBe('ana 5-')
  })

  it('ends its run with its session, and the other phone in the car goes on', () => {
    const ana = phone('ana', moved(30, [drive(5, null)]), { endedAt: 30 })
    const ben = phone('ben', moved(60, [drive(6, null)]))
    expect(shown([ana, ben])).toBe('ana 5-30, ben 30-')
  })

  it('leaves no run after its session while no other phone drives', () => {
    const ana = phone('ana', moved(30, [drive(5, null)]), { endedAt: 30 })
    const ben = phone('ben', moved(60, [drive(40, 50)]))
    expect(shown([ana, phone('ben', moved(60, []))])).toBe('ana 5-30')
    expect(shown([ana, ben])).toBe('ana 5-30, ben 40-')
  })
})

describe('a phone that stands', () => {
  const standing = phone('ana', moved(60, [drive(5, 20)]))

  it('is followed by the one that leaves the pits', () => {
    expect(shown([standing, phone('ben', moved(60, [drive(23, null)]))])).toBe('ana 5-23, ben 23-')
  })

  it('is followed by one that begins to drive where nobody knows the pits', () => {
    const ben = phone('ben', moved(60, [drive(23, null, onTrack)]))
    expect(shown([standing, ben])).toBe('ana 5-23, ben 23-')
  })

  it('keeps the car for a minute, in which it may be found to drive as well', () => {
    const known = (until: number, drives: readonly Drive[] = []) => [
      phone('ana', moved(until, [drive(5, 20), ...drives])),
      phone('ben', moved(until, [drive(23, null)])),
    ]
    expect(shown(known(23.9))).toBe('ana 5-')
    expect(shown(known(24))).toBe('ana 5-23, ben 23-')
    // One phone saw that the car left the pits, and the other one a quarter lap later that it drives.
    const later = [drive(23.3, null, { leftPits: false, provenAt: 23.9 * minute })]
    expect(shown(known(60, later))).toBe('ana 5-')
  })

  it('is followed by one that drives off while it stands, before its drive is certain', () => {
    const stood = { from: 20.5 * minute, to: null }
    const known = (until: number, stands: Drive['stands'] = [stood], drives: Drive[] = []) => [
      phone('ana', moved(until, [drive(5, 20, { stands: stands ?? [] })])),
      phone('ben', { ...moved(until, drives), departures: [departure] }),
    ]
    expect(shown(known(23.04))).toBe('ana 5-')
    expect(shown(known(23.05))).toBe('ana 5-23, ben 23-')
    expect(shown(known(30))).toBe('ana 5-23, ben 23-')
    expect(shown(known(30, [stood], [drive(23, null)]))).toBe('ana 5-23, ben 23-')
    // It drove off as well: both are in the car.
    const droveOff = [{ ...stood, to: 23.02 * minute }]
    expect(shown(known(23.9, droveOff, [drive(23, null)]))).toBe('ana 5-')
    expect(shown(known(24, droveOff, [drive(23, null)]))).toBe('ana 5-23, ben 23-')
    // The other one drives since before: it may be in another car.
    expect(shown(known(24.9, [stood], [drive(6, null)]))).toBe('ana 5-')
  })

  it('is followed by one that drives off, also if its session ends before', () => {
    const drives = [drive(5, 20, { stands: [{ from: 20.5 * minute, to: null }] })]
    const known = (until: number, endedAt: number) => [
      phone('ana', moved(endedAt, drives), { endedAt }),
      phone('ben', {
        ...moved(until, [drive(23, null, { provenAt: 23.6 * minute })]),
        departures: [departure],
      }),
    ]
    expect(shown(known(30, 23.04))).toBe('ana 5-23, ben 23-')
    expect(shown(known(30, 23.7))).toBe('ana 5-23, ben 23-')
    expect(shown(known(30, 22))).toBe('ana 5-22, ben 23-')
  })

  it('is not known to stand after its last position, even if its session has ended', () => {
    const drives = [drive(5, 20, { stands: [{ from: 20.5 * minute, to: null }] })]
    const known = (endedAt: number | null) => [
      phone('ana', moved(22, drives), { endedAt }),
      phone('ben', { ...moved(40, [drive(23.1, null)]), departures: [departure] }),
    ]
    expect(shown(known(null))).toBe('ana 5-23.1, ben 23.1-')
    expect(shown(known(35))).toBe('ana 5-23.1, ben 23.1-')
  })

  it('is followed after a minute by one that drove at the same time', () => {
    const known = (
      until: number,
      benDrives: readonly Drive[],
      anaDrives: readonly Drive[] = [],
    ) => [
      phone(
        'ana',
        moved(until, [
          drive(5, 20, { stands: [{ from: 20.5 * minute, to: 23.5 * minute }] }),
          ...anaDrives,
        ]),
      ),
      phone('ben', {
        ...moved(until, [...benDrives, drive(23, null)]),
        departures: [departure],
      }),
    ]
    const otherCar = [drive(6, 19)]
    expect(shown(known(23.9, otherCar))).toBe('ana 5-')
    expect(shown(known(60, otherCar, [drive(23.6, null)]))).toBe('ana 5-')
    expect(shown(known(24, otherCar))).toBe('ana 5-23, ben 23-')
    // It was in this car before the one that stands.
    expect(shown(known(23.05, [drive(1, 4)]))).toBe('ben 1-5, ana 5-23, ben 23-')
  })

  it('keeps the car while nobody knows whether it drives', () => {
    // Its fixes arrive later.
    const ana = phone('ana', moved(23.9, [drive(5, 20)]))
    expect(shown([ana, phone('ben', moved(24.5, [drive(23, null)]))])).toBe('ana 5-')
  })

  it('is not followed by a phone in another car that drives on', () => {
    const ana = phone('ana', moved(60, [drive(5, 20), drive(23, null)]))
    expect(shown([ana, phone('ben', moved(60, [drive(6, 40)]))])).toBe('ana 5-')
  })

  it('is followed by a phone that drove before, after five minutes', () => {
    const ben = phone('ben', moved(60, [drive(6, null)]))
    const known = (until: number) => [
      phone('ana', moved(until, [drive(5, 20)])),
      phone('ben', moved(until, [drive(6, null)])),
    ]
    expect(shown(known(24.9))).toBe('ana 5-')
    expect(shown(known(25))).toBe('ana 5-20, ben 20-')
    expect(shown([standing, ben])).toBe('ana 5-20, ben 20-')
  })

  it('is not followed by one that drove before, and is silent since', () => {
    const ben = phone('ben', moved(21, [drive(6, null)]))
    expect(shown([phone('ana', moved(60, [drive(5, 20)])), ben])).toBe('ana 5-')
  })

  it('keeps the car while the other one waits in the garage', () => {
    expect(shown([standing, phone('ben', moved(60, []))])).toBe('ana 5-')
  })

  it('gets another run when it drives again', () => {
    const ana = phone('ana', moved(90, [drive(5, 20), drive(50, null)]))
    const ben = phone('ben', moved(90, [drive(23, 47)]))
    expect(shown([ana, ben])).toBe('ana 5-23, ben 23-50, ana 50-')
  })
})

describe('a silent phone', () => {
  const silent = moved(20, [drive(5, null)])

  it('is followed at once by one that leaves the pits', () => {
    const ben = phone('ben', moved(30, [drive(24, null)]))
    expect(shown([phone('ana', silent), ben])).toBe('ana 5-24, ben 24-')
  })

  it('is followed from its silence, after five minutes, by one that drives on track', () => {
    const ben = (until: number) => phone('ben', moved(until, [drive(6, null)]))
    expect(shown([phone('ana', silent), ben(24.9)])).toBe('ana 5-')
    expect(shown([phone('ana', silent), ben(25)])).toBe('ana 5-20, ben 20-')
  })

  it('keeps the car in a gap in reception', () => {
    const ana = phone('ana', moved(30, [drive(5, 20), drive(24, null, onTrack)], [[20, 24]]))
    const ben = phone('ben', moved(30, [drive(6, null)]))
    expect(shown([ana, ben])).toBe('ana 5-')
  })

  it('is not in the car if it is found standing, and the other one drove since', () => {
    const ana = phone('ana', moved(30, [drive(5, 20)], [[20, 23]]))
    const ben = phone('ben', moved(30, [drive(21, null, onTrack)]))
    expect(shown([ana, ben])).toBe('ana 5-21, ben 21-')
  })

  it('keeps the car if its late fixes show that it drove', () => {
    const ben = phone('ben', moved(60, [drive(6, null)]))
    expect(shown([phone('ana', silent), ben])).toBe('ana 5-20, ben 20-')
    const late = phone('ana', moved(60, [drive(5, null)]))
    expect(shown([late, ben])).toBe('ana 5-')
  })

  it('loses the car earlier if late fixes of the other one show that it left the pits', () => {
    const ana = phone('ana', moved(20, [drive(5, 17)]))
    expect(shown([ana, phone('ben', moved(40, [drive(30, null)]))])).toBe('ana 5-30, ben 30-')
    const late = phone('ben', moved(40, [drive(18, 25), drive(30, null)]))
    expect(shown([ana, late])).toBe('ana 5-18, ben 18-')
  })
})

describe('a session by mistake', () => {
  it('has no run if its phone never moved', () => {
    const ana = phone('ana', moved(60, [drive(5, null)]))
    const mistake = phone('ben', moved(12, []), { startedAt: 10, endedAt: 12 })
    expect(shown([ana, mistake])).toBe('ana 5-')
  })

  it('does not count if it was driven at the same time as the phone in the car', () => {
    const ana = phone('ana', moved(60, [drive(5, null)]))
    const mistake = phone('ben', moved(30, [drive(10, null)]), { startedAt: 10, endedAt: 30 })
    expect(shown([ana, mistake])).toBe('ana 5-')
  })
})

describe('decisions of people', () => {
  const ana = phone('ana', moved(90, [drive(5, null)]))
  const ben = phone('ben', moved(90, [drive(6, null)]))

  it('let a phone take over now', () => {
    expect(shown([ana, ben], [decided('ben', 30, null)])).toBe('ana 5-30, ben! 30-')
    expect(runsOf([ana, ben], [decided('ben', 30, null)])[1]).toMatchObject({
      correctionId: 'c1',
      by: 'Ana',
    })
  })

  it('are not changed by phones that drove before', () => {
    const stands = phone('ben', moved(90, [drive(6, 40)]))
    expect(shown([ana, stands], [decided('ben', 30, null)])).toBe('ana 5-30, ben! 30-')
  })

  it('hold until another phone takes over', () => {
    const again = phone('ana', moved(90, [drive(5, 40), drive(60, null)]))
    const stands = phone('ben', moved(90, [drive(6, 50)]))
    const expected = 'ana 5-30, ben! 30-60, ana 60-'
    expect(shown([again, stands], [decided('ben', 30, null)])).toBe(expected)
  })

  it('hold until the session ends', () => {
    const ended = phone('ben', moved(50, [drive(6, null)]), { endedAt: 50 })
    expect(shown([ana, ended], [decided('ben', 30, null)])).toBe('ana 5-30, ben! 30-50, ana 50-')
  })

  it('begin no run after the end of the session', () => {
    const ended = phone('ben', moved(20, [drive(6, null)]), { endedAt: 20 })
    expect(shown([ana, ended], [decided('ben', 30, null)])).toBe('ana 5-')
  })

  it('count where no phone knows the circuit', () => {
    const phones = [phone('ana', null), phone('ben', null, { startedAt: 10 })]
    expect(shown(phones, [decided('ben', 30, null)])).toBe('ana 0-30, ben! 30-')
  })

  it('move a boundary', () => {
    const stands = phone('ana', moved(90, [drive(5, 20)]))
    const next = phone('ben', moved(90, [drive(23, null)]))
    expect(shown([stands, next], [decided('ana', 23, 25)])).toBe('ana! 5-25, ben 25-')
    expect(shown([stands, next], [decided('ben', 21, 23)])).toBe('ana 5-21, ben! 21-')
  })

  it('reassign a run, and remove one', () => {
    const cem = phone('cem', moved(90, []))
    const phones = [ana, ben, cem]
    expect(shown(phones, [decided('cem', 30, 40)])).toBe('ana 5-30, cem! 30-40, ana 40-')
    expect(shown(phones, [decided(null, 30, 40)])).toBe('ana 5-30, none! 30-40, ana 40-')
  })

  it('say that no phone is in the car until one begins to drive', () => {
    const again = phone('ben', moved(90, [drive(6, 40), drive(70, null)]))
    expect(shown([ana, again], [decided(null, 30, null)])).toBe('ana 5-30, none! 30-70, ben 70-')
  })

  it('replace earlier ones about the same time, and are undone', () => {
    const first = decided('ben', 30, 50, 'c1')
    const second = decided(null, 40, 60, 'c2')
    const both = 'ana 5-30, ben! 30-40, none! 40-60, ana 60-'
    expect(shown([ana, ben], [first, second])).toBe(both)
    expect(shown([ana, ben], [first])).toBe('ana 5-30, ben! 30-50, ana 50-')
    expect(shown([ana, ben], [])).toBe('ana 5-')
  })

  it('win over the drive with which the corrected run began', () => {
    const stands = phone('ana', moved(90, [drive(5, 20)]))
    const inOtherCar = phone('ben', moved(90, [drive(23, null)]))
    expect(shown([stands, inOtherCar])).toBe('ana 5-23, ben 23-')
    expect(shown([stands, inOtherCar], [decided('ana', 23, null)])).toBe('ana! 5-')
    expect(shown([stands, inOtherCar], [decided(null, 23, null)])).toBe('ana 5-23, none! 23-')
  })

  it('leave what happened before them', () => {
    const again = phone('ana', moved(90, [drive(5, 35), drive(40, null)]))
    const stands = phone('ben', moved(90, [drive(6, 38)]))
    const one = decided('ben', 30, null, 'c1')
    const now = decided('ben', 80, null, 'c2')
    const expected = 'ana 5-30, ben! 30-40, ana 40-80, ben! 80-'
    expect(shown([again, stands], [one, now])).toBe(expected)
  })

  it('go on after a time that is decided', () => {
    const decisions = [decided('ben', 30, null, 'c1'), decided('ana', 20, 40, 'c2')]
    expect(shown([ana, ben], decisions)).toBe('ana! 5-40, ben! 40-')
  })
})

describe('unsurePhones', () => {
  const unsure = (phones: readonly PhoneMoves[], decisions: readonly RunDecision[] = []) =>
    unsurePhones(phones, runsOf(phones, decisions), decisions)

  it('are those that left the pits while the phone in the car stands', () => {
    const known = (until: number) => [
      phone('ana', moved(until, [drive(5, 20)])),
      phone('ben', moved(until, [drive(23, null)])),
    ]
    // The phone in the car may be found to leave the pits as well.
    expect(unsure(known(23.4))).toEqual([])
    expect(unsure(known(23.5))).toEqual(['ben'])
    expect(shown(known(23.99))).toBe('ana 5-')
    expect(unsure(known(23.99))).toEqual(['ben'])
    expect(unsure(known(24))).toEqual([])
  })

  describe('if one begins to move', () => {
    const known = (
      { ana, ben }: { ana: Partial<Moves>; ben: Partial<Moves> },
      benDrives: readonly Drive[] = [],
    ) => [
      phone('ana', { ...moved(22.2, [drive(5, 20)]), ...ana }),
      phone('ben', { ...moved(22.2, benDrives), movingSince: 22 * minute, ...ben }),
    ]
    const at = (minutes: number) => ({ lastFixAt: Math.round(minutes * minute) })

    it('are that one at once, while the phone in the car stands', () => {
      expect(unsure(known({ ana: {}, ben: {} }))).toEqual(['ben'])
      // Both are in the car, and one reports later.
      expect(unsure(known({ ana: at(22.08), ben: {} }))).toEqual([])
      expect(unsure(known({ ana: { movingSince: 22.1 * minute }, ben: {} }))).toEqual([])
      expect(unsure(known({ ana: {}, ben: { movingSince: null } }))).toEqual([])
    })

    it('are that one while the phone in the car is not heard any longer', () => {
      expect(unsure(known({ ana: at(21.9), ben: at(22.14) }))).toEqual([])
      expect(unsure(known({ ana: at(21.9), ben: at(22.16) }))).toEqual(['ben'])
    })

    it('are not one whose session has ended', () => {
      const [ana, ben] = known({ ana: {}, ben: {} }) as [PhoneMoves, PhoneMoves]
      expect(unsure([ana, { ...ben, endedAt: 22.2 * minute }])).toEqual([])
    })

    it('are not one that moved before, or drove at the same time', () => {
      expect(unsure(known({ ana: {}, ben: { movingSince: 19 * minute } }))).toEqual([])
      expect(unsure(known({ ana: {}, ben: {} }, [drive(6, 19)]))).toEqual([])
      expect(unsure(known({ ana: {}, ben: {} }, [drive(1, 4)]))).toEqual(['ben'])
    })

    it('are not that one if a person knew since that it is elsewhere', () => {
      expect(unsure(known({ ana: {}, ben: {} }), [decided('ana', 22.1, null)])).toEqual([])
    })
  })

  it('are those that drive again while the phone that took over stands', () => {
    const known = (until: number) => [
      phone('ana', moved(until, [drive(5, 20), drive(43, null)])),
      phone('ben', moved(until, [drive(23, 40)])),
    ]
    expect(unsure(known(43.7))).toEqual(['ana'])
    expect(unsure(known(44))).toEqual([])
  })

  it('are not those that drove before the phone in the car stood', () => {
    const ana = phone('ana', moved(24, [drive(5, 20)]))
    expect(unsure([ana, phone('ben', moved(24, [drive(6, null)]))])).toEqual([])
  })

  it('are not those that a person knew to be elsewhere', () => {
    const ana = phone('ana', moved(25, [drive(5, 20)]))
    const inOtherCar = phone('ben', moved(25, [drive(23, null)]))
    expect(unsure([ana, inOtherCar], [decided('ana', 24, null)])).toEqual([])
  })

  it('are none while both phones are in the car', () => {
    const ana = phone('ana', moved(25, [drive(5, 20), drive(23.2, null)]))
    const ben = phone('ben', moved(25, [drive(5.1, 20.1), drive(23, null)]))
    expect(unsure([ana, ben])).toEqual([])
    // In the stop.
    expect(
      unsure([phone('ana', moved(22, [drive(5, 20)])), phone('ben', moved(22, [drive(5, 20.1)]))]),
    ).toEqual([])
  })

  it('are those that drive while the phone in the car is silent', () => {
    const ana = phone('ana', moved(20, [drive(5, null)]))
    const ben = (until: number) => phone('ben', moved(until, [drive(6, null)]))
    expect(unsure([ana, ben(20.5)])).toEqual([])
    expect(unsure([ana, ben(21)])).toEqual(['ben'])
    expect(unsure([ana, ben(26)])).toEqual([])
  })

  it('are not those that stand, are silent or have ended', () => {
    const ana = phone('ana', moved(20, [drive(5, null)]))
    const clock = phone('wall', moved(23, []))
    expect(unsure([ana, clock, phone('ben', moved(23, [drive(6, 22)]))])).toEqual([])
    expect(unsure([ana, clock, phone('ben', moved(21, [drive(6, null)]))])).toEqual([])
    const ended = phone('ben', moved(23, [drive(6, null)]), { endedAt: 23 })
    expect(unsure([ana, clock, ended])).toEqual([])
  })

  it('are none before the first run', () => {
    expect(unsure([phone('ana', moved(20, []))])).toEqual([])
  })
})

describe('random moves', () => {
  /** A generator of numbers from 0 to 1 that gives the same ones each time. */
  function random(seed: number): () => number {
    let state = seed
    return () => {
      state = (state * 1_103_515_245 + 12_345) % 2 ** 31
      return state / 2 ** 31
    }
  }

  function randomPhone(name: string, next: () => number): PhoneMoves {
    const drives: Drive[] = []
    const silences: [number, number][] = []
    let at = next() * 20
    const endedAt = next() < 0.5 ? null : 30 + next() * 60
    const until = Math.min(endedAt ?? 90, 90 - next() * 10)
    while (at < until && next() < 0.85) {
      const to = at + 1 + next() * 15
      drives.push(drive(at, to < until ? to : null, { leftPits: next() < 0.5 }))
      const silentUntil = next() < 0.4 ? to + 1 + next() * 10 : to
      if (silentUntil > to && silentUntil < until) silences.push([to, silentUntil])
      at = silentUntil + 0.1 + next() * 12
    }
    return phone(name, next() < 0.1 ? null : moved(until, drives, silences), { endedAt })
  }

  function randomDecision(index: number, next: () => number): RunDecision {
    const from = next() * 80
    const name = (['ana', 'ben', 'cem', null] as const)[Math.floor(next() * 4)] ?? null
    return decided(name, from, next() < 0.5 ? null : from + 0.1 + next() * 20, `c${index}`)
  }

  /** The moves of a phone known at a time, from fixes until then. */
  function knownAt({ moves, endedAt, ...rest }: PhoneMoves, at: number): PhoneMoves {
    const { drives = [], departures = [], silences = [], lastFixAt = null } = moves ?? {}
    const silence = silences.find(({ from, to }) => from <= at && at < to)
    const newest = Math.min(silence?.from ?? at, lastFixAt ?? at)
    const seen = drives
      .filter(({ from, provenAt }) => from < newest && provenAt <= newest)
      .map(each => ({ ...each, to: each.to !== null && each.to < newest ? each.to : null }))
    const over = silences.filter(({ to }) => to <= at)
    return {
      ...rest,
      endedAt: endedAt !== null && endedAt <= at ? endedAt : null,
      moves: moves && {
        ...moved(newest / minute, seen),
        silences: over,
        departures: departures.filter(({ provenAt }) => provenAt <= newest),
      },
    }
  }

  it('never change what had ended, as time goes by', () => {
    let closed = 0
    for (let seed = 1; seed <= 40; seed++) {
      const draw = random(seed)
      const phones = ['ana', 'ben', 'cem'].map(name => randomPhone(name, draw))
      let before = runsOf([], [])
      for (let at = 0; at <= 90; at += 0.5) {
        const known = phones.map(each => knownAt(each, at * minute))
        const runs = runsOf(known, [])
        const ended = before.filter(({ until }) => until !== null)
        expect(runs.slice(0, ended.length)).toEqual(ended)
        closed = Math.max(closed, ended.length)
        before = runs
      }
    }
    expect(closed).toBeGreaterThan(5)
  })

  it('give runs without overlaps, of which one may be open, in any order of phones', () => {
    let runsInAll = 0
    for (let seed = 1; seed <= 500; seed++) {
      const draw = random(seed)
      const phones = ['ana', 'ben', 'cem'].map(name => randomPhone(name, draw))
      const decisions = Array.from({ length: Math.floor(draw() * 4) }, (_, index) =>
        randomDecision(index, draw),
      )
      const runs = runsOf(phones, decisions)
      runsInAll += runs.length
      for (const [index, { sessionId, from, until, decidedBy }] of runs.entries()) {
        const next = runs[index + 1]?.from ?? forever
        const { endedAt = null } = phones.find(each => each.sessionId === sessionId) ?? {}
        const latest = decidedBy === 'person' ? next : Math.min(next, endedAt ?? forever)
        expect(from).toBeLessThan(until ?? forever)
        expect(until ?? forever).toBeLessThanOrEqual(latest)
      }
      expect(runsOf(phones.toReversed(), decisions)).toEqual(runs)
    }
    expect(runsInAll).toBeGreaterThan(1000)
  })
})
