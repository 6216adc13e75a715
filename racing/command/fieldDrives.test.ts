import { describe, expect, test } from 'vitest'
import { distanceM, type Position, planeAround, positionBetween } from '#contract/shared/geo.ts'
import { gaussian, seeded } from '#testing/drives.ts'
import { driveRace, type Race } from '#testing/races.ts'
import { learnCircuit } from '../circuits/learn.ts'
import type { RacingFix } from '../fix.ts'
import { readRecording } from '../formats/recording.ts'
import { timeDrives, timeRecording } from './timeRecording.ts'

const inAustria = { latitude: 47.3, longitude: 9.7 }

/** A bent loop of about this length. */
function loop(lengthM: number, centre: Position = inAustria): Position[] {
  const { toPosition } = planeAround(centre)
  const radiusM = lengthM / 6.6
  return Array.from({ length: 60 }, (_, index) => {
    const angle = (2 * Math.PI * index) / 60
    const m = radiusM * (1 + 0.15 * Math.cos(2 * angle) + 0.08 * Math.sin(3 * angle))
    return toPosition({ eastM: m * Math.cos(angle), northM: 0.8 * m * Math.sin(angle) })
  })
}

function paces(count: number): { pace: number }[] {
  return Array.from({ length: count }, (_, lap) => ({ pace: 0.95 + 0.04 * Math.sin(2 * lap) }))
}

/** Drives a race, and times it with the line where its laps begin. */
function timed(race: Race) {
  const { fixes, crossingsMs } = driveRace({ startShare: 0.6, whiteM: 0.1, ...race })
  const [line] = race.outline
  const { laps, circuit, isPoor } = timeRecording(fixes, { line: line! })
  const full = laps.filter(({ kind }) => kind === 'full')
  const errorsMs = full.map(({ startedAtMs, timeMs }) => {
    const begin = crossingsMs.findIndex(ms => Math.abs(ms - startedAtMs) < 2000)
    return timeMs - (crossingsMs[begin + 1]! - crossingsMs[begin]!)
  })
  return { full, errorsMs, circuit, isPoor, laps }
}

const drives: { name: string; race: Race; withinMs: number }[] = [
  {
    name: 'a kart slower than 12 m/s at 2 Hz',
    race: { outline: loop(420), laps: paces(9).map(lap => ({ ...lap, limitMps: 9 })), hz: 2 },
    withinMs: 60,
  },
  {
    name: 'a kart slower than 12 m/s at 10 Hz',
    race: { outline: loop(420), laps: paces(9).map(lap => ({ ...lap, limitMps: 10 })), hz: 10 },
    withinMs: 60,
  },
  {
    name: 'a bicycle at 1 Hz',
    race: { outline: loop(1200), laps: paces(9).map(lap => ({ ...lap, limitMps: 8.5 })), hz: 1 },
    withinMs: 100,
  },
  {
    name: 'a bicycle that never reaches 30 km/h',
    race: { outline: loop(1200), laps: paces(7).map(lap => ({ ...lap, limitMps: 6 })), hz: 1 },
    withinMs: 150,
  },
  {
    name: "a child's kart at 15 km/h and 10 Hz",
    race: { outline: loop(420), laps: paces(9).map(lap => ({ ...lap, limitMps: 4.2 })), hz: 10 },
    withinMs: 60,
  },
  {
    name: 'a bicycle at 18 km/h on 4 km at 5 Hz',
    race: { outline: loop(4000), laps: paces(4).map(lap => ({ ...lap, limitMps: 5 })), hz: 5 },
    withinMs: 150,
  },
  {
    name: 'two formation laps before the race',
    race: {
      outline: loop(2100),
      laps: [{ limitMps: 9.7 }, { limitMps: 9.7 }, { limitMps: 9.7 }, ...paces(6)],
      hz: 10,
    },
    withinMs: 60,
  },
  {
    name: 'a circuit of 200 m',
    race: { outline: loop(260), laps: paces(12), hz: 5 },
    withinMs: 60,
  },
  {
    name: 'a circuit across the date line',
    race: { outline: loop(1600, { latitude: -16.8, longitude: 180 }), laps: paces(9), hz: 2 },
    withinMs: 60,
  },
  {
    name: 'a circuit on the equator and the first meridian at 25 Hz',
    race: { outline: loop(1600, { latitude: 0, longitude: 0 }), laps: paces(9), hz: 25 },
    withinMs: 60,
  },
  {
    name: 'a circuit near the pole',
    race: { outline: loop(1600, { latitude: 78.2, longitude: -15.6 }), laps: paces(9), hz: 5 },
    withinMs: 60,
  },
]

test.each(drives)('all laps of $name are full and exact', ({ race, withinMs }) => {
  const { full, errorsMs } = timed(race)
  // The drive begins within its first lap and ends on the line.
  expect(full.length).toBeGreaterThanOrEqual(race.laps.length - 2)
  for (const errorMs of errorsMs) expect(Math.abs(errorMs)).toBeLessThan(withinMs)
})

test('a walk is slower than a parked car, and has no laps', () => {
  const laps = paces(4).map(lap => ({ ...lap, limitMps: 1.5 }))
  const { fixes } = driveRace({ outline: loop(400), laps, hz: 1, whiteM: 0.5 })
  expect(timeRecording(fixes, {})).toMatchObject({ circuit: null, laps: [] })
})

test('two slow laps around a paddock are not learned as a circuit', () => {
  const laps = [{ limitMps: 5 }, { limitMps: 5 }]
  const { fixes } = driveRace({ outline: loop(400), laps, hz: 2, whiteM: 0.5 })
  expect(timeRecording(fixes, {})).toMatchObject({ circuit: null, laps: [] })
})

test('the noise of a receiver at rest is not learned as a circuit', () => {
  const random = seeded(1)
  const { toPosition } = planeAround(inAustria)
  const fixes = Array.from({ length: 1800 }, (_, index): RacingFix => {
    const noise = { eastM: 10 * gaussian(random), northM: 10 * gaussian(random) }
    const place = toPosition(noise)
    return { ...place, atMs: index * 500, speedMps: 4, headingDeg: null, accuracyM: null }
  })
  expect(timeRecording(fixes, {}).circuit).toBeNull()
})

describe('the uncertainty of a receiver', () => {
  const race: Race = { outline: loop(800), laps: paces(8), hz: 5 }

  test('without reported accuracy is the spread between laps', () => {
    const { full, errorsMs, isPoor } = timed({ ...race, whiteM: 0.04 })
    expect(isPoor).toBe(false)
    for (const [index, { plusMinusMs }] of full.entries()) {
      expect(plusMinusMs).toBeLessThan(100)
      expect(plusMinusMs).toBeGreaterThan(Math.abs(errorsMs[index]!))
    }
  })

  test('without reported accuracy grows with the spread between laps', () => {
    const { full, isPoor } = timed({ ...race, whiteM: 12, outline: loop(1500) })
    expect(isPoor).toBe(true)
    for (const { plusMinusMs } of full) expect(plusMinusMs).toBeGreaterThan(400)
  })

  test.each([1, 5, 25])('with 2 cm is not below the interpolation at %s Hz', hz => {
    const { full, errorsMs } = timed({ ...race, hz, whiteM: 0.01, accuracyM: 0.02 })
    expect(full.length).toBeGreaterThan(5)
    for (const [index, { plusMinusMs }] of full.entries()) {
      expect(plusMinusMs).toBeGreaterThan(Math.max(5, Math.abs(errorsMs[index]!)))
      expect(plusMinusMs).toBeLessThan(100)
    }
  })
})

test.each([4, 5, 7, 10])('multiples of laps are not learned from a fix every %s s', everyS => {
  const { fixes } = driveRace({ outline: loop(1600), laps: paces(40), hz: 1 })
  const rare = fixes.filter((_, index) => index % everyS === 0)
  expect(timeRecording(rare, {})).toMatchObject({ circuit: null, laps: [] })
})

test.each([2, 3])('single laps are learned from a fix every %s s', everyS => {
  const { fixes } = driveRace({ outline: loop(4500), laps: paces(12), hz: 1 })
  const rare = fixes.filter((_, index) => index % everyS === 0)
  const { lengthM } = learnCircuit(rare)!
  expect(Math.abs(lengthM / learnCircuit(fixes)!.lengthM - 1)).toBeLessThan(0.03)
})

/** Fixes of a car that is on a circle of this radius. */
function circle(radiusM: number, { mps, hz, count }: { mps: number; hz: number; count: number }) {
  const { toPosition } = planeAround(inAustria)
  return Array.from({ length: count }, (_, index): RacingFix => {
    const angle = ((index / hz) * mps) / radiusM
    const place = { eastM: radiusM * Math.cos(angle), northM: radiusM * Math.sin(angle) }
    const position = toPosition(place)
    return { ...position, atMs: (index * 1000) / hz, speedMps: mps, headingDeg: null, accuracyM: 3 }
  })
}

describe('a day in one file', () => {
  const [first, second] = [loop(1600), loop(2100, { latitude: 47.4, longitude: 9.9 })]
  const race = (outline: Position[], laps: Race['laps'] = paces(6)) =>
    driveRace({ outline, laps, hz: 1, whiteM: 0.3, startShare: 0.6 }).fixes
  /** A straight road between two places at 25 m/s. */
  const road = (from: RacingFix, to: RacingFix): RacingFix[] => {
    const seconds = Math.ceil(distanceM(from, to) / 25)
    return Array.from({ length: seconds }, (_, second) => ({
      ...positionBetween(from, to, second / seconds),
      atMs: second * 1000,
      speedMps: 25,
      headingDeg: null,
      accuracyM: null,
    }))
  }
  /** Parts one after the other, ten minutes apart. */
  const joined = (...parts: RacingFix[][]) => {
    let startMs = 0
    return parts.flatMap(part => {
      const sinceMs = startMs - part[0]!.atMs
      startMs = part.at(-1)!.atMs + sinceMs + 600_000
      return part.map(fix => ({ ...fix, atMs: fix.atMs + sinceMs }))
    })
  }
  const fullLaps = (fixes: RacingFix[]) =>
    timeDrives(fixes, {}).map(({ timed: { laps } }) =>
      laps.filter(({ kind, isSeen }) => kind === 'full' && isSeen).map(({ timeMs }) => timeMs),
    )
  const alone = (fixes: RacingFix[]) => fullLaps(joined(fixes))[0]!

  test('has the laps of two circuits', () => {
    const [one, other] = [race(first), race(second)]
    const laps = fullLaps(joined(one, road(one.at(-1)!, other[0]!), other))
    expect(laps).toHaveLength(2)
    expect(laps[0]).toEqual(alone(one))
    // The line is elsewhere, so that the last lap may be a part of one.
    expect(laps[1]!.length).toBeGreaterThanOrEqual(alone(other).length - 1)
  })

  test('has the laps of both directions of a circuit', () => {
    const [one, other] = [race(first), race(first.toReversed())]
    const drives = timeDrives(joined(one, other), {})
    expect(
      drives.map(({ timed }) => timed.laps.filter(({ kind }) => kind === 'full').length),
    ).toEqual([alone(one).length, alone(other).length])
  })

  test('has the laps of two layouts that share most of their road', () => {
    const long = loop(4500)
    // A straight line replaces a third of the outline.
    const short = long.filter((_, index) => index < 20 || index > 40)
    const [one, other] = [race(long, paces(8)), race(short, paces(12))]
    const laps = fullLaps(joined(one, other))
    expect(laps).toHaveLength(2)
    expect(laps[1]!.length).toBeGreaterThanOrEqual(8)
  })

  test('has one list of laps for a circuit that the car left and came back to', () => {
    const [one, again] = [race(first), race(first)]
    const away = { ...one[0]!, latitude: 47.35 }
    const fixes = joined(one, road(one.at(-1)!, away), road(away, again[0]!), again)
    expect(timeDrives(fixes, {})).toHaveLength(1)
    expect(fullLaps(fixes)[0]!.length).toBeGreaterThanOrEqual(2 * alone(one).length)
  })

  test('a given line moves the line of the circuit that it is on', () => {
    const [one, other] = [race(first), race(second)]
    const [line] = second
    const [, timed] = timeDrives(joined(one, road(one.at(-1)!, other[0]!), other), { line: line! })
    const { circuit } = timed!.timed
    expect(distanceM(line!, circuit!.track.plane.toPosition(circuit!.gate.point))).toBeLessThan(30)
  })
})

test('a file whose positions are too far apart is refused with their interval', () => {
  const { fixes } = driveRace({ outline: loop(1600), laps: paces(40), hz: 1 })
  const rows = fixes
    .filter((_, index) => index % 10 === 0)
    .map(({ atMs, latitude, longitude }) => [atMs / 1000, latitude, longitude].join(','))
  const text = ['time_s,latitude_deg,longitude_deg', ...rows].join('\n')
  expect(() => readRecording(text)).toThrow('The positions are 10 s apart')
})

test('nothing is learned from laps that are too short in time or length', () => {
  expect(learnCircuit(circle(35, { mps: 55, hz: 10, count: 1000 }))).toBeNull()
  expect(learnCircuit(circle(15, { mps: 10, hz: 10, count: 1000 }))).toBeNull()
  expect(learnCircuit(circle(35, { mps: 12, hz: 2, count: 1000 }))?.lengthM).toBeGreaterThan(200)
})

test('nothing is learned from laps around the earth, in bounded time', () => {
  const fixes = Array.from({ length: 3000 }, (_, index): RacingFix => {
    const longitude = ((index * 1.7) % 360) - 180
    return {
      latitude: Math.sin(index / 40),
      longitude,
      atMs: index * 1000,
      speedMps: index % 3 === 0 ? null : 90,
      headingDeg: null,
      accuracyM: null,
    }
  })
  expect(learnCircuit(fixes)).toBeNull()
})

test('learning does not throw for any positions and times', () => {
  const random = seeded(7)
  for (let drive = 0; drive < 60; drive++) {
    const reachDeg = 10 ** (random() * 6 - 5)
    const everyMs = 10 ** (random() * 12 - 2)
    const count = Math.floor(10 ** (random() * 3))
    let atMs = 0
    const fixes = Array.from({ length: count }, (): RacingFix => {
      atMs += everyMs * random()
      return {
        latitude: Math.max(-90, Math.min(90, 90 - reachDeg * random() * (drive % 2 ? 1 : 2))),
        longitude: Math.max(-180, Math.min(180, 180 - reachDeg * random())),
        atMs,
        speedMps: random() < 0.3 ? null : random() * 100,
        headingDeg: random() < 0.5 ? null : random() * 360,
        accuracyM: random() < 0.5 ? null : random() * 1000,
      }
    })
    expect(() => timeRecording(fixes, {})).not.toThrow()
  }
})
