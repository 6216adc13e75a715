import { parseJsonSafely } from '#contract/parse.ts'
import { maxLineLetters } from '#contract/shared/timingRules.ts'
import { TimingBatch } from '#contract/timing.ts'
import {
  linesOfLeaderboard,
  linesOfPassings,
  linesOfRaceMonitor,
  liveRunOf,
} from '#racing/timing/providerLines.ts'
import { recordedBlocks } from '#racing/timing/recordedFeed.ts'
import { TimingFeed } from '#racing/timing/timingFeed.ts'
import { linesOfUpdate } from '#racing/timing/updateLines.ts'
import { ReceivedLines } from '#server/timing/receivedLines.ts'
import { mutated, pick, type Random } from './mutations.ts'

/** A kind of input by which official timing arrives. */
export interface TimingKind {
  readonly name: string
  /** Returns an input: a valid one that was changed. */
  input(random: Random): string
  /** Reads the input into a feed. Returns null if it is refused as a whole. Throws if a rule is violated. */
  read(input: string, random: Random): TimingFeed | null
}

const cars = ['7', '17', '44', 'NE4']

/** A feed with each kind of line. */
const feed = [
  '##2026-06-20 14:00:00.100',
  '$I, "00:00:00", "0/0/0000"',
  ...cars.map(car => `$A,"${car}","${car}",10${car.length},"A","B","",1`),
  '$COMP,"17","17",2,"A, B","","",""',
  '$C,1,"GT3"',
  '$E,"TRACKLENGTH","4.011"',
  '$B,5,"Race 1"',
  '$F,9999,"01:00:00","14:00:00","00:00:-47","      "',
  '##2026-06-20 14:01:00.100',
  '$F,9999,"00:59:00","14:01:00","00:01:00","Green "',
  ...cars.flatMap((car, index) => [
    `$J,"${car}","00:01:5${index}.400","00:01:5${index}.400"`,
    `$G,${index + 1},"${car}",1,"00:01:5${index}.400"`,
    `$H,${index + 1},"${car}",1,"00:01:5${index}.400"`,
  ]),
  '$L,"21","T1","SFT","01/27/2009","10:03:11.603"',
  '$F,0,"00:00:00","15:00:00","01:00:00","Finish"',
  '$B,95,"Race 1"',
].join('\r\n')

const batch = {
  number: 7,
  update: {
    run: 'Race 1',
    race: { flag: 'Green', timeToGoMs: 3_600_000, lapsToGo: 20, timeOfDay: '14:00:00' },
    cars: cars.map((number, index) => {
      return { number, class: 'GT3', name: 'A', position: index + 1, laps: 3, totalMs: 365_250 }
    }),
  },
  lines: ['$B,5,"Race 1"', '$G,1,"17",3,"00:06:05.250"'],
}

const session = {
  Successful: true,
  Session: {
    RunNumber: '5',
    SessionName: 'Race 1',
    CurrentTime: '14:00:00',
    SessionTime: '00:04:00',
    TimeToGo: '01:00:00',
    LapsToGo: '9999',
    FlagStatus: 'Green',
    Classes: { 1: { ClassID: '1', Description: 'GT3' } },
    Competitors: Object.fromEntries(
      cars.map((number, index) => [
        number,
        {
          RacerID: number,
          Number: number,
          ClassID: '1',
          FirstName: 'A',
          LastName: 'B',
          Position: `${index + 1}`,
          Laps: '3',
          TotalTime: '00:06:05.250',
          BestPosition: '1',
          BestLap: '2',
          BestLapTime: '00:01:52.400',
        },
      ]),
    ),
  },
}

const racehero = {
  board: {
    name: 'Race 1',
    current_flag: 'Green',
    laps_remaining: 12,
    time_remaining: '3600.5',
    racers: cars.map(number => ({ racer_id: `r${number}`, number, class: 'GT3', name: 'A' })),
  },
  runs: [{ id: '8000', started_at: '2026-06-20 14:00:00', ended_at: null }],
  passings: cars.map((number, index) => ({
    racer_id: `r${number}`,
    number,
    class: 'GT3',
    current_lap: 3,
    position_in_run: index + 1,
    total_time_in_run: 365.25 + index,
    best_lap_time: 112.4,
    timestamp: 1000 + index,
  })),
}

const oddJson: readonly unknown[] = [
  null,
  true,
  -1,
  0.5,
  1e308,
  Number.MAX_SAFE_INTEGER,
  '',
  '9'.repeat(500),
  '"$B,95,"',
  '\0\r\n$F,',
  '\ud800',
  'x'.repeat(5000),
  [],
  {},
  [[[]]],
  { length: { toString: 1 } },
  '__proto__',
]

/** Replaces a value of JSON by an odd one, or changes its text. */
function mutatedJson(value: unknown, random: Random): string {
  if (random() < 0.3) return mutated(JSON.stringify(value), random)
  const changed = structuredClone(value)
  for (let times = Math.ceil(random() * 3); times > 0; times--) {
    let inner = changed as Record<string, unknown>
    for (;;) {
      const key = pick(Object.keys(inner), random)
      const next = inner[key]
      if (
        typeof next === 'object' &&
        next !== null &&
        Object.keys(next).length > 0 &&
        random() < 0.9
      )
        inner = next as Record<string, unknown>
      else {
        inner[key] = structuredClone(pick(oddJson, random))
        break
      }
    }
  }
  return JSON.stringify(changed)
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function read(lines: readonly string[]): TimingFeed {
  const state = new TimingFeed(cars[1])
  for (const line of lines) {
    if (line.length > maxLineLetters) throw new Error(`a line of ${line.length} letters`)
    state.addLine(line)
  }
  return state
}

/** Every line that is written of JSON can be read. */
function readWritten(lines: readonly string[]): TimingFeed {
  const state = read(lines)
  if (state.skippedLines > 0) throw new Error('a written line is not readable')
  return state
}

export const timingKinds: readonly TimingKind[] = [
  {
    name: 'RMonitor',
    input: random => mutated(feed.repeat(1 + Math.floor(random() * 3)), random),
    read(input, random) {
      const received = new ReceivedLines()
      const bytes = Buffer.from(input, random() < 0.2 ? 'latin1' : 'utf8')
      const lines: string[] = []
      for (let from = 0; from < bytes.length; ) {
        const to = from + 1 + Math.floor(random() ** 3 * 2000)
        received.add(bytes.subarray(from, to))
        from = to
        if (random() < 0.1) lines.push(...received.take())
      }
      received.add(Buffer.from('\n'))
      for (let batch = received.take(); batch.length > 0; batch = received.take())
        for (const line of batch) lines.push(line)
      return read(lines)
    },
  },
  {
    name: 'batches by HTTPS and WebSocket',
    input: random => mutatedJson(batch, random),
    read(input) {
      const { data } = parseJsonSafely(TimingBatch, input)
      if (!data) return null
      if (data.update) readWritten(linesOfUpdate(data.update))
      return read([...(data.lines ?? []), ...linesOfUpdate(data.update ?? {})])
    },
  },
  {
    name: 'Race Monitor',
    input: random => mutatedJson(session, random),
    read: input => read(linesOfRaceMonitor(jsonIn(input))),
  },
  {
    name: 'RaceHero',
    input: random => mutatedJson(racehero, random),
    read(input) {
      const { board, runs, passings } = (jsonIn(input) ?? {}) as Partial<typeof racehero>
      liveRunOf(runs)
      const first = linesOfPassings(passings, new Map())
      const again = linesOfPassings(passings, first.newest)
      if (again.lines.length > 0) throw new Error('passings are repeated')
      return readWritten([...linesOfLeaderboard(board), ...first.lines])
    },
  },
  {
    name: 'recorded file',
    input: random => mutated(feed, random),
    read(input) {
      const blocks = recordedBlocks(input)
      let before = 0
      for (const { atMs } of blocks) {
        if (!Number.isSafeInteger(atMs) || atMs < before) throw new Error(`time ${atMs}`)
        before = atMs
      }
      return read(blocks.flatMap(({ lines }) => lines.map(line => line.slice(0, maxLineLetters))))
    },
  },
]
