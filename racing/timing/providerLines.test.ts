import { expect, test } from 'vitest'
import {
  linesOfLeaderboard,
  linesOfPassings,
  linesOfRaceMonitor,
  liveRunOf,
} from './providerLines.ts'
import { standingsOf } from './standings.ts'
import { replayedFeed } from './timingFeed.ts'

function runOf(lines: readonly string[]) {
  const feed = replayedFeed(lines.join('\n'))
  expect(feed.skippedLines).toBe(0)
  const run = feed.current()
  return run && { ...run, cars: standingsOf(run.cars) }
}

/** An answer of `Live/GetSession`, in the form of Race Monitor's documentation. */
const session = {
  Successful: true,
  Session: {
    RunNumber: '5',
    SessionName: 'Race 1',
    TrackName: 'Zolder',
    TrackLength: '4.011',
    CurrentTime: '14:03:00',
    SessionTime: '00:03:00',
    TimeToGo: '00:57:00',
    LapsToGo: '9999',
    FlagStatus: 'Yellow',
    SortMode: 'race',
    Classes: { 1: { ClassID: '1', Description: 'GT' } },
    Competitors: {
      a: {
        RacerID: 'a',
        Number: '17',
        Transponder: '1',
        FirstName: 'Ana',
        LastName: 'Winter',
        ClassID: '1',
        Position: '2',
        Laps: '1',
        TotalTime: '00:02:03.250',
        BestPosition: '2',
        BestLap: '1',
        BestLapTime: '00:02:03.250',
        LastLapTime: '00:02:03.250',
      },
      // The same number, registered twice.
      b: { RacerID: 'b', Number: '17', ClassID: '1', Position: '', Laps: '', TotalTime: '' },
      c: { RacerID: 'c', Number: '382', Position: '1', Laps: '1', TotalTime: '00:02:00.000' },
    },
  },
}

test('a session of Race Monitor has the same state as its lines', () => {
  expect(runOf(linesOfRaceMonitor(session))).toMatchObject({
    name: 'Race 1',
    flag: { at: '14:03:00', flag: 'Yellow' },
    timeToGoMs: 3_420_000,
    lapsToGo: null,
    cars: [
      { position: 1, number: '382', className: null },
      {
        position: 2,
        number: '17',
        className: 'GT',
        bestMs: 123_250,
        toAhead: { laps: 0, ms: 3250 },
      },
    ],
  })
})

/** Answers of RaceHero, in the form of its `swagger.yaml`. */
const leaderboard = {
  name: 'Sunday Final Race',
  current_lap: 5,
  started_at: '2026-06-20 14:00:00',
  current_flag: 'Green',
  laps_remaining: 0,
  time_remaining: '3420',
  current_time: '1290143.6407792815',
  racers: [
    { name: 'Ana Winter', number: '17', racer_id: 'ff96923e', class: 'GP', transponders: ['1'] },
    { name: 'Leo Sommer', number: '44', racer_id: 'aa', class: 'GP' },
  ],
}
const passing = (racer: string, lap: number, place: number, totalS: number, timestamp: number) => ({
  racer_id: racer,
  number: racer === 'aa' ? '44' : '17',
  class: 'GP',
  current_lap: lap,
  position_in_run: place,
  total_time_in_run: totalS,
  best_lap_time: 118.5,
  timestamp,
})
const passings = [
  passing('aa', 2, 2, 242.5, 1242.5),
  passing('ff96923e', 1, 2, 121.004, 1121),
  passing('aa', 1, 1, 120, 1120),
  passing('ff96923e', 2, 1, 240.25, 1240.25),
]

test('the leaderboard and the passings of RaceHero give flag, clock, order and gaps', () => {
  const { lines } = linesOfPassings(passings, new Map())
  expect(runOf([...linesOfLeaderboard(leaderboard), ...lines])).toMatchObject({
    name: 'Sunday Final Race',
    flag: { flag: 'Green' },
    timeToGoMs: 3_420_000,
    lapsToGo: null,
    cars: [
      { position: 1, number: '17', className: 'GP', laps: 2, lastMs: 119_246, bestMs: 118_500 },
      { position: 2, number: '44', classPosition: 2, toAhead: { laps: 0, ms: 2250 } },
    ],
  })
})

test('passings that were read before are not repeated', () => {
  const first = linesOfPassings(passings.slice(1, 3), new Map())
  const second = linesOfPassings({ data: passings }, first.newest)
  expect(second.lines.filter(line => line.startsWith('$G'))).toEqual([
    '$G,1,"ff96923e",2,"00:04:00.250"',
    '$G,2,"aa",2,"00:04:02.500"',
  ])
  expect(linesOfPassings(passings, second.newest).lines).toEqual([])
})

test('the run on the track has begun and not ended', () => {
  const runs = [
    { id: '1', started_at: '2026-06-20 10:00:00', ended_at: '2026-06-20 11:00:00' },
    { id: '2', started_at: '2026-06-20 13:00:00' },
    { id: 8000, started_at: '2026-06-20 14:00:00', ended_at: null },
    { id: '4' },
  ]
  expect(liveRunOf(runs)).toBe('8000')
  expect(liveRunOf([runs[0], runs[3]])).toBeNull()
  expect(liveRunOf([{ id: '../x', started_at: '2026' }])).toBeNull()
})

test.each([
  null,
  5,
  'x',
  [],
  {},
  { Session: [] },
  { Session: { Competitors: 5 } },
  { racers: [1] },
])('an answer of another form has no cars: %j', answer => {
  const lines = [...linesOfRaceMonitor(answer), ...linesOfLeaderboard(answer)]
  expect(replayedFeed(lines.join('\n')).current()?.cars ?? []).toEqual([])
  expect(linesOfPassings(answer, new Map()).lines).toEqual([])
  expect(liveRunOf(answer)).toBeNull()
})
