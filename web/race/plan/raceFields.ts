import type { StoredCarRace } from '#contract/carRace.ts'
import type { Race, RaceLength } from '#contract/races.ts'
import {
  maxRaceLaps,
  maxRaceMs,
  maxStopMs,
  minLapMs,
  minRaceMs,
  noRules,
} from '#contract/shared/raceRules.ts'
import { planText } from '#web/text/plan.ts'
import { hoursFrom, hoursText, minutesFrom, minutesText } from './fieldTimes.ts'
import { type RulesFields, rulesFields, rulesFrom } from './rulesFields.ts'

/** The fields of the form, as typed. */
export interface RaceFields extends RulesFields {
  name: string
  /** The chosen rule pack; empty: the rules of the race as they are. */
  pack: string
  lengthIn: RaceLength['in']
  length: string
  carIds: string[]
  stop: string
  lap: string
}

/** Changes that the form saves: the race, and two times of the plan. */
export interface SavedRace {
  race: Omit<Race, 'startsAt' | 'startedAt' | 'pauses' | 'endedAt'>
  stopMs: number | null
  lapMs: number | null
}

export function raceFields({ race, plan }: StoredCarRace): RaceFields {
  return {
    name: race?.name ?? '',
    pack: '',
    lengthIn: race?.length?.in ?? 'time',
    length: race?.length ? lengthText(race.length) : '',
    carIds: race?.carIds ?? [],
    stop: plan?.stopMs == null ? '' : minutesText(plan.stopMs),
    lap: plan?.lapMs == null ? '' : minutesText(plan.lapMs),
    ...rulesFields(race?.rules ?? noRules),
  }
}

function lengthText(length: RaceLength): string {
  return length.in === 'time' ? hoursText(length.ms) : String(length.laps)
}

const isWithin = (ms: number | undefined, least: number, most: number) =>
  ms !== undefined && ms >= least && ms <= most

const optionalTime = (leastMs: number) => (text: string) =>
  text.trim() === '' || isWithin(minutesFrom(text), leastMs, maxStopMs) || planText.wrongSeconds

export const validators = {
  length: (text: string, { lengthIn }: RaceFields) =>
    lengthIn === 'laps'
      ? (/^\s*\d{1,4}\s*$/.test(text) && isWithin(Number(text), 1, maxRaceLaps)) ||
        planText.wrongLaps
      : isWithin(hoursFrom(text), minRaceMs, maxRaceMs) || planText.wrongHours,
  stop: optionalTime(1000),
  lap: optionalTime(minLapMs),
}

/** Returns the race to save, from valid fields. */
export function raceFrom(fields: RaceFields, id: string): SavedRace {
  return {
    race: {
      id,
      name: fields.name,
      length:
        fields.lengthIn === 'laps'
          ? { in: 'laps', laps: Number(fields.length) }
          : { in: 'time', ms: hoursFrom(fields.length) ?? 0 },
      rules: rulesFrom(fields),
      carIds: fields.carIds,
    },
    stopMs: minutesFrom(fields.stop) ?? null,
    lapMs: minutesFrom(fields.lap) ?? null,
  }
}
