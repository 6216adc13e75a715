import type { Race } from '#contract/races.ts'
import {
  maxRaceLaps,
  maxRaceMs,
  minRaceMs,
  noRules,
  type RaceRules,
} from '#contract/shared/raceRules.ts'
import type { RaceOfSession } from '#contract/stints.ts'
import { planText } from '#web/text/race/plan.ts'
import { hoursFrom, hoursText, minutesFrom, minutesText } from './fieldTimes.ts'

const minuteMs = 60_000

/** The fields of the form, as typed. */
export interface RaceFields {
  name: string
  pack: string
  lengthIn: Race['length']['in']
  length: string
  maxStint: string
  minStop: string
  maxDriver: string
  requiredStops: string
  stop: string
  lap: string
}

/** Changes that the form saves: the race, and two times of the plan. */
export interface SavedRace {
  race: Pick<Race, 'id' | 'name' | 'length' | 'rules' | 'carIds'>
  stopMs: number | null
  lapMs: number | null
}

export function raceFields({ race, plan }: RaceOfSession): RaceFields {
  return {
    name: race?.name ?? '',
    pack: '',
    lengthIn: race?.length.in ?? 'time',
    length: race ? lengthText(race.length) : '',
    stop: plan?.stopMs == null ? '' : minutesText(plan.stopMs),
    lap: plan?.lapMs == null ? '' : minutesText(plan.lapMs),
    ...rulesFields(race?.rules ?? noRules),
  }
}

function lengthText(length: Race['length']): string {
  return length.in === 'time' ? hoursText(length.ms) : String(length.laps)
}

export function rulesFields({ maxStintMs, maxDriverMs, minStop, stops }: RaceRules) {
  return {
    maxStint: maxStintMs === null ? '' : String(Math.round(maxStintMs / minuteMs)),
    maxDriver: maxDriverMs === null ? '' : String(Math.round(maxDriverMs / minuteMs)),
    minStop: minStop ? minutesText(minStop.ms) : '',
    requiredStops: stops?.kind === 'count' ? String(stops.count) : '',
  }
}

const optional =
  (isRight: (text: string) => boolean, sentence: string) =>
  (text: string): true | string =>
    text.trim() === '' || isRight(text) || sentence
const isWithin = (ms: number | undefined, least: number, most: number) =>
  ms !== undefined && ms >= least && ms <= most

const isWholeNumber = (text: string, most: number) =>
  /^\s*\d{1,4}\s*$/.test(text) && Number(text) >= 1 && Number(text) <= most
const isMinutes = (text: string) => isWholeNumber(text, maxRaceMs / minuteMs)
const isStop = (text: string) => isWithin(minutesFrom(text), 1000, 3_600_000)

export const validators = {
  length: (text: string, { lengthIn }: RaceFields) =>
    lengthIn === 'laps'
      ? isWholeNumber(text, maxRaceLaps) || planText.wrongLaps
      : isWithin(hoursFrom(text), minRaceMs, maxRaceMs) || planText.wrongHours,
  maxStint: optional(isMinutes, planText.wrongMinutes),
  maxDriver: optional(isMinutes, planText.wrongMinutes),
  minStop: optional(isStop, planText.wrongSeconds),
  stop: optional(isStop, planText.wrongSeconds),
  lap: optional(text => isWithin(minutesFrom(text), 10_000, 3_600_000), planText.wrongSeconds),
  requiredStops: optional(
    text => /^\s*\d{1,3}\s*$/.test(text) && Number(text) <= 100,
    planText.wrongStops,
  ),
}

/** Returns what to save. Rules without a field stay as they were, or as the chosen pack has them. */
export function raceFrom(
  fields: RaceFields,
  { race }: RaceOfSession,
  packRules: RaceRules | undefined,
): SavedRace {
  const base = packRules ?? race?.rules ?? { ...noRules, name: planText.ownRules }
  const minutes = (text: string) => (text.trim() === '' ? null : Number(text) * minuteMs)
  const count = fields.requiredStops.trim() === '' ? 0 : Number(fields.requiredStops)
  const minStopMs = minutesFrom(fields.minStop)
  const rules: RaceRules = {
    ...base,
    maxStintMs: minutes(fields.maxStint),
    maxDriverMs: minutes(fields.maxDriver),
    minStop:
      minStopMs === undefined
        ? null
        : { counts: 'lane', onlyWithFuel: false, ...base.minStop, ms: minStopMs },
    stops:
      count > 0 ? { kind: 'count', count } : base.stops?.kind === 'formula' ? base.stops : null,
  }
  return {
    race: {
      id: race?.id ?? crypto.randomUUID(),
      name: fields.name,
      length:
        fields.lengthIn === 'laps'
          ? { in: 'laps', laps: Number(fields.length) }
          : { in: 'time', ms: hoursFrom(fields.length) ?? 0 },
      rules,
      carIds: [...(race?.carIds ?? [])],
    },
    stopMs: minutesFrom(fields.stop) ?? null,
    lapMs: minutesFrom(fields.lap) ?? null,
  }
}
