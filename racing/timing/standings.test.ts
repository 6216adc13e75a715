import { expect, test } from 'vitest'
import { gapBehind, standingsOf } from './standings.ts'
import { replayedFeed } from './timingFeed.ts'

const start = `
$B,5,"Race 1"
$C,1,"GT"
$C,2,"TC"
$A,"1","17",1,"","","",1
$A,"2","44",2,"","","",2
$A,"3","382",3,"","","",1
`

/** A crossing as the feed sends it: `position`, `lap` and the time since the start. */
function crossing(id: string, position: number, lap: number, total: string) {
  return `$G,${position},"${id}",${lap},"00:${total}"\n`
}

const race = [
  crossing('1', 1, 1, '02:00.000'),
  crossing('2', 2, 1, '02:04.500'),
  crossing('3', 3, 1, '02:10.000'),
  crossing('1', 1, 2, '03:50.000'),
  crossing('2', 2, 2, '04:00.250'),
  crossing('1', 1, 3, '05:41.000'),
  // It has lost more than a lap.
  crossing('3', 3, 2, '05:50.000'),
]

function cars(lines: readonly string[]) {
  const run = replayedFeed(start + lines.join('')).current()
  if (!run) throw new Error('the feed shows a run')
  return standingsOf(run.cars)
}

test('gaps come from times at the line, also across laps down', () => {
  expect(cars(race)).toEqual([
    {
      position: 1,
      number: '17',
      className: 'GT',
      classPosition: 1,
      laps: 3,
      totalMs: 341_000,
      bestMs: null,
      lastMs: 111_000,
      toLeader: null,
      toAhead: null,
      toAheadInClass: null,
      usualMs: null,
      stops: { count: 0, green: null, yellow: null },
    },
    expect.objectContaining({
      number: '44',
      classPosition: 1,
      lastMs: 115_750,
      toLeader: { laps: 0, ms: 10_250 },
      toAhead: { laps: 0, ms: 10_250 },
      toAheadInClass: null,
    }),
    expect.objectContaining({
      number: '382',
      classPosition: 2,
      toLeader: { laps: 1, ms: 9000 },
      toAhead: { laps: 0, ms: 109_750 },
      toAheadInClass: { laps: 1, ms: 9000 },
    }),
  ])
})

test('a gap to a car that has just completed one lap more stays a time', () => {
  const [, second] = cars([...race.slice(0, 3), crossing('1', 1, 2, '03:50.000')])
  expect(second).toMatchObject({ laps: 1, toLeader: { laps: 0, ms: 4500 } })
})

test('a gap is not known for a car that was first, or without known laps', () => {
  const early = [crossing('1', 2, 1, '02:00.000'), crossing('2', 1, 1, '02:04.500')]
  expect(cars(early).map(({ toAhead }) => toAhead)).toEqual([null, null])
  expect(gapBehind([], [{ lap: 1, totalMs: 1 }])).toBeNull()
  const kept = [{ lap: 60, totalMs: 6_000_000 }]
  expect(gapBehind([{ lap: 2, totalMs: 200_000 }], kept)).toBeNull()
})

test('a repeated line adds no crossing, and a corrected number of laps counts', () => {
  const again = [...race, crossing('2', 2, 2, '04:00.250'), crossing('1', 1, 2, '03:50.000')]
  const [leader, second] = cars(again)
  expect(leader).toMatchObject({ laps: 2, lastMs: 110_000 })
  expect(second).toMatchObject({ lastMs: 115_750, toLeader: { laps: 0, ms: 10_250 } })
})

test('the clock of the feed is the one of its newest flag line', () => {
  const run = replayedFeed(`${start}${race.join('')}
$F,9999,"05:30:00","14:00:00","00:30:00","Green "
$F,9999,"05:29:58","14:00:02","00:30:02","Green "
$F,9999,"05:29:57","14:00:03","00:30:03","Yellow"
`).current()
  expect(run).toMatchObject({
    name: 'Race 1',
    flag: { at: '14:00:03', flag: 'Yellow' },
    timeToGoMs: 19_797_000,
    lapsToGo: null,
  })
})
