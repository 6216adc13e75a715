import { z } from 'zod'
import { EpochMs } from './ids.ts'

export const TeamChangeKind = z.enum([
  'created',
  'renamed',
  'logo-changed',
  'invited',
  'invitation-withdrawn',
  'invitation-declined',
  'joined',
  'code-shown',
  'code-stopped',
  'let-in',
  'turned-away',
  'taken-over',
  'left',
  'removed',
  'made-member',
  'made-viewer',
  'handed-over',
  'deleted',
  'restored',
  'television-connected',
  'television-removed',
  'word-added',
  'word-changed',
  'word-removed',
  'race-added',
  'race-changed',
  'plan-changed',
  'race-started',
  'race-over',
  'race-deleted',
  'car-added',
  'car-removed',
  'driver-added',
  'driver-removed',
  'driver-changed',
  'stints-corrected',
  'litres-entered',
  'litres-removed',
  'phone-chosen',
  'phone-choice-undone',
  'auto-pit-on',
  'auto-pit-off',
  'data-link-on',
  'data-link-off',
  'lap-marked',
  'clock-changed',
  'clock-followed',
  'flag-entered',
  'flag-undone',
  'place-entered',
  'place-undone',
  'source-set',
  'source-removed',
  'line-moved',
  'pit-lane-changed',
  'circuit-reversed',
  'circuit-renamed',
  'circuit-deleted',
])
export type TeamChangeKind = z.infer<typeof TeamChangeKind>

/** One entry in the history of a team: who changed what, with names as they are today. */
export const TeamChange = z.object({
  id: z.int(),
  at: EpochMs,
  kind: TeamChangeKind,
  /** The member who made the change. Null for a declined invitation, and if the account no longer exists. */
  actor: z.string().nullable(),
  /** The person the change is about, such as the removed member or a driver; or the name of a television. */
  person: z.string().nullable(),
  /**
   * The name of the team, an own word or a circuit before and after a change. `after` is the name of a race, car, driver or
   * circuit that the change is about; null for a circuit without a name. Of an entry about a car, `before` is the entry.
   */
  before: z.string().nullable(),
  after: z.string().nullable(),
})
export type TeamChange = z.infer<typeof TeamChange>
