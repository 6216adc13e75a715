import { describe, expect, test } from 'vitest'
import { noRules } from '#contract/shared/raceRules.ts'
import { drivenCar } from '#testing/drivenCar.ts'
import { seeded } from '#testing/drives.ts'
import { type CarPhone, carRaceOf, type StoredCarRace } from './carRace.ts'
import { fuelOf } from './fuel.ts'
import { crossingsOf } from './gaps.ts'
import { raceLaps } from './raceLaps.ts'

const second = 1000

type Lap = CarPhone['laps'][number]

/** A lap from a time to another one, in seconds. */
function lap(kind: Lap['kind'], from: number, to: number, more: Partial<Lap> = {}): Lap {
  const timeMs = (to - from) * second
  return {
    number: 0,
    startedAt: from * second,
    timeMs,
    kind,
    isSeen: true,
    yellow: false,
    ...more,
  }
}

/** Whole laps of 100 s from a crossing on. */
function fullLaps(from: number, count: number): Lap[] {
  return Array.from({ length: count }, (_, index) =>
    lap('full', from + index * 100, from + (index + 1) * 100),
  )
}

/** A visit to the pits, in seconds. */
function visit(from: number, to: number | null, stopped: readonly [number, number] | null = null) {
  return {
    startedAt: from * second,
    endedAt: to === null ? null : to * second,
    stoppedAt: stopped && stopped[0] * second,
    leftAt: stopped && stopped[1] * second,
  }
}

/** A phone that stays on. */
function phone(sessionId: string, laps: readonly Lap[], more: Partial<CarPhone> = {}): CarPhone {
  return {
    sessionId,
    startedAt: 0,
    endedAt: null,
    lastFixAt: 10_000 * second,
    leftPitsAt: [],
    laps: laps.map((each, number) => ({ ...each, number })),
    visits: [],
    ...more,
  }
}

/** Runs from and until times in seconds. */
function runs(...all: [string | null, number, number | null][]): StoredCarRace['runs'] {
  return all.map(([sessionId, from, until]) => ({
    sessionId,
    from: from * second,
    until: until === null ? null : until * second,
    decidedBy: 'moved',
  }))
}

const race = {
  length: { in: 'laps', laps: 100 } as const,
  rules: noRules,
  startedAt: 0,
  pauses: [],
  endedAt: null,
}

/** A car in a race that starts at 0. */
function stored(given: Pick<StoredCarRace, 'phones' | 'runs'> & Partial<StoredCarRace>) {
  const { laps: _, visits: __, ...nothing } = drivenCar()
  return { ...nothing, race, ...given }
}

const carOf = (...given: Parameters<typeof stored>) => carRaceOf(stored(...given))

/** Laps as text: session, number, kind and times in seconds. `~`: it was not seen. */
function shown({ laps }: ReturnType<typeof carOf>): string[] {
  return laps.map(({ sessionId, number, kind, startedAt, timeMs, isSeen }) => {
    const [from, to] = [startedAt / second, (startedAt + timeMs) / second]
    return `${sessionId}${number} ${kind} ${from}-${to}${isSeen ? '' : ' ~'}`
  })
}

describe('laps', () => {
  test('are those of the phone while it was in the car', () => {
    const laps = [lap('out', -90, 0), ...fullLaps(0, 2)]
    const garage = phone('b', [lap('out', 10, 20), ...fullLaps(20, 1)])
    expect(
      shown(carOf({ phones: [phone('a', laps), garage], runs: runs(['a', -95, null]) })),
    ).toEqual(['a0 out -90-0', 'a1 full 0-100', 'a2 full 100-200'])
  })

  test('without a race keep the numbers of the session', () => {
    const laps = [lap('out', -90, 0), ...fullLaps(0, 1)]
    const phones = [phone('a', laps)]
    expect(shown(carOf({ phones, runs: runs(['a', -95, null]), race: null }))).toEqual([
      'a0 out -90-0',
      'a1 full 0-100',
    ])
  })

  test('are numbered for the race', () => {
    const laps = [
      lap('out', -250, -200),
      ...fullLaps(-200, 2),
      lap('full', 0, 100),
      lap('in', 100, 190),
      lap('out', 230, 300),
      lap('in', 300, 400),
      lap('out', 400, 500),
      lap('full', 500, 600),
    ]
    const car = carOf({
      phones: [phone('a', laps)],
      runs: runs(['a', -260, null]),
      race: { ...race, endedAt: 450 * second },
    })
    // Both parts of the lap with a stop have its number, if the line is not beside the pit lane.
    expect(car.laps.map(({ number }) => number)).toEqual([0, 0, 0, 1, 2, 2, 3, 4, 0])
    expect(raceLaps(car)).toBe(4)
  })

  test('of one lap, beside the pit lane and after hidden ones have their numbers', () => {
    const laps = [
      ...fullLaps(0, 3),
      lap('incomplete', 300, 350),
      lap('out', 680, 700),
      lap('full', 700, 800),
    ]
    const car = carOf({ phones: [phone('a', laps)], runs: runs(['a', 0, null]) })
    expect(car.laps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 7, 8])
    expect(raceLaps(car)).toBe(8)
  })
})

describe('a takeover on the track', () => {
  test('between two phones that saw the same laps leaves the laps', () => {
    const late = fullLaps(0.3, 6)
    const phones = [phone('a', fullLaps(0, 3)), phone('b', late)]
    expect(shown(carOf({ phones, runs: runs(['a', 0, 350], ['b', 350, null]) }))).toEqual([
      'a1 full 0-100',
      'a2 full 100-200',
      'a3 full 200-300',
      'b4 full 300.3-400.3',
      'b5 full 400.3-500.3',
      'b6 full 500.3-600.3',
    ])
  })

  test('within a lap makes one lap of both parts', () => {
    const laps = [lap('out', 340, 400), ...fullLaps(400, 1)]
    const failed = [...fullLaps(0, 3), lap('incomplete', 300, 350)]
    for (const own of [failed, fullLaps(0, 3)]) {
      const phones = [phone('a', own), phone('b', laps)]
      const car = carOf({ phones, runs: runs(['a', 0, 350], ['b', 350, null]) })
      expect(shown(car).slice(2)).toEqual(['a3 full 200-300', 'b4 full 300-400', 'b5 full 400-500'])
      expect(raceLaps(car)).toBe(5)
    }
  })

  test('within a lap is estimated where no phone saw the car', () => {
    const laps = [lap('out', 370, 400), ...fullLaps(400, 1)]
    const phones = [phone('a', [...fullLaps(0, 3), lap('incomplete', 300, 350)]), phone('b', laps)]
    const car = carOf({ phones, runs: runs(['a', 0, 350], ['b', 370, null]) })
    expect(shown(car).slice(2)).toEqual(['a3 full 200-300', 'b4 full 300-400 ~', 'b5 full 400-500'])
    expect(car.laps[3]?.yellow).toBe(false)
  })

  test('counts the laps that nobody saw', () => {
    const failed = [...fullLaps(0, 3), lap('incomplete', 300, 350)]
    const silent = { lastFixAt: 350 * second }
    const again = [lap('out', 770, 800), ...fullLaps(800, 1)]
    for (const own of [failed, fullLaps(0, 3)]) {
      const phones = [phone('a', own, silent), phone('b', again)]
      const car = carOf({ phones, runs: runs(['a', 0, 770], ['b', 770, null]) })
      expect(shown(car).slice(2)).toEqual([
        'a3 full 200-300',
        'a4 incomplete 300-350',
        'b8 out 770-800',
        'b9 full 800-900',
      ])
      expect(raceLaps(car)).toBe(9)
      expect(crossingsOf(car).at).toHaveLength(10)
    }
  })

  test('counts them up to the crossing with which the other phone begins', () => {
    const phones = [phone('a', fullLaps(0, 3)), phone('b', fullLaps(600, 2))]
    const car = carOf({ phones, runs: runs(['a', 0, 350], ['b', 350, null]) })
    expect(car.laps.map(({ number }) => number)).toEqual([1, 2, 3, 4, 7, 8])
    expect(raceLaps(car)).toBe(8)
  })

  test('from a phone that was lost at an unknown place has a lap over the gap', () => {
    const overGap = lap('incomplete', 300, 1100, { isSeen: false, endsAtLine: true })
    const dead = { lastFixAt: 300 * second }
    for (const later of [[lap('out', 770, 800), ...fullLaps(800, 1)], fullLaps(800, 1)])
      for (const before of [
        phone('a', [...fullLaps(0, 3), overGap]),
        phone('a', fullLaps(0, 3), dead),
      ]) {
        const phones = [before, phone('b', later)]
        const car = carOf({ phones, runs: runs(['a', 0, 770], ['b', 770, null]) })
        expect(shown(car).slice(3)).toEqual(['b8 incomplete 300-800 ~', 'b9 full 800-900'])
        expect(raceLaps(car)).toBe(9)
        expect(crossingsOf(car).at).toHaveLength(10)
      }
  })

  test('leaves the number of laps open if it is not certain', () => {
    const again = [lap('out', 620, 650), ...fullLaps(650, 1)]
    const phones = [phone('a', fullLaps(0, 3)), phone('b', again)]
    const car = carOf({ phones, runs: runs(['a', 0, 350], ['b', 620, null]) })
    expect([raceLaps(car), crossingsOf(car).at.length]).toEqual([5, 9])
  })

  test('takes pauses of the race out of the time between two phones', () => {
    const again = [lap('out', 670, 700), ...fullLaps(700, 1)]
    const phones = [phone('a', fullLaps(0, 3)), phone('b', again)]
    const pauses = [{ from: 340 * second, to: 540 * second }]
    const given = { phones, runs: runs(['a', 0, 330], ['b', 670, null]) }
    expect(raceLaps(carOf(given))).toBe(3 + 4 + 1)
    expect(raceLaps(carOf({ ...given, race: { ...race, pauses } }))).toBe(3 + 2 + 1)
  })

  test('counts nothing where nobody knows what the car did', () => {
    const again = [lap('out', 770, 800), ...fullLaps(800, 1)]
    const phones = [phone('a', fullLaps(0, 3)), phone('b', again)]
    const none = runs(['a', 0, 350], [null, 350, 770], ['b', 770, null])
    expect(raceLaps(carOf({ phones, runs: none }))).toBe(3 + 2)
    // The car may have waited for the start of the race.
    const given = { phones, runs: runs(['a', 0, 350], ['b', 770, null]) }
    const started = { ...race, startedAt: 360 * second }
    expect(shown(carOf({ ...given, race: started }))).toEqual([
      'a0 full 0-100',
      'a0 full 100-200',
      'a0 full 200-300',
      'b0 out 770-800',
      'b1 full 800-900',
    ])
    const waiting = carOf({ ...given, race: { ...race, startedAt: null } })
    expect(shown(waiting).slice(3)).toEqual(['b0 out 770-800', 'b1 full 800-900'])
    expect(raceLaps(waiting)).toBe(0)
  })

  test('counts a crossing once if the other phone did not see it', () => {
    const blind = [lap('full', 200, 400, { isSeen: false }), ...fullLaps(400, 1)]
    const phones = [phone('a', fullLaps(0, 3)), phone('b', blind)]
    const car = carOf({ phones, runs: runs(['a', 0, 350], ['b', 350, null]) })
    expect(shown(car).slice(2)).toEqual(['a3 full 200-300', 'b4 full 300-400 ~', 'b5 full 400-500'])
  })

  test('from a phone to a third one within a lap', () => {
    const phones = [
      phone('a', fullLaps(0, 3)),
      phone('b', [lap('out', 320, 400), ...fullLaps(400, 2)]),
      phone('c', [lap('out', 335, 400), ...fullLaps(400, 1)]),
    ]
    const swaps = runs(['a', 0, 330], ['b', 330, 340], ['c', 340, null])
    expect(shown(carOf({ phones, runs: swaps })).slice(2)).toEqual([
      'a3 full 200-300',
      'c4 full 300-400',
      'c5 full 400-500',
    ])
  })
})

describe('a takeover in the pits', () => {
  /** The first phone drives into the pits in its third lap, and the second one out of them. */
  const out = [lap('out', 330, 420), ...fullLaps(420, 2)]
  const leaves = { leftPitsAt: [340 * second] }
  const swapped = runs(['a', 0, 340], ['b', 340, null])

  test('makes an in lap and an out lap', () => {
    const visits = [visit(270, null, [280, 330])]
    const laps = [...fullLaps(0, 2), lap('in', 200, 285)]
    for (const own of [laps, fullLaps(0, 2)]) {
      const phones = [phone('a', own, { visits }), phone('b', out, leaves)]
      const car = carOf({ phones, runs: swapped })
      const [, , inLap, outLap] = car.laps
      expect(inLap).toMatchObject({ sessionId: 'a', number: 3, kind: 'in', startedAt: 200_000 })
      expect(outLap).toMatchObject({ sessionId: 'b', number: 3, kind: 'out', startedAt: 330_000 })
      expect(raceLaps(car)).toBe(5)
      expect(car.visits).toEqual([visit(270, 340, [280, 330])])
    }
  })

  test('is one visit of both phones, and ends before a phone that stays in the pits', () => {
    const phones = [
      phone('a', fullLaps(0, 2), { visits: [visit(270, 900, [280, 600])] }),
      phone('b', out, { ...leaves, visits: [visit(271, 341, [281, 331])] }),
    ]
    const { visits } = carOf({ phones, runs: swapped })
    expect(visits).toEqual([visit(270, 341, [280, 331])])
  })

  test('counts the line beside the pit lane where either phone crossed it', () => {
    const visits = [visit(270, null, [310, 330])]
    // The box is after the line, which the first phone crosses at 300 s.
    const before = phone('a', [...fullLaps(0, 2), lap('in', 200, 300)], { visits })
    const after = phone('b', out, leaves)
    const boxAfter = carOf({ phones: [before, after], runs: swapped })
    expect(shown(boxAfter).slice(2, 4)).toEqual(['a3 in 200-300', 'b4 out 300-420'])
    expect(raceLaps(boxAfter)).toBe(6)
    // The box is before the line, which the second phone crosses at 335 s.
    const stops = [visit(270, null, [285, 330])]
    const first = phone('a', [...fullLaps(0, 2), lap('in', 200, 284)], { visits: stops })
    const drivesOut = [lap('out', 331, 335), lap('out', 335, 420), ...fullLaps(420, 2)]
    const second = phone('b', drivesOut, leaves)
    const boxBefore = carOf({ phones: [first, second], runs: swapped })
    expect(shown(boxBefore).slice(2, 4)).toEqual(['b3 in 200-335', 'b4 out 335-420'])
    expect(raceLaps(boxBefore)).toBe(6)
  })

  test('begins the out lap at the line before the box, also after a stop at once', () => {
    const visits = [visit(270, null, [303, 330])]
    const inLap = { ...lap('in', 200, 300), endsAtLine: true as const }
    const before = phone('a', [...fullLaps(0, 2), inLap], { visits })
    const car = carOf({ phones: [before, phone('b', out, leaves)], runs: swapped })
    expect(shown(car).slice(2, 4)).toEqual(['a3 in 200-300', 'b4 out 300-420'])
    expect(raceLaps(car)).toBe(6)
  })

  test('begins no lap at the line that a phone crossed in a stop before', () => {
    // The box is after the line, which the first phone crossed at 300 s, and the second one at 630 s.
    const phones = [
      phone('a', [...fullLaps(0, 2), lap('in', 200, 300), lap('pit', 300, 740)], {
        leftPitsAt: [670 * second],
        visits: [visit(270, 690, [310, 670])],
      }),
      phone('b', [lap('out', 330, 420), ...fullLaps(420, 1), lap('in', 520, 630)], {
        ...leaves,
        visits: [visit(600, null, [640, 900])],
      }),
    ]
    const swaps = runs(['a', 0, 330], ['b', 330, 670], ['a', 670, null])
    const car = carOf({ phones, runs: swaps })
    expect(shown(car).slice(2)).toEqual([
      'a3 in 200-300',
      'b4 out 300-420',
      'b5 full 420-520',
      'b6 in 520-630',
      'a7 out 630-740',
    ])
  })

  test('counts the laps that were driven while a phone waited, also those of a gap', () => {
    // The box is before the line, which the first phone does not cross until it is in the car again.
    const waited = [...fullLaps(0, 2), lap('in', 200, 935), lap('out', 935, 1030)]
    const drivesOut = [lap('out', 331, 335), lap('out', 335, 420), ...fullLaps(420, 1)]
    const phones = [
      phone('a', waited, { leftPitsAt: [930 * second], visits: [visit(270, 950, [285, 920])] }),
      phone('b', [...drivesOut, lap('incomplete', 520, 570)], leaves),
    ]
    const swaps = runs(['a', 0, 330], ['b', 330, 930], ['a', 930, null])
    const car = carOf({ phones, runs: swaps })
    expect(shown(car).slice(2)).toEqual([
      'b3 in 200-335',
      'b4 out 335-420',
      'b5 full 420-520',
      'b6 incomplete 520-570 ~',
      'a6 out 920-935',
      'a7 out 935-1030',
    ])
    // The time for which the car stood is not known.
    expect([raceLaps(car), crossingsOf(car).at.length]).toEqual([7, 11])
  })

  test('drops what a phone drove in another car before it waited', () => {
    const came = [lap('in', 220, 325), lap('out', 325, 420), ...fullLaps(420, 1)]
    const phones = [
      phone('a', [...fullLaps(0, 2), lap('incomplete', 200, 240)], { lastFixAt: 240 * second }),
      phone('b', came, { ...leaves, visits: [visit(300, 345, [328, 330])] }),
    ]
    const car = carOf({ phones, runs: swapped })
    expect(shown(car).slice(2)).toEqual([
      'a3 incomplete 200-240',
      'b4 out 330-420',
      'b5 full 420-520',
    ])
  })

  test('begins no lap at a line that the phone in the car did not see', () => {
    const phones = [
      phone('a', [...fullLaps(0, 2), lap('incomplete', 200, 290)], { lastFixAt: 290 * second }),
      phone('b', [lap('full', 180, 280), ...fullLaps(280, 2)]),
    ]
    const car = carOf({ phones, runs: runs(['a', 0, 290], ['b', 291, null]) })
    expect(shown(car).slice(2)).toEqual([
      'a3 incomplete 200-290',
      'b4 out 291-380',
      'b5 full 380-480',
    ])
  })

  test('ends no lap at the line where only the one before it did', () => {
    const inLap = { ...lap('in', 200, 300), endsAtLine: true as const }
    const phones = [
      phone('a', [...fullLaps(0, 2), inLap], { visits: [visit(270, null, [303, 330])] }),
      phone('b', [lap('incomplete', 345, 350)], leaves),
      phone('c', [lap('out', 372, 500), ...fullLaps(500, 1)]),
    ]
    const swaps = runs(['a', 0, 340], ['b', 340, 350], ['c', 370, null])
    const { laps } = carOf({ phones, runs: swaps })
    expect(laps.map(({ kind, endsAtLine }) => [kind, endsAtLine])).toContainEqual(['in', true])
    expect(laps.filter(({ kind, endsAtLine }) => kind === 'incomplete' && endsAtLine)).toEqual([])
  })

  test('begins at the line also with a phone that is lost before the next one', () => {
    // The first phone crossed the line before its box.
    const inLap = { ...lap('in', 200, 300), endsAtLine: true as const }
    const phones = [
      phone('a', [...fullLaps(0, 2), inLap], { visits: [visit(270, null, [303, 330])] }),
      phone('b', [lap('incomplete', 150, 390), lap('out', 450, 520), ...fullLaps(520, 1)], {
        ...leaves,
        visits: [visit(160, 340, [165, 330])],
      }),
    ]
    const car = carOf({ phones, runs: swapped })
    expect(shown(car).slice(2, 4)).toEqual(['a3 in 200-300', 'b4 incomplete 300-390'])
  })

  test('cuts an in lap of a phone that came in with another car', () => {
    // The box is before the line, which the second phone crosses at 335 s, and crossed in the other car at 220 s.
    const phones = [
      phone('a', [...fullLaps(0, 2), lap('in', 200, 280)], {
        visits: [visit(270, null, [280, 330])],
      }),
      phone('b', [lap('full', 120, 220), lap('in', 220, 335), lap('out', 335, 420)], {
        ...leaves,
        visits: [visit(285, 340, [290, 330])],
      }),
    ]
    const car = carOf({ phones, runs: swapped })
    expect(shown(car).slice(2)).toEqual(['b3 in 200-335', 'b4 out 335-420'])
    expect(raceLaps(car)).toBe(4)
  })

  test('is not at the line if a phone was off on its way into the pits', () => {
    // It was found in the box, where it had been for some time.
    const lost = [...fullLaps(0, 2), lap('in', 200, 262)]
    const phones = [
      phone('a', lost, { visits: [visit(262, null, [310, 330])] }),
      phone('b', out, leaves),
    ]
    const car = carOf({ phones, runs: swapped })
    expect(shown(car).slice(2, 4)).toEqual(['a3 in 200-262', 'b3 out 330-420'])
    expect(raceLaps(car)).toBe(5)
  })

  test('cuts an out lap that began while the other phone drove', () => {
    const walked = [lap('out', 20, 420), ...fullLaps(420, 1)]
    const phones = [
      phone('a', fullLaps(0, 2), { visits: [visit(270, null, [280, 330])] }),
      phone('b', walked, leaves),
    ]
    const car = carOf({ phones, runs: swapped })
    expect(shown(car)[3]).toBe('b3 out 330-420')
    expect(raceLaps(car)).toBe(4)
  })

  test('makes one lap with a stop if the second phone saw the whole lap', () => {
    const phones = [
      phone('a', fullLaps(0, 2), { visits: [visit(270, null, [280, 330])] }),
      phone('b', [...fullLaps(0, 2), lap('pit', 200, 420)], leaves),
    ]
    expect(shown(carOf({ phones, runs: swapped })).slice(1)).toEqual([
      'a2 full 100-200',
      'b3 pit 200-420',
    ])
  })

  test('that no phone saw leaves the number of hidden laps open', () => {
    const silent = { lastFixAt: 350 * second }
    const later = [lap('out', 760, 900), ...fullLaps(900, 1)]
    const car = carOf({
      phones: [
        phone('a', fullLaps(0, 3), silent),
        phone('b', later, { leftPitsAt: [770 * second] }),
      ],
      runs: runs(['a', 0, 770], ['b', 770, null]),
    })
    expect(shown(car).slice(3)).toEqual([
      'a4 incomplete 300-350 ~',
      'b4 out 760-900',
      'b5 full 900-1000',
    ])
    expect([raceLaps(car), crossingsOf(car).at.length]).toEqual([5, 11])
  })

  test('that no phone saw is in the lap that both drove', () => {
    const later = [lap('out', 365, 470), ...fullLaps(470, 1)]
    const car = carOf({
      phones: [phone('a', fullLaps(0, 3)), phone('b', later, { leftPitsAt: [370 * second] })],
      runs: runs(['a', 0, 370], ['b', 370, null]),
    })
    expect(shown(car).slice(3)).toEqual(['b4 pit 300-470 ~', 'b5 full 470-570'])
  })

  test('in which the first session ended hides no laps', () => {
    const later = [lap('out', 760, 900), ...fullLaps(900, 1)]
    const car = carOf({
      phones: [phone('a', [...fullLaps(0, 3), lap('in', 300, 390)]), phone('b', later)],
      runs: runs(['a', 0, 400], ['b', 750, null]),
    })
    expect(shown(car).slice(3)).toEqual(['a4 in 300-390', 'b4 out 760-900', 'b5 full 900-1000'])
    expect([raceLaps(car), crossingsOf(car).at.length]).toEqual([5, 6])
  })

  test('counts the same after a time without a phone', () => {
    const phones = [
      phone('a', [...fullLaps(0, 2), lap('in', 200, 285)], {
        visits: [visit(270, null, [280, 330])],
        endedAt: 290_000,
      }),
      phone('b', out, leaves),
    ]
    const car = carOf({ phones, runs: runs(['a', 0, 290], ['b', 340, null]) })
    expect(shown(car).slice(2, 4)).toEqual(['a3 in 200-285', 'b3 out 330-420'])
    expect(car.visits).toMatchObject([{ startedAt: 270_000, endedAt: 340_000 }])
  })
})

test('the first phone drives again', () => {
  const a = phone(
    'a',
    [
      ...fullLaps(0, 2),
      lap('in', 200, 285),
      // It stays in the garage near the line.
      lap('out', 350, 390),
      lap('out', 730, 800),
      ...fullLaps(800, 1),
    ],
    {
      visits: [visit(270, 740, [280, 730])],
      leftPitsAt: [740 * second],
    },
  )
  const b = phone('b', [lap('out', 330, 400), ...fullLaps(400, 2), lap('in', 600, 680)], {
    visits: [visit(670, null, [680, 730])],
    leftPitsAt: [340 * second],
  })
  const car = carOf({
    phones: [a, b],
    runs: runs(['a', 0, 340], ['b', 340, 740], ['a', 740, null]),
  })
  expect(shown(car)).toEqual([
    'a1 full 0-100',
    'a2 full 100-200',
    'a3 in 200-285',
    'b3 out 330-400',
    'b4 full 400-500',
    'b5 full 500-600',
    'b6 in 600-680',
    'a6 out 730-800',
    'a7 full 800-900',
  ])
  expect(car.visits).toEqual([
    { ...visit(270, 340, [280, 330]), leftAt: null },
    { ...visit(670, 740, [680, 730]) },
  ])
})

describe('fuel', () => {
  const car = { tankL: 100, reserveL: 3, burnL: 2 }
  const fills = [{ kind: 'start' as const, at: 0, litres: 90 }]
  const leftL = (given: Parameters<typeof stored>[0]) =>
    fuelOf(carOf({ car, fills, ...given }))?.leftL

  test('goes on over a swap of phones, with hidden laps and fills of either session', () => {
    const phones = [
      phone('a', fullLaps(0, 3)),
      phone('b', [lap('out', 770, 800), ...fullLaps(800, 2)]),
    ]
    const given = { phones, runs: runs(['a', 0, 350], ['b', 770, null]) }
    expect(leftL(given)).toBeCloseTo(90 - 10 * 2, 6)
    const filled = [...fills, { kind: 'part' as const, at: 1450_000, litres: 7 }]
    expect(leftL({ ...given, fills: filled })).toBeCloseTo(90 - 10 * 2 + 7, 6)
  })

  test('is the same however the laps are divided among phones', () => {
    const whole = leftL({ phones: [phone('a', fullLaps(0, 30))], runs: runs(['a', 0, null]) })
    for (let at = 130; at < 2900; at += 100) {
      const phones = [phone('a', fullLaps(0, 30)), phone('b', fullLaps(0.2, 30))]
      expect(leftL({ phones, runs: runs(['a', 0, at], ['b', at, null]) })).toBe(whole)
    }
  })
})

test('random swaps on the track count the laps of the race', () => {
  const random = seeded(5)
  for (let index = 0; index < 300; index++) {
    const count = 10 + Math.floor(random() * 20)
    const endsAt = count * 100
    let from = 0
    const phones: CarPhone[] = []
    const inCar: [string, number, number | null][] = []
    for (let swap = 0; from < endsAt; swap++) {
      // The first phone completes a lap: the part before the first crossing does not count.
      const until = from + (swap === 0 ? 120 : 20) + Math.round(random() * 900)
      // Each phone begins to time laps some seconds before it takes over.
      const beganAt = from - Math.round(random() * 150)
      const firstLine = Math.max(0, Math.ceil(beganAt / 100) * 100)
      const fulls = fullLaps(firstLine, Math.max(0, Math.floor((until - firstLine) / 100)))
      const outLap = beganAt > 0 && firstLine > beganAt ? [lap('out', beganAt, firstLine)] : []
      const id = `phone${swap}`
      phones.push(
        phone(
          id,
          [...outLap, ...fulls].filter(
            ({ startedAt, timeMs }) => startedAt + timeMs <= endsAt * second,
          ),
        ),
      )
      inCar.push([id, from, until < endsAt ? until : null])
      from = until
    }
    const car = carOf({ phones, runs: runs(...inCar) })
    expect(raceLaps(car)).toBe(count)
    expect(car.laps.map(({ number }) => number)).toEqual(
      Array.from({ length: count }, (_, lapsBefore) => lapsBefore + 1),
    )
  }
})

describe('carRaceOf', () => {
  const given = stored({ phones: [phone('a', fullLaps(0, 2))], runs: runs(['a', 0, null]) })

  test('replaces laps and visits of a phone by newer ones', () => {
    const live = { sessionId: 'a', laps: fullLaps(0, 3) }
    expect(carRaceOf(given, live).laps).toHaveLength(3)
    const visits = [visit(250, null)]
    expect(carRaceOf(given, { ...live, visits }).visits).toEqual(visits)
    expect(carRaceOf(given, { ...live, sessionId: 'c' }).laps).toHaveLength(2)
  })

  test('gives the same object for the same values', () => {
    const live = { sessionId: 'a', laps: fullLaps(0, 3) }
    expect(carRaceOf(given)).toBe(carRaceOf(given))
    const first = carRaceOf(given, live)
    expect(carRaceOf(given, { ...live })).toBe(first)
    expect(carRaceOf(given, { ...live, laps: [...live.laps] })).not.toBe(first)
    expect(carRaceOf({ ...given })).not.toBe(carRaceOf(given))
  })

  test('keeps what is stored', () => {
    expect(carRaceOf({ ...given, unsure: ['b'] })).toMatchObject({ unsure: ['b'], ...given })
  })
})
