import { maxLineLetters } from '#contract/shared/timingRules.ts'

/** Text that the source shows at the start line or the flag stand, such as `Green`. */
export type FlagWord = string

/** A line of RMonitor, the protocol of scoreboards. Values that the feed does not know are null. */
export type RMonitorLine =
  /** Each second. */
  | {
      command: 'flag'
      /** Null in a race over a time. */
      lapsToGo: number | null
      timeToGoMs: number | null
      /** As the feed writes it: `23:20:15`. */
      timeOfDay: string | null
      raceMs: number | null
      /** Null: the feed shows none, which is not the green one. */
      flag: FlagWord | null
    }
  /** A registration: `id` names it in other lines. `name` is that of a driver or an entrant. */
  | {
      command: 'competitor'
      id: string
      number: string
      classId: string | null
      name: string | null
    }
  | { command: 'class'; id: string; name: string }
  /** The run on the track. */
  | { command: 'run'; id: string; name: string }
  | { command: 'track'; what: string; value: string }
  | {
      command: 'position'
      /** Null only in lines that are written of updates. */
      position: number | null
      id: string
      laps: number | null
      totalMs: number | null
    }
  | {
      command: 'best'
      position: number
      id: string
      lap: number | null
      timeMs: number | null
    }
  /** The feed sends everything again. */
  | { command: 'reset' }
  | { command: 'passing'; id: string; lapMs: number | null; totalMs: number | null }
  /** Known, and without anything that is used. */
  | { command: 'other' }

/** This number belongs to no run: it ends the one before. */
export const endedRun = '95'

/** RMonitor sends this number of laps to go in a race over a time. */
export const noLapsToGo = 9999

/** Longer names are cut. */
const maxNameLetters = 100

/** Orbits writes this total for a car without one. */
const noTotalMs = (59 * 60 + 59) * 1000 + 999

/** Commands of IMSA and Race Monitor beside those that are read. */
const otherCommands = new Set([
  '$L',
  '$T',
  '$SP',
  '$SR',
  '$RMS',
  '$RMCA',
  '$RMHL',
  '$RMLT',
  '$RMDTL',
])

/** Reads a line, without its end; null if it is not RMonitor, or cut off. */
export function readRMonitorLine(line: string): RMonitorLine | null {
  if (!line.startsWith('$') || line.length > maxLineLetters) return null
  const fields = fieldsOf(line)
  if (!fields) return null
  const [command = '', ...values] = fields
  const [a = '', b = '', c = '', d = '', e = ''] = values
  switch (command) {
    case '$F':
      return values.length < 5 ? null : flagLine(a, b, c, d, e)
    case '$A':
      return values.length < 7 ? null : competitor(a, b, [d, e], values[6])
    case '$COMP':
      return values.length < 3 ? null : competitor(a, b, [d, e], c)
    case '$C':
      return values.length < 2 || a === '' ? null : { command: 'class', id: a, name: b }
    case '$B':
      return values.length < 2 || a === '' ? null : { command: 'run', id: a, name: b }
    case '$E':
      return values.length < 2 ? null : { command: 'track', what: a, value: b }
    case '$G':
      return values.length < 4 ? null : positionLine(a, b, c, d)
    case '$H':
      return values.length < 4 ? null : bestLine(a, b, c, d)
    case '$J':
      return values.length < 3 ? null : passingLine(a, b, c)
    case '$I':
      return { command: 'reset' }
    default:
      return otherCommands.has(command) ? { command: 'other' } : null
  }
}

/**
 * Returns the lines in a line of the feed. One that was cut off has the next one directly behind it, which is read.
 * Its first part is read if its last quote is complete. Otherwise it counts as skipped, like any line that is not RMonitor.
 */
export function readRMonitor(line: string): { lines: RMonitorLine[]; skipped: number } {
  const whole = readRMonitorLine(line)
  if (whole) return { lines: [whole], skipped: 0 }
  if (line.length > maxLineLetters) return { lines: [], skipped: 1 }
  const inner = line.slice(1).search(begin)
  if (inner === -1) return { lines: [], skipped: 1 }
  const part = line.slice(0, inner + 1).trimEnd()
  const first = part.endsWith('"') ? readRMonitorLine(part) : null
  const { lines, skipped } = readRMonitor(line.slice(inner + 1))
  return first ? { lines: [first, ...lines], skipped } : { lines, skipped: skipped + 1 }
}

/** The start of another line within one that was cut off. */
const begin = /\$[A-Z]{1,5},/

/** Splits a line at its commas outside of quotes; null if a quote does not end, or another line begins within it. */
function fieldsOf(line: string): string[] | null {
  if (begin.test(line.slice(1))) return null
  const fields: string[] = []
  for (let from = 0; from <= line.length; ) {
    while (line[from] === ' ') from += 1
    if (line[from] === '"') {
      const end = endOfQuote(line, from + 1)
      if (end === -1) return null
      fields.push(line.slice(from + 1, end).trim())
      const comma = line.indexOf(',', end)
      from = comma === -1 ? line.length + 1 : comma + 1
    } else {
      const comma = line.indexOf(',', from)
      const end = comma === -1 ? line.length : comma
      fields.push(line.slice(from, end).trim())
      from = end + 1
    }
  }
  return fields
}

/** A quote within a name does not end it: the end has a comma behind it, or nothing. */
function endOfQuote(line: string, from: number): number {
  for (let at = line.indexOf('"', from); at !== -1; at = line.indexOf('"', at + 1)) {
    let next = at + 1
    while (line[next] === ' ') next += 1
    if (next >= line.length || line[next] === ',') return at
  }
  return -1
}

function flagLine(
  lapsToGo: string,
  timeToGo: string,
  timeOfDay: string,
  raceTime: string,
  flag: string,
): RMonitorLine | null {
  const laps = wholeIn(lapsToGo)
  if (laps === null) return null
  return {
    command: 'flag',
    lapsToGo: laps === noLapsToGo ? null : laps,
    timeToGoMs: msIn(timeToGo),
    timeOfDay: /^\d{1,2}:\d{2}:\d{2}(\.\d{1,9})?( ?[AP]M)?$/i.test(timeOfDay) ? timeOfDay : null,
    raceMs: msIn(raceTime),
    flag: flag === '' ? null : flag,
  }
}

function competitor(
  id: string,
  number: string,
  names: readonly string[],
  classId = '',
): RMonitorLine | null {
  if (id === '') return null
  const name = names.filter(Boolean).join(' ').slice(0, maxNameLetters)
  return { command: 'competitor', id, number, classId: classId || null, name: name || null }
}

function positionLine(place: string, id: string, laps: string, total: string): RMonitorLine | null {
  const position = wholeIn(place)
  // Below zero after a penalty of laps.
  const count = laps === '' ? null : signedIn(laps)
  if (id === '' || (laps !== '' && count === null)) return null
  if (position === null && (place !== '' || count === null)) return null
  return { command: 'position', position, id, laps: count, totalMs: totalIn(total) }
}

function bestLine(place: string, id: string, lap: string, time: string): RMonitorLine | null {
  const position = wholeIn(place)
  if (position === null || id === '') return null
  const number = wholeIn(lap)
  return { command: 'best', position, id, lap: number || null, timeMs: msIn(time) || null }
}

function passingLine(id: string, lap: string, total: string): RMonitorLine | null {
  if (id === '') return null
  // At the start and where a car leaves the pits the lap has no time.
  return { command: 'passing', id, lapMs: msIn(lap) || null, totalMs: totalIn(total) }
}

function totalIn(text: string): number | null {
  const ms = msIn(text)
  return ms === noTotalMs ? null : ms
}

function signedIn(text: string): number | null {
  return /^-?\d{1,6}$/.test(text) ? Number(text) : null
}

function wholeIn(text: string): number | null {
  return /^\d{1,6}$/.test(text) ? Number(text) : null
}

/**
 * Reads hours, minutes, seconds and a fraction, in milliseconds. Races may be longer than a day. Hours may be absent only
 * before a fraction, because `12:45` may be hours and minutes.
 */
function msIn(text: string): number | null {
  const parts =
    /^(\d{1,4}):(\d{2}):(\d{2})(?:\.(\d{1,3})\d{0,6})?$/.exec(text) ??
    /^()(\d{1,2}):(\d{2})\.(\d{1,3})\d{0,6}$/.exec(text)
  if (!parts) return null
  const [, hours, minutes, seconds, fraction = ''] = parts
  const wholeS = (Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)
  return wholeS * 1000 + Number(fraction.padEnd(3, '0'))
}
