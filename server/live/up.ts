import { type DownOf, type FixUp, Up } from '#contract/live.ts'
import { parseSafely } from '#contract/parse.ts'
import {
  fullCircleDeg,
  latestEpochMs,
  maxAccuracyM,
  maxLatitude,
  maxLongitude,
  topSpeedKmh,
} from '#contract/shared/bounds.ts'

type HeartbeatUp = Extract<Up, { t: 'heartbeat' }>

/** A frame that does not match the protocol. `re` is its type, if it has one. */
export interface BadFrame {
  t: 'bad'
  re: string
}

/** The room or receipt that a refused frame was about. */
export type RefusedSubject = Pick<DownOf<'refused'>, 'room' | 'receipt'>

export function subjectOf(up: Up): RefusedSubject {
  if (up.t === 'receipt') return { receipt: { version: up.version, stage: up.stage } }
  return 'room' in up ? { room: up.room } : {}
}

/**
 * Parses one frame. Fixes (one a second per car) and heartbeats (one every 2.5 s per connection) are validated
 * by hand for speed, all others by their schema. Throws SyntaxError if it is not JSON.
 */
export function parseUp(text: string): Up | BadFrame {
  const value: unknown = JSON.parse(text)
  if (typeof value !== 'object' || value === null || !('t' in value)) return { t: 'bad', re: '' }
  if (value.t === 'fix') return isFix(value) ? value : { t: 'bad', re: 'fix' }
  if (value.t === 'heartbeat') return isHeartbeat(value) ? value : { t: 'bad', re: 'heartbeat' }
  const parsed = parseSafely(Up, value)
  if (parsed.success) return parsed.data
  return { t: 'bad', re: typeof value.t === 'string' ? value.t.slice(0, 32) : '' }
}

function isHeartbeat(value: object): value is HeartbeatUp {
  return Number.isFinite((value as Record<string, unknown>).at)
}

function isFix(value: object): value is FixUp {
  const { at, la, lo, v, ac, h, ar } = value as Record<string, unknown>
  return (
    isBetween(at, 0, latestEpochMs) &&
    Number.isInteger(at) &&
    (la === null || isBetween(la, -maxLatitude, maxLatitude)) &&
    (lo === null || isBetween(lo, -maxLongitude, maxLongitude)) &&
    (v === null || (isBetween(v, 0, topSpeedKmh) && Number.isInteger(v))) &&
    (ac === null || isBetween(ac, 0, maxAccuracyM)) &&
    (h === null || h === undefined || (isBetween(h, 0, fullCircleDeg) && h !== fullCircleDeg)) &&
    (ar === undefined || ar === true)
  )
}

function isBetween(value: unknown, low: number, high: number): boolean {
  return typeof value === 'number' && value >= low && value <= high
}
