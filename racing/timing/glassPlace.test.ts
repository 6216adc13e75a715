import { describe, expect, test } from 'vitest'
import { minuteMs } from '#contract/shared/durations.ts'
import type { GlassPart } from '#contract/shared/glassParts.ts'
import type { EnteredValues } from './byHand.ts'
import { enteredOnGlass, glassPlace } from './glassPlace.ts'
import { replayedFeed } from './timingFeed.ts'

const classes = ['$B,5,"Race 1"', '$C,1,"GT3"', '$C,2,"GT4"']
const car = (id: string, number: string, classId: number) =>
  `$A,"${id}","${number}",${id},"","","",${classId}`
const passed = (position: number, id: string, lap: number, total: string) =>
  `$G,${position},"${id}",${lap},"00:${total}"`
const best = (id: string, time: string) => `$H,1,"${id}",1,"00:${time}"`

function carsOf(...lines: string[]) {
  return (
    replayedFeed(
      [...classes, car('1', '17', 2), car('2', '8', 1), car('3', '9', 1), ...lines].join('\n'),
    ).current()?.cars ?? []
  )
}

const race = [
  best('1', '02:00.000'),
  best('2', '01:50.000'),
  passed(1, '2', 1, '01:50.000'),
  passed(2, '3', 1, '01:52.500'),
  passed(3, '1', 1, '02:00.000'),
]

test('only the chosen parts of the place are given', () => {
  const cars = carsOf(...race)
  expect(glassPlace(cars, '17', ['place'])).toEqual({
    place: { position: 3, className: 'GT4', classPosition: 1 },
  })
  expect(glassPlace(cars, '9', ['ahead', 'behind'])).toEqual({
    ahead: { number: '8', gap: { laps: 0, ms: 2500 } },
    behind: { number: '17', gap: { laps: 0, ms: 7500 } },
  })
  expect(glassPlace(cars, '8', ['flag', 'ahead'])).toEqual({ ahead: null })
  expect(glassPlace(cars, '44', ['place'])).toBeNull()
  expect(glassPlace(cars, null, ['place'])).toBeNull()
})

test('the next car of a faster class follows on the track, whatever its place', () => {
  // A lap ahead, 8.5 s behind at the line, where the other one crosses 12 s behind.
  const later = [
    ...race,
    passed(1, '2', 2, '03:40.000'),
    passed(3, '1', 2, '04:00.000'),
    passed(2, '3', 3, '04:08.500'),
    passed(1, '2', 4, '04:12.000'),
  ]
  const faster = (number: string, lines: string[]) =>
    glassPlace(carsOf(...lines), number, ['faster'])?.faster
  expect(faster('17', later)).toEqual({ number: '9', gap: { laps: 0, ms: 8500 } })
  expect(faster('8', later)).toBeNull()
  // Without a best lap no class is known to be faster.
  expect(
    faster(
      '17',
      later.filter(line => !line.includes('$H,1,"1"')),
    ),
  ).toBeNull()
  // A car that has stopped does not follow.
  const stopped = [...later, passed(3, '1', 3, '06:00.000'), passed(3, '1', 4, '08:00.000')]
  expect(faster('17', stopped)).toBeNull()
})

describe('a place by hand', () => {
  const gap = { laps: 0, ms: 1200 }
  const ahead = { number: null, gap }
  const place = { position: 5, className: null, classPosition: null }
  /** The place on the glass after 20 minutes. */
  function shownOf(...entries: readonly (Partial<EnteredValues> & { minute: number })[]) {
    const entered = entries.map(({ minute, ...values }) => {
      return { id: `e${minute}`, by: 'Sam', number: '17', at: minute * minuteMs, ...values }
    })
    const parts: GlassPart[] = ['place', 'ahead']
    const feed = { receivedAt: null, isCurrent: false }
    return enteredOnGlass([], entered, { number: '17', parts, feed, nowMs: 20 * minuteMs })
  }

  test('stays while its gap is entered again', () => {
    expect(shownOf({ minute: 9, position: 5 }, { minute: 19, gap })).toEqual({
      enteredAt: 19 * minuteMs,
      place,
      ahead,
    })
  })

  test('does not get old with laps that were entered before', () => {
    const recent = { minute: 18, position: 5, gap }
    const shown = { enteredAt: 18 * minuteMs, place, ahead }
    expect(shownOf({ minute: 9, laps: 70 }, recent)).toEqual(shown)
    expect(shownOf(recent, { minute: 19, laps: 75 })).toEqual(shown)
  })

  test('loses a gap that is too old, and ends itself', () => {
    expect(shownOf({ minute: 9, position: 5, gap }, { minute: 18, position: 5 })).toEqual({
      enteredAt: 18 * minuteMs,
      place,
    })
    expect(shownOf({ minute: 9, position: 5, gap })).toBeNull()
    expect(shownOf({ minute: 9, position: 5 }, { minute: 19, laps: 75 })).toBeNull()
  })
})
