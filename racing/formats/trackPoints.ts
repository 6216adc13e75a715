import { columnName, columnNames, type Role, rankOf } from './columns.ts'
import type { ElementReader } from './elementReader.ts'
import { instantIn } from './instant.ts'
import { degreesIn, isMissing, numberIn } from './numbers.ts'
import type { RecordedFix } from './recordedFix.ts'
import { RecordingRefused } from './recordingRefused.ts'
import { unitFactor } from './units.ts'
import { UnreadValues } from './unread.ts'

/** The roles of a point's elements. */
const roles = ['time', 'latitude', 'longitude', 'speed', 'heading', 'accuracy'] as const
export type PointRole = (typeof roles)[number]

/** A value of a point, as written. */
interface PointValue {
  readonly text: string
  /** Multiplies the value to convert it to ms, m/s, m or degrees. */
  readonly factor: number
  /** Number of elements around it in the point. */
  readonly depth: number
}
export type Point = Partial<Record<PointRole, PointValue>>

/** Returns the role of an element or a list of values by its name, and the factor of its unit. */
export function pointRole(name: string): { role: PointRole; factor: number } | null {
  const role = roleNamed(name)
  return role && { role, factor: unitFactor(columnNames[role].quantity, name) ?? 1 }
}

/** Roles by name: a file has few names, which each of its points repeats. */
const cachedRoles = new Map<string, PointRole | null>()

const maxCachedRoles = 500

function roleNamed(name: string): PointRole | null {
  const cached = cachedRoles.get(name)
  if (cached !== undefined) return cached
  const simple = columnName(name)
  const role = roles.find((each: Role) => rankOf(each, simple) !== -1) ?? null
  if (cachedRoles.size < maxCachedRoles) cachedRoles.set(name, role)
  return role
}

/** Converts points to fixes. Points without a time or a position are left out. */
export class PointFixes {
  readonly fixes: RecordedFix[] = []
  readonly #unread = new UnreadValues()
  readonly #kind: string
  #points = 0
  #timed = 0

  constructor(kind: string) {
    this.#kind = kind
  }

  get points(): number {
    return this.#points
  }

  add({ time, latitude, longitude, speed, heading, accuracy }: Point) {
    this.#points += 1
    const north = degreesIn(latitude?.text)
    const east = degreesIn(longitude?.text)
    if (!isMissing(time?.text)) this.#timed += 1
    const atMs = isMissing(time?.text) ? null : instantIn(time?.text ?? '')
    const unread = (value: PointValue | undefined, what: string, column: string) =>
      this.#unread.add(value?.text ?? '', what, { row: `point ${this.#points}`, column })
    if (Number.isNaN(north)) unread(latitude, 'a latitude', 'the latitude')
    else if (Number.isNaN(east)) unread(longitude, 'a longitude', 'the longitude')
    else if (Number.isNaN(atMs)) unread(time, 'a time', 'the time')
    else if (north !== null && east !== null && atMs !== null)
      this.fixes.push({
        atMs,
        latitude: north,
        longitude: east,
        speedMps: optional(speed),
        headingDeg: optional(heading),
        accuracyM: optional(accuracy) || null,
      })
  }

  /** Throws RecordingRefused if most points cannot be read, or none has a time. */
  requireTimes() {
    this.#unread.requireMost(this.fixes.length)
    if (this.#points > 0 && this.#timed === 0)
      throw new RecordingRefused(
        `The points of the ${this.#kind} file have no times, so laps cannot be timed. Export it with times.`,
        { lacksTimes: true },
      )
  }
}

function optional(value: PointValue | undefined): number | null {
  const number = numberIn(value?.text)
  return number === null || Number.isNaN(number) ? null : number * (value?.factor ?? 1)
}

/** Reads the track points of GPX and TCX files: attributes `lat` and `lon`, and elements inside of them. */
export class TrackReader implements ElementReader {
  readonly #kind: string
  readonly #element: string
  readonly #read: PointFixes
  #point: Point | null = null
  /** Number of open elements in the point. */
  #depth = 0

  constructor(kind: string, element: string) {
    this.#kind = kind
    this.#element = element
    this.#read = new PointFixes(kind)
  }

  get hasPoints(): boolean {
    return this.#read.points > 0
  }

  open(name: string, { lat, lon }: Readonly<Record<string, string>>) {
    if (name !== this.#element) {
      this.#depth += 1
      return
    }
    this.#depth = 0
    const place = (text: string | undefined) =>
      text === undefined ? undefined : { text, factor: 1, depth: 0 }
    const [latitude, longitude] = [place(lat), place(lon)]
    this.#point = { ...(latitude && { latitude }), ...(longitude && { longitude }) }
  }

  close(name: string, text: string) {
    if (!this.#point) return
    if (name === this.#element) {
      this.#read.add(this.#point)
      this.#point = null
      return
    }
    const depth = this.#depth
    this.#depth -= 1
    const found = pointRole(name)
    // The extensions of a point may have other times.
    if (!found || text === '' || (found.role === 'time' && depth !== 1)) return
    const before = this.#point[found.role]
    if (!before || depth <= before.depth)
      this.#point[found.role] = { text, factor: found.factor, depth }
  }

  finish(): RecordedFix[] {
    this.#read.requireTimes()
    if (this.#read.points > 0) return this.#read.fixes
    throw new RecordingRefused(
      this.#kind === 'GPX'
        ? 'The GPX file has no track, and waypoints and routes have no times. Export the track.'
        : 'The TCX file has no track. Export an activity that was recorded with GPS.',
    )
  }
}
