import { noLapsToGo } from './rmonitorLine.ts'

/** A car of an update, with what has become known about it. */
interface CarUpdate {
  readonly number: string
  readonly class?: string | undefined
  readonly name?: string | undefined
  readonly position?: number | undefined
  readonly laps?: number | undefined
  readonly totalMs?: number | undefined
  readonly bestMs?: number | undefined
}

/** Official timing as JSON: `TimingUpdate` of the contract. */
export interface Update {
  readonly run?: string | null | undefined
  readonly race?:
    | {
        readonly flag: string | null
        readonly timeToGoMs?: number | null | undefined
        readonly lapsToGo?: number | null | undefined
        readonly timeOfDay?: string | undefined
      }
    | undefined
  readonly cars?: readonly CarUpdate[] | undefined
}

/**
 * Writes an update as lines of RMonitor, so that every source is stored, read and replayed in the same way. A car is
 * registered by its number, a class by its name.
 */
export function linesOfUpdate({ run, race, cars = [] }: Update): string[] {
  const classes = new Set(
    cars
      .map(car => plainText(car.class ?? ''))
      .filter(Boolean)
      .map(quoted),
  )
  return [
    ...(run === undefined ? [] : [run === null ? '$B,95,""' : `$B,1,${quoted(run)}`]),
    ...[...classes].map(name => `$C,${name},${name}`),
    ...cars.flatMap(linesOfCar),
    ...(race ? [flagLine(race)] : []),
  ]
}

function linesOfCar(car: CarUpdate): string[] {
  const { position, laps, totalMs, bestMs } = car
  const id = quoted(car.number)
  const total = totalMs === undefined ? '""' : `"${timeText(totalMs)}"`
  const hasPlace = position !== undefined || laps !== undefined
  return [
    `$COMP,${id},${id},${quoted(car.class ?? '')},"",${quoted(car.name ?? '')},"",""`,
    ...(hasPlace ? [`$G,${position ?? ''},${id},${laps ?? ''},${total}`] : []),
    ...(bestMs === undefined ? [] : [`$H,0,${id},,"${timeText(bestMs)}"`]),
  ]
}

function flagLine({ flag, timeToGoMs, lapsToGo, timeOfDay }: NonNullable<Update['race']>) {
  const toGo = timeToGoMs == null ? '' : timeText(timeToGoMs)
  return `$F,${lapsToGo ?? noLapsToGo},"${toGo}","${timeOfDay ?? ''}","",${quoted(flag ?? '')}`
}

/** Quotes a text, as `plainText` of it. */
export function quoted(text: string): string {
  return `"${plainText(text)}"`
}

/** Removes what a line of RMonitor cannot have in a text: quotes, control characters, and `$`, which begins a line. */
export function plainText(text: string): string {
  return text
    .replace(/[\p{Cc}\p{Cs}\p{Zl}\p{Zp}$]+/gu, ' ')
    .replaceAll('"', "'")
    .trim()
}

/** Formats milliseconds as `hh:mm:ss.mmm`. */
export function timeText(ms: number): string {
  const two = (value: number) => String(value).padStart(2, '0')
  const seconds = Math.floor(ms / 1000)
  const whole = `${two(Math.floor(seconds / 3600))}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`
  return `${whole}.${String(ms % 1000).padStart(3, '0')}`
}
