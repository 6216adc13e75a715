import {
  maxRaceMs,
  maxRequiredStops,
  maxStopMs,
  minLimitMs,
  noRules,
  type RaceRules,
  type StopCounts,
} from '#contract/shared/raceRules.ts'
import { planText } from '#web/text/plan.ts'
import { minutesFrom, minutesOrWhole, minutesText } from './fieldTimes.ts'

/** The rules of a race, as typed: empty where the series has no such rule. */
export interface RulesFields {
  rulesName: string
  /** Source of the chosen pack or the saved rules; null once a rule was changed. */
  source: RaceRules['source']
  maxStint: string
  yellowExtra: string
  maxDriver: string
  rowMax: string
  rowRest: string
  minStop: string
  counts: StopCounts
  onlyWithFuel: boolean
  technicalStop: string
  stopsKind: 'count' | 'formula'
  requiredStops: string
  everyMinutes: string
  minus: string
  minLaps: string
  pitSpeed: string
}

export function rulesFields(rules: RaceRules): RulesFields {
  const { inARow, minStop, stops } = rules
  const time = (ms: number | null | undefined) => (ms == null ? '' : minutesOrWhole(ms))
  const number = (value: number | null | undefined) => (value == null ? '' : String(value))
  return {
    rulesName: rules.name,
    source: rules.source,
    maxStint: time(rules.maxStintMs),
    yellowExtra: time(rules.yellowExtraMs),
    maxDriver: time(rules.maxDriverMs),
    rowMax: time(inARow?.maxMs),
    rowRest: time(inARow?.restMs),
    minStop: minStop ? minutesText(minStop.ms) : '',
    counts: minStop?.counts ?? 'lane',
    onlyWithFuel: minStop?.onlyWithFuel ?? false,
    technicalStop: rules.technicalStopMs === null ? '' : minutesText(rules.technicalStopMs),
    stopsKind: stops?.kind ?? 'count',
    requiredStops: stops?.kind === 'count' ? String(stops.count) : '',
    everyMinutes: stops?.kind === 'formula' ? String(stops.everyMinutes) : '',
    minus: stops?.kind === 'formula' ? String(stops.minus) : '',
    minLaps: number(rules.minLapsBetweenStops),
    pitSpeed: number(rules.pitSpeedKmh),
  }
}

/** Returns the rules that valid fields describe. */
export function rulesFrom(fields: RulesFields): RaceRules {
  const time = (text: string) => minutesFrom(text) ?? null
  const number = (text: string) => (text.trim() === '' ? null : Number(text))
  const [rowMaxMs, rowRestMs, minStopMs] = [fields.rowMax, fields.rowRest, fields.minStop].map(time)
  const rules = {
    source: fields.source,
    maxStintMs: time(fields.maxStint),
    yellowExtraMs: time(fields.yellowExtra),
    maxDriverMs: time(fields.maxDriver),
    inARow: rowMaxMs && rowRestMs ? { maxMs: rowMaxMs, restMs: rowRestMs } : null,
    minStop: minStopMs
      ? { ms: minStopMs, counts: fields.counts, onlyWithFuel: fields.onlyWithFuel }
      : null,
    technicalStopMs: time(fields.technicalStop),
    stops: stopsFrom(fields),
    minLapsBetweenStops: number(fields.minLaps),
    pitSpeedKmh: number(fields.pitSpeed),
  }
  const name = fields.rulesName.trim()
  const isNone = Object.values(rules).every(rule => rule === null)
  return { ...rules, name: name === noRules.name && !isNone ? planText.ownRules : name }
}

function stopsFrom({ stopsKind, requiredStops, everyMinutes, minus }: RulesFields) {
  if (stopsKind === 'formula')
    return Number(everyMinutes) > 0
      ? { kind: 'formula' as const, everyMinutes: Number(everyMinutes), minus: Number(minus) }
      : null
  return Number(requiredStops) > 0 ? { kind: 'count' as const, count: Number(requiredStops) } : null
}

type Validator = (text: string, fields: RulesFields) => true | string

/** Accepts an empty field, or a time within bounds. */
const time =
  (leastMs: number, mostMs: number): Validator =>
  text => {
    if (text.trim() === '') return true
    const ms = minutesFrom(text)
    return (ms !== undefined && ms >= leastMs && ms <= mostMs) || planText.wrongMinutes
  }

const whole =
  (least: number, most: number): Validator =>
  text => {
    if (text.trim() === '') return true
    const isWhole = /^\s*\d{1,4}\s*$/.test(text)
    const isWithin = Number(text) >= least && Number(text) <= most
    return (isWhole && isWithin) || planText.wrongNumber(String(least), String(most))
  }

const limit = time(minLimitMs, maxRaceMs)
const stop = time(1000, maxStopMs)

/** The longest driving in a row and the rest after it are entered together. */
const needs =
  (other: 'rowMax' | 'rowRest'): Validator =>
  (text, fields) =>
    text.trim() === '' && fields[other].trim() !== '' ? planText.bothMissing : limit(text, fields)

export const rulesValidators = {
  rulesName: text => text.trim() !== '' || planText.nameMissing,
  maxStint: limit,
  yellowExtra: time(1000, maxRaceMs),
  maxDriver: limit,
  rowMax: needs('rowRest'),
  rowRest: needs('rowMax'),
  minStop: stop,
  technicalStop: stop,
  requiredStops: whole(0, maxRequiredStops),
  everyMinutes: whole(1, 1440),
  minus: whole(0, 10),
  minLaps: whole(1, 100),
  pitSpeed: whole(10, 150),
} satisfies Partial<Record<keyof RulesFields, Validator>>
