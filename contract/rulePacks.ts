import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { RulePackId, TeamId } from './ids.ts'
import {
  maxRaceMs,
  maxRequiredStops,
  maxRulePackLetters,
  maxStopMs,
  minLimitMs,
  stopCounts,
} from './shared/raceRules.ts'
import { LineOfText, refusalDetail } from './text.ts'

const LimitMs = z.int().min(minLimitMs).max(maxRaceMs)

/** Only a page on the Web: the app shows it as a link. */
const SourceUrl = z
  .url({ protocol: /^https?$/, hostname: z.regexes.domain })
  .max(300, refusalDetail('too-long'))

/** Rules of a series: see `RaceRules` in `contract/shared/raceRules.ts`. */
export const RaceRules = z.object({
  name: LineOfText,
  source: z.object({ url: SourceUrl, checkedOn: z.iso.date() }).nullable(),
  maxStintMs: LimitMs.nullable(),
  yellowExtraMs: z.int().min(1000).max(maxRaceMs).nullable(),
  maxDriverMs: LimitMs.nullable(),
  inARow: z.object({ maxMs: LimitMs, restMs: LimitMs }).nullable(),
  minStop: z
    .object({
      ms: z.int().min(1000).max(maxStopMs),
      counts: z.enum(stopCounts),
      onlyWithFuel: z.boolean(),
    })
    .nullable(),
  technicalStopMs: z.int().min(1000).max(maxStopMs).nullable(),
  stops: z
    .discriminatedUnion('kind', [
      z.object({ kind: z.literal('count'), count: z.int().min(1).max(maxRequiredStops) }),
      z.object({
        kind: z.literal('formula'),
        everyMinutes: z.int().min(1).max(1440),
        minus: z.int().min(0).max(10),
      }),
    ])
    .nullable(),
  minLapsBetweenStops: z.int().min(1).max(100).nullable(),
  pitSpeedKmh: z.int().min(10).max(150).nullable(),
})
export type RaceRules = z.infer<typeof RaceRules>

/** Rules that are offered for a new race. */
export const RulePack = z.object({
  id: RulePackId,
  /** False for one that the app contains: it cannot be changed, but copied. */
  isOwn: z.boolean(),
  rules: RaceRules,
})
export type RulePack = z.infer<typeof RulePack>

/** The contents of a shared rule pack, as a JSON file. */
export const RulePackFile = z.object({
  format: z.literal('pitboard-rule-pack'),
  version: z.literal(1),
  rules: RaceRules,
})
export type RulePackFile = z.infer<typeof RulePackFile>

/** Chosen by the client that adds it. */
const OwnPackId = z.uuid().toLowerCase()

const ofTeam = z.object({ teamId: TeamId })
const packs = z.array(RulePack)

export const rulePacks = {
  list: read({
    auth: 'any-login',
    scopes: ['read'],
    summary: 'Rule packs for the races of a team: those of the app and its own ones.',
    input: ofTeam,
    output: packs,
  }),
  save: command({
    auth: 'signed-in',
    summary:
      "Adds a rule pack, or changes the one with this id. Races keep their rules. Idempotent. Returns the team's rule packs.",
    input: ofTeam.extend({ id: OwnPackId, rules: RaceRules }),
    output: packs,
  }),
  remove: command({
    auth: 'signed-in',
    summary: "Deletes one of the team's own rule packs. Races keep their rules. Idempotent.",
    input: ofTeam.extend({ id: OwnPackId }),
    output: packs,
  }),
  import: command({
    auth: 'signed-in',
    summary: 'Adds a rule pack from a file that another team has exported. Idempotent by its id.',
    input: ofTeam.extend({
      id: OwnPackId,
      file: z
        .string()
        .max(maxRulePackLetters, refusalDetail('too-long'))
        .regex(/^[^\0]*$/, refusalDetail('rule-pack-unreadable')),
    }),
    output: packs,
  }),
}
