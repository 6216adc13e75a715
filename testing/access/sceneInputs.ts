import { randomUUID } from 'node:crypto'
import type { SessionId, TeamId, UserId } from '#contract/ids.ts'
import { noRules } from '#contract/shared/raceRules.ts'

/** The ids of a team, its session, people and entries, by the names of the fields in which calls name them. */
export interface Scene {
  teamId: TeamId
  sessionId: SessionId
  /** The user in the car, and a member. */
  userId: UserId
  memberId: UserId
  /** An invited person who waits to be let in. */
  waitingId: UserId
  codeId: string
  invitationId: string
  carId: string
  /** An entry of the roster, which is the member. */
  driverId: string
  stintId: string
  raceId: string
  rulePackId: string
  fillId: string
}

export const newPerson = () => ({
  firstName: 'New',
  lastName: 'Face',
  email: `${randomUUID()}@example.com`,
})

export const newRace = () => ({
  id: randomUUID(),
  name: 'Zolder 6 hours',
  length: { in: 'time' as const, ms: 21_600_000 },
  rules: noRules,
  carIds: [],
})
