import { noLapsToGo } from './rmonitorLine.ts'
import { plainText, quoted, timeText } from './updateLines.ts'

// Answers of providers are read field by field: a field that is missing or of another type is not known.

type Json = Record<string, unknown>

/** The most cars or passings that are read of one answer. A day's race has a quarter as many passings. */
const most = 200_000

/**
 * Writes an answer of Race Monitor's `Live/GetSession` as lines of RMonitor, whose texts it has. Without a session there
 * are no lines.
 */
export function linesOfRaceMonitor(answer: unknown): string[] {
  const session = objectIn(objectIn(answer).Session)
  if (Object.keys(session).length === 0) return []
  const field = (name: string) => quoted(textIn(session[name]))
  const laps = /^\d{1,6}$/.exec(textIn(session.LapsToGo))?.[0] ?? noLapsToGo
  return [
    `$B,${quoted(textIn(session.RunNumber) || '1')},${field('SessionName')}`,
    ...listIn(session.Classes).map(each => {
      return `$C,${quoted(textIn(each.ClassID))},${quoted(textIn(each.Description))}`
    }),
    ...listIn(session.Competitors).flatMap(raceMonitorCar),
    `$F,${laps},${field('TimeToGo')},${field('CurrentTime')},${field('SessionTime')},${field('FlagStatus')}`,
  ]
}

function raceMonitorCar(car: Json): string[] {
  const field = (name: string) => quoted(textIn(car[name]))
  const whole = (name: string) => /^-?\d{1,6}$/.exec(textIn(car[name]))?.[0] ?? ''
  const id = field('RacerID')
  const names = `${field('FirstName')},${field('LastName')}`
  return [
    `$COMP,${id},${field('Number')},${field('ClassID')},${names},"",""`,
    ...(whole('Position') === ''
      ? []
      : [`$G,${whole('Position')},${id},${whole('Laps')},${field('TotalTime')}`]),
    ...(whole('BestPosition') === ''
      ? []
      : [`$H,${whole('BestPosition')},${id},${whole('BestLap')},${field('BestLapTime')}`]),
  ]
}

/**
 * Writes an answer of RaceHero's `live/leaderboard` as lines of RMonitor: the run, its cars, flag and clock. Its times are
 * in seconds, like all others of RaceHero.
 */
export function linesOfLeaderboard(answer: unknown): string[] {
  const board = objectIn(answer)
  const laps = numberIn(board.laps_remaining)
  const time = msIn(board.time_remaining)
  const lapsToGo = laps === null || laps < 1 || laps >= noLapsToGo ? noLapsToGo : Math.floor(laps)
  return [
    ...(textIn(board.name) === '' ? [] : [`$B,1,${quoted(textIn(board.name))}`]),
    ...listIn(board.racers).flatMap(raceHeroCar),
    `$F,${lapsToGo},"${time === null ? '' : timeText(time)}","","",${quoted(textIn(board.current_flag))}`,
  ]
}

function raceHeroCar(car: Json): string[] {
  const id = idOf(car)
  if (id === '') return []
  const name = quoted(textIn(car.class))
  return [
    ...(name === '""' ? [] : [`$C,${name},${name}`]),
    `$COMP,${quoted(id)},${quoted(textIn(car.number))},${name},"",${quoted(textIn(car.name))},"",""`,
  ]
}

/** The newest known lap of each car of a run of RaceHero. */
export type NewestLaps = ReadonlyMap<string, number>

/**
 * Writes the passings of a run of RaceHero that are newer than the known laps as lines of RMonitor, in the order of their
 * times. Returns the newest laps with them, and how many passings the answer has.
 */
export function linesOfPassings(
  answer: unknown,
  known: NewestLaps,
): { lines: string[]; newest: NewestLaps; count: number } {
  const newest = new Map(known)
  const passings = listIn(answer)
    .map(passing => ({ passing, atS: numberIn(passing.timestamp) ?? 0, id: idOf(passing) }))
    .sort((a, b) => a.atS - b.atS)
  const lines = passings.flatMap(({ passing, id }) => {
    const lap = countIn(passing.current_lap)
    const place = countIn(passing.position_in_run)
    if (id === '' || lap === null || place === null || lap <= (newest.get(id) ?? -1)) return []
    newest.set(id, lap)
    const total = msIn(passing.total_time_in_run)
    const best = msIn(passing.best_lap_time)
    return [
      ...raceHeroCar(passing),
      `$G,${place},${quoted(id)},${lap},"${total === null ? '' : timeText(total)}"`,
      ...(best === null ? [] : [`$H,0,${quoted(id)},,"${timeText(best)}"`]),
    ]
  })
  return { lines, newest, count: passings.length }
}

/** Returns the id of the run of an event of RaceHero that is on the track; null if there is none, or it is not known. */
export function liveRunOf(runs: unknown): string | null {
  const live = listIn(runs)
    .filter(run => textIn(run.started_at) !== '' && textIn(run.ended_at) === '')
    .sort((a, b) => (textIn(a.started_at) < textIn(b.started_at) ? 1 : -1))
  const id = textIn(live[0]?.id)
  return /^[\w-]{1,50}$/.test(id) ? id : null
}

function idOf(car: Json): string {
  return textIn(car.racer_id) || textIn(car.number)
}

function objectIn(value: unknown): Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : {}
}

/** Returns the objects of a list, of the values of an object, or of its list `data`. */
function listIn(value: unknown): Json[] {
  const { data } = objectIn(value)
  const list = Array.isArray(value)
    ? value
    : Array.isArray(data)
      ? data
      : Object.values(objectIn(value))
  return list.slice(0, most).map(objectIn)
}

/** Returns a text as lines may have it, or a number as one; empty if the value is neither. */
function textIn(value: unknown): string {
  if (typeof value === 'number' && Number.isFinite(value)) return String(value)
  return typeof value === 'string' ? plainText(value.slice(0, 200)) : ''
}

/** Returns a number from 0 on, also of a text; null if the value is none. */
function numberIn(value: unknown): number | null {
  const number = Number(textIn(value) || Number.NaN)
  return Number.isFinite(number) && number >= 0 && number < 1e12 ? number : null
}

function countIn(value: unknown): number | null {
  const number = numberIn(value)
  return Number.isInteger(number) && (number ?? 0) < 100_000 ? number : null
}

/** Returns seconds as milliseconds; null below zero, or from 10,000 hours on. */
function msIn(value: unknown): number | null {
  const seconds = numberIn(value)
  return seconds === null || seconds >= 36_000_000 ? null : Math.round(seconds * 1000)
}
