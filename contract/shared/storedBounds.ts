// No zod here: the browser needs the numbers at run time.

import { maxSessionLaps, maxSessionVisits } from './lapTimingStops.ts'
import { maxTeamTimingLetters, maxTimingEntries, maxTimingLetters } from './timingRules.ts'

/**
 * Bounds of what is stored, for each user, team, race, car in a race, circuit or session. `rosterEntries` are the cars,
 * or the drivers, with the archived ones. Lists are read whole only up to these numbers, so that no statement, response
 * or job for one team delays others; longer ones are read in pages (`pages`). One more
 * - is refused with the sentence of `refusal` in `detailSentences`,
 * - is stored in place of the one that `replaces` names, or
 * - is not timed: lap timing stops for the reason in `stops`.
 */
export const storedBounds = {
  logins: { of: 'user', max: 50, replaces: 'the login unused for longest' },
  passkeys: { of: 'user', max: 20, refusal: 'too-many-passkeys' },
  pushSubscriptions: { of: 'user', max: 50, replaces: 'the subscription of the same login' },
  teams: { of: 'user', max: 100, refusal: 'teams-too-many' },
  members: { of: 'team', max: 100, refusal: 'members-too-many' },
  invitations: { of: 'team', max: 100, refusal: 'invitations-too-many' },
  joinCodes: { of: 'team', max: 20, refusal: 'join-codes-too-many' },
  joinRequests: { of: 'team', max: 100, refusal: 'requests-too-many' },
  televisions: { of: 'team', max: 20, replaces: 'the television unused for longest' },
  words: { of: 'team', max: 4, refusal: 'words-too-many' },
  files: { of: 'team', max: 200, refusal: 'files-too-many' },
  cars: { of: 'team', max: 100, refusal: 'cars-too-many' },
  drivers: { of: 'team', max: 100, refusal: 'drivers-too-many' },
  rosterEntries: { of: 'team', max: 500, refusal: 'roster-entries-too-many' },
  races: { of: 'team', max: 1000, refusal: 'races-too-many' },
  preparedRaces: { of: 'team', max: 20, refusal: 'prepared-races-too-many' },
  rulePacks: { of: 'team', max: 50, refusal: 'rule-packs-too-many' },
  importedCircuits: { of: 'team', max: 100, refusal: 'circuits-too-many' },
  learnedCircuits: { of: 'team', max: 100, replaces: 'the oldest learned one without a name' },
  importedPositions: { of: 'team', max: 5_000_000, refusal: 'recordings-too-many' },
  timingMegabytes: { of: 'team', max: maxTeamTimingLetters / 2 ** 20, refusal: 'timings-too-many' },
  practiceCars: { of: 'team', max: 1, refusal: 'practice-running' },
  sessions: { of: 'team', max: 10_000, refusal: 'sessions-too-many' },
  circuitVersions: { of: 'circuit', max: 20, replaces: 'the oldest one that no session names' },
  pauses: { of: 'race', max: 100, refusal: 'pauses-too-many' },
  sessionsOfRace: { of: 'race', max: 100, replaces: 'the oldest one, which no longer counts' },
  timingMegabytesOfRace: { of: 'race', max: maxTimingLetters / 2 ** 20, refusal: 'timing-full' },
  officialFlags: { of: 'race', max: 2000, replaces: 'the oldest flag' },
  enteredFlags: { of: 'race', max: 300, replaces: 'the oldest entered flag' },
  runCorrections: { of: 'car', max: 200, refusal: 'run-corrections-too-many' },
  stints: { of: 'car', max: 500, refusal: 'stints-too-many' },
  timingEntries: { of: 'car', max: maxTimingEntries, replaces: 'the oldest entry of the car' },
  fills: { of: 'car', max: 500, refusal: 'fills-too-many' },
  lapMarks: { of: 'session', max: 500, refusal: 'marks-too-many' },
  laps: { of: 'session', max: maxSessionLaps, stops: 'too-many-laps' },
  pitVisits: { of: 'session', max: maxSessionVisits, stops: 'too-many-visits' },
  glassFlags: { of: 'session', max: 2000, replaces: 'the oldest flag' },
  glassChanges: { of: 'session', max: 200, replaces: 'the oldest change' },
  answers: { of: 'session', max: 5000, replaces: 'the oldest answer' },
} as const

/** Rows in one response of what is stored without a bound, or with one that is too large for a response. */
export const pages = {
  laps: 1000,
  messages: 100,
  positions: 2000,
  sessions: 40,
  changes: 100,
} as const

/** The most rows that one statement for a call or a job of one team returns. */
export const maxRowsOfStatement = 5000
