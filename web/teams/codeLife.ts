import { hourMs } from '#contract/shared/durations.ts'
import { joinCodeLifeMs } from '#contract/shared/joinCode.ts'

/** How long a code to join is valid. */
export type CodeLife = 'sunday' | 'longest' | 'today' | 'hour'

/** Returns the end of a code, by the clock and the time zone of this device. */
export function codeEndsAt(life: CodeLife, now: number): number {
  switch (life) {
    case 'sunday':
      return midnightAfter(now, (7 - new Date(now).getDay()) % 7)
    case 'longest':
      return now + joinCodeLifeMs
    case 'today':
      return midnightAfter(now, 0)
    case 'hour':
      return now + hourMs
  }
}

/** Returns the choices, the usual one first: until the end of Sunday, from four days before. */
export function codeLives(now: number): CodeLife[] {
  const others: CodeLife[] = ['longest', 'today', 'hour']
  const sunday = codeEndsAt('sunday', now)
  if (sunday > now + joinCodeLifeMs) return others
  return ['sunday', ...others.filter(life => codeEndsAt(life, now) !== sunday)]
}

function midnightAfter(now: number, days: number): number {
  const day = new Date(now)
  return new Date(day.getFullYear(), day.getMonth(), day.getDate() + days + 1).getTime()
}
