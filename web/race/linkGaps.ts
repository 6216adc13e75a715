import type { LoggedDataLink } from '#contract/sessions.ts'

/** A time in which the data link of a session was off; without an end it still is. */
export interface LinkGap {
  readonly from: number
  readonly to: number
}

/** Returns the times in which a data link was off, from its switches in order of time. */
export function linkGaps(log: readonly LoggedDataLink[]): LinkGap[] {
  return log.flatMap(({ dataLink, at }, index) =>
    dataLink ? [] : [{ from: at, to: log[index + 1]?.at ?? Number.POSITIVE_INFINITY }],
  )
}

/** Returns whether a data link was off at a time. */
export function isLinkOffAt(gaps: readonly LinkGap[], at: number): boolean {
  return gaps.some(({ from, to }) => from <= at && at < to)
}
