import { expect, test } from 'vitest'
import { seeded } from '#testing/drives.ts'
import type { Standing } from './run.ts'
import { replayedFeed } from './timingFeed.ts'

/** Three cars of two classes, before their first lap. */
const grid = [
  '$C,1,"GT3"',
  '$C,2,"GT4"',
  '$A,"17","17",101,"","","",1',
  '$A,"44","44",102,"","","",2',
  '$A,"9","9",103,"","","",1',
  '$COMP,"44","44",2,"","","","Team, with a comma"',
]

const flag = (at: string, word: string) =>
  `$F,9999,"01:00:00","${at}","00:00:00","${word.padEnd(6)}"`

function sessionsOf(...lines: string[]) {
  return replayedFeed(lines.join('\r\n')).sessions()
}

function orderOf(standings: readonly Standing[] = []) {
  return standings.map(({ number, laps, classPosition }) => [number, laps, classPosition])
}

test('a name belongs to the car of its number, unless two cars have it', () => {
  const feed = replayedFeed(
    [
      ...grid,
      '$B,5,"Race 1"',
      '$A,"17","17",101,"Ana","Winter","",1',
      '$COMP,"44","44",2,"","Team, with a comma","",""',
      '$A,"9","9",103,"Leo","Baum","",1',
      '$G,1,"17",1,"00:01:52.400"',
      '$G,2,"44",1,"00:01:53.400"',
      '$A,"17","17",101,"","","",1',
    ].join('\n'),
  )
  const names = [
    ['17', 'Ana Winter'],
    ['44', 'Team, with a comma'],
  ]
  expect([...feed.names()]).toEqual(names)
  // Another car of this number, and a renumbered one.
  feed.addLine('$A,"18","17",105,"Ida","Berg","",1')
  feed.addLine('$G,3,"18",1,"00:01:59.400"')
  feed.addLine('$A,"44","45",102,"","","",2')
  expect([...feed.names()]).toEqual([])
  expect(JSON.stringify(feed.sessions())).not.toMatch(/Winter|Berg/)
})

test('a run has its flags with their times, and the order in race and class', () => {
  const [run, ...more] = sessionsOf(
    ...grid,
    '$B,5,"Race 1"',
    flag('14:00:00', ''),
    flag('14:00:05', 'Green'),
    flag('14:00:06', 'Green'),
    '$J,"17","00:01:52.400","00:03:45.100"',
    '$G,1,"17",2,"00:03:45.100"',
    '$G,2,"44",2,"00:03:46.000"',
    '$G,3,"9",1,"25:01:00.500"',
    '$H,1,"17",2,"00:01:52.400"',
    flag('14:04:00', 'Yellow'),
    flag('15:00:00', 'Finish'),
    flag('15:00:20', ''),
  )
  expect(more).toEqual([])
  expect(run?.name).toBe('Race 1')
  expect(run?.flags).toEqual([
    { at: '14:00:05', flag: 'Green' },
    { at: '14:04:00', flag: 'Yellow' },
    { at: '15:00:00', flag: 'Finish' },
    { at: '15:00:20', flag: null },
  ])
  expect(run?.standings).toEqual([
    {
      position: 1,
      number: '17',
      className: 'GT3',
      classPosition: 1,
      laps: 2,
      totalMs: 225_100,
      bestMs: 112_400,
    },
    {
      position: 2,
      number: '44',
      className: 'GT4',
      classPosition: 1,
      laps: 2,
      totalMs: 226_000,
      bestMs: null,
    },
    {
      position: 3,
      number: '9',
      className: 'GT3',
      classPosition: 2,
      laps: 1,
      totalMs: (25 * 60 + 1) * 60_000 + 500,
      bestMs: null,
    },
  ])
})

test('the newest flag is known however often it changes', () => {
  const changes = Array.from({ length: 12_001 }, (_, n) =>
    flag('14:00:00', n % 2 === 0 ? 'Green' : 'Yellow'),
  )
  const feed = replayedFeed(['$B,5,"Race 1"', ...changes].join('\n'))
  expect(feed.current()?.flag?.flag).toBe('Green')
  feed.addLine(flag('14:00:01', 'Red'))
  expect(feed.current()?.flag).toEqual({ at: '14:00:01', flag: 'Red' })
  feed.addLine(flag('14:00:02', 'Green'))
  expect(feed.current()?.flag).toEqual({ at: '14:00:02', flag: 'Green' })
})

test('what the feed does not know is null', () => {
  const [run] = sessionsOf(
    '$B,5,"Race 1"',
    '$G,1,"17",,"00:59:59.999"',
    '$G,2,"44",-3,"00:00:-47"',
    flag('9:59:59', 'Purple60'),
  )
  const none = { className: null, classPosition: null, bestMs: null, number: null, totalMs: null }
  expect(run?.standings).toEqual([
    { position: 1, laps: null, ...none },
    { position: 2, laps: -3, ...none },
  ])
  expect(run?.flags).toEqual([{ at: '9:59:59', flag: 'Purple60' }])
})

test('lines that were cut off, and frames of other protocols, are skipped and counted', () => {
  const feed = replayedFeed(
    [
      '\uFEFF##2026-06-20 14:00:00.100',
      ...grid,
      '$B,5,"Race 1"',
      '$F,9999,"00:00:00","11:46:21",$G,1,"17",3,"00:05:00.000"',
      '$A,"50","50",1,"Jo$G,2,"44",3,"00:05:01.000"',
      '\u00a6H\u00a6N\u00a61F',
      'Change of sides\r',
      '$G,3,"9",2',
      '$RMHL,"17","3","1","00:01:00.0","Green ","00:05:00.000"',
      '',
    ].join('\r\r\n'),
  )
  const [run] = feed.sessions()
  expect(orderOf(run?.standings)).toEqual([
    ['17', 3, 1],
    ['44', 3, 1],
  ])
  expect(feed.skippedLines).toBe(5)
})

test('a run goes on where the feed sends all again, and ends with another one or 95', () => {
  const again = ['$I, "00:00:00", "0/0/0000"', ...grid, '$B,5,"Race 1"']
  const sessions = sessionsOf(
    '$G,1,"17",,"00:00:00.000"',
    '$B,95,"Race 1"',
    flag('14:00:05', 'Green'),
    ...again,
    '$G,1,"17",7,"00:10:00.000"',
    ...again,
    '$G,2,"44",6,"00:10:01.000"',
    '$I, "00:00:00", "0/0/0000"',
    '$A,"17","71",101,"","","",2',
    '$B,6,"Race 2"',
    '$G,1,"17",1,"00:02:00.000"',
    '$B,95,"Race 2"',
    '$A,"17","3",101,"","","",2',
    '$G,1,"17",,"00:59:59.999"',
  )
  expect(sessions.map(({ name, standings }) => [name, orderOf(standings)])).toEqual([
    [
      'Race 1',
      [
        ['17', 7, 1],
        ['44', 6, 1],
      ],
    ],
    ['Race 2', [['71', 1, 1]]],
  ])
  expect(sessions[0]?.flags).toEqual([{ at: '14:00:05', flag: 'Green' }])
})

test('the laps of a car come from its positions, a repeated passing is none', () => {
  const lines = [
    ...grid,
    '$B,5,"Race 1"',
    flag('14:02:00', 'Green'),
    '$J,"17","00:00:00.000","00:00:02.000"',
    '$G,5,"17",,"00:00:02.000"',
    '$J,"17","00:01:52.400","00:01:54.400"',
    '$G,3,"17",1,"00:01:54.400"',
    '$J,"17","00:01:52.400","00:01:54.400"',
    '$G,2,"17",1,"00:01:54.400"',
    flag('14:06:00', 'Yellow'),
    '$G,2,"17",3,"00:05:40.000"',
  ]
  const [run] = replayedFeed(lines.join('\n'), '17').sessions()
  expect(run?.laps).toEqual([
    { at: '14:02:00', lap: 1, position: 3, lapMs: 112_400, flag: 'Green' },
    { at: '14:06:00', lap: 3, position: 2, lapMs: null, flag: 'Yellow' },
  ])
})

test('after a lost connection at any place the order is the same', () => {
  const random = seeded(5)
  const cars = Array.from({ length: 12 }, (_, index) => `${index + 2}`)
  const laps = new Map(cars.map(car => [car, 0]))
  const rowsOf = () =>
    [...laps]
      .sort(([, a], [, b]) => b - a)
      .map(([car, done], index) => `$G,${index + 1},"${car}",${done},"00:0${done % 10}:00.000"`)
  const named = ['$B,7,"Race"', ...cars.map(car => `$A,"${car}","${car}",1,"","","",1`)]
  const blocks = Array.from({ length: 60 }, () => {
    const car = cars[Math.floor(random() * cars.length)] ?? ''
    laps.set(car, (laps.get(car) ?? 0) + 1)
    return { lines: rowsOf(), all: ['$I,"00:00:00","0/0/0000"', ...named, ...rowsOf()] }
  })
  const whole = sessionsOf(...named, ...blocks.flatMap(({ lines }) => lines))
  for (const [from, { all }] of blocks.entries()) {
    const missed = Math.floor(random() * 6)
    const before = blocks.slice(0, from - missed).flatMap(({ lines }) => lines)
    const after = blocks.slice(from + 1).flatMap(({ lines }) => lines)
    expect(sessionsOf(...named, ...before, ...all, ...after)).toEqual(whole)
  }
})

test('a best lap may come before its car, and a flag line may have more fields', () => {
  const [run] = sessionsOf(
    '$B,5,"Race 1"',
    '$H,1,"17",2,"00:01:52.400"',
    ...grid,
    '$G,1,"17",2,"00:03:45.100"',
    `${flag('14:00:05', 'Green')},""`,
  )
  expect(run).toMatchObject({ flags: [{ flag: 'Green' }], standings: [{ bestMs: 112_400 }] })
})

test('lines with mixed ends, or without one, are read, and times in other forms', () => {
  const lines = [
    '$A,"1","17B",101,"","","",1',
    '$B,5,"Race 1"',
    '$F,9999,"01:00:00","02:00:00.120 PM","","GREEN"',
    '$G,1,"1",3,"5:44.2004"',
    '$F,9999,"12:45","02:00:01 PM",""," Green"',
  ]
  const text = `${lines.slice(0, 2).join('\r')}\r\n${lines[2]}${lines[3]}\n${lines[4]}`
  const feed = replayedFeed(text)
  expect(feed.skippedLines).toBe(0)
  expect(feed.timeToGoMs).toBeNull()
  const [run] = feed.sessions()
  expect(run?.flags).toEqual([
    { at: '02:00:00.120 PM', flag: 'GREEN' },
    { at: '02:00:01 PM', flag: 'Green' },
  ])
  expect(run?.standings).toMatchObject([{ number: '17B', laps: 3, totalMs: 344_200 }])
})
