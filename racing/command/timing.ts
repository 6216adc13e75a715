// npm run timing: replays a recorded feed of official timing.

import { readFileSync, statSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { hourMs } from '#contract/shared/durations.ts'
import { textIn } from '#racing/formats/textIn.ts'
import type { OfficialLap, Standing } from '#racing/timing/run.ts'
import { replayedFeed } from '#racing/timing/timingFeed.ts'

const usage = `npm run timing -- FILE [options]

Replays a recorded feed of official timing: RMonitor lines as they were received. A line
"##date time" is the time of receipt of the ones below it. Prints the sessions, their
flags, and their last standings. Other lines are skipped and counted.

  --car NUMBER  prints the laps of this car too
  --json        prints JSON`

const maxFileBytes = 500_000_000

process.exitCode = main(process.argv.slice(2))

/** Returns the exit code: 1 for an unreadable file, 2 for a wrong command line. */
function main(words: string[]): number {
  try {
    const { values, positionals } = parseArgs({
      args: words,
      allowPositionals: true,
      options: {
        car: { type: 'string' },
        json: { type: 'boolean', default: false },
        help: { type: 'boolean', default: false },
      },
    })
    if (values.help) {
      console.log(usage)
      return 0
    }
    const [file, ...more] = positionals
    if (file === undefined || more.length > 0) throw new Error('Name one file.')
    const text = textOf(file)
    if (text === null) return 1
    const { car = null, json } = values
    const feed = replayedFeed(text, car)
    const { skippedLines } = feed
    const sessions = feed.sessions()
    if (sessions.length === 0 && skippedLines > 0) {
      console.error(`${file} has no line of RMonitor, such as $F,14,"00:12:45","13:34:23",…`)
      return 1
    }
    console.log(
      json
        ? JSON.stringify(
            { sessions: sessions.map(each => jsonOf(each, car)), skippedLines },
            null,
            2,
          )
        : [...sessions.flatMap(each => report(each, car)), skippedNote(skippedLines)].join('\n'),
    )
    return 0
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`)
    return 2
  }
}

function textOf(file: string): string | null {
  try {
    if (statSync(file).size <= maxFileBytes) return textIn(readFileSync(file))
    console.error(`${file} is too large: use a file of at most ${maxFileBytes / 1e6} MB.`)
  } catch (error) {
    console.error(`${file} cannot be read: ${(error as Error).message}.`)
  }
  return null
}

type Session = ReturnType<ReturnType<typeof replayedFeed>['sessions']>[number]

function jsonOf({ name, flags, standings, laps }: Session, car: string | null) {
  return {
    name,
    flags,
    standings: standings.map(({ position, number, classPosition, laps: done, totalMs }) => {
      return { position, number, classPosition, laps: done, totalMs }
    }),
    ...(car !== null && { car: { number: car, laps } }),
  }
}

function report({ name, flags, standings, laps }: Session, car: string | null): string[] {
  return [
    name ?? 'A session without a name',
    ...flags.map(({ at, flag }) => `  ${at ?? '--'}  ${flag ?? 'no flag shown'}`),
    '',
    ...standings.map(standingLine),
    '',
    ...(car === null ? [] : carLines(car, laps)),
  ]
}

function standingLine({ position, number, className, classPosition, laps, totalMs }: Standing) {
  const inClass = classPosition === null ? '' : `P${classPosition} in ${className ?? 'its class'}`
  return [
    `P${position}`.padStart(5),
    `car ${number ?? '--'}`.padEnd(10),
    (laps === null ? '-- laps' : `${laps} laps`).padStart(9),
    clockTime(totalMs).padStart(13),
    inClass,
  ]
    .join('  ')
    .trimEnd()
}

function carLines(car: string, laps: readonly OfficialLap[]): string[] {
  if (laps.length === 0) return [`Car ${car} completed no lap.`, '']
  const rows = laps.map(({ at, lap, position, lapMs, flag }) =>
    `  ${at ?? '--'}  lap ${String(lap).padStart(4)}  ${clockTime(lapMs).padStart(10)}  P${position ?? '--'}  ${flag ?? ''}`.trimEnd(),
  )
  return [`Car ${car}:`, ...rows, '']
}

function skippedNote(count: number): string {
  return `${count} ${count === 1 ? 'line' : 'lines'} skipped.`
}

/** Formats hours, if there are any, minutes, seconds and thousandths; `--` if the time is not known. */
function clockTime(ms: number | null): string {
  if (ms === null) return '--'
  const hours = Math.floor(ms / hourMs)
  const minutes = Math.floor(ms / 60_000) % 60
  const seconds = ((ms % 60_000) / 1000).toFixed(3).padStart(6, '0')
  return hours > 0
    ? `${hours}:${String(minutes).padStart(2, '0')}:${seconds}`
    : `${minutes}:${seconds}`
}
