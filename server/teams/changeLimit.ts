import type { UserId } from '#contract/ids.ts'
import type { AppContext } from '../context.ts'
import { enforceRateLimit } from '../rateLimit/sharedLimits.ts'

/** Enough for an owner who sorts the roles of a whole crew. */
export const teamChangesPerHour = 120

/**
 * Counts a change by an owner: its record is stored for 400 days, and the page of every member fetches the team
 * again. Refuses with `too-many`.
 */
export function countTeamChange(context: Pick<AppContext, 'db' | 'clock'>, userId: UserId) {
  return enforceRateLimit(context, {
    what: 'change-team',
    key: userId,
    limit: teamChangesPerHour,
    windowMs: 60 * 60 * 1000,
  })
}
