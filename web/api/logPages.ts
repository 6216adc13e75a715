import type { LoggedMessage } from '#contract/messages.ts'

/** A log, newest first: the newest page, then the earlier messages that were loaded and follow on it. */
export function withNewest(
  loaded: readonly LoggedMessage[],
  newest: readonly LoggedMessage[],
): LoggedMessage[] {
  const oldest = newest.at(-1)
  const earlier = loaded.filter(({ version }) => oldest && version < oldest.version)
  // Messages between the two are missing: what is beyond them has to be loaded again.
  const followsOn = oldest && earlier[0]?.version === oldest.version - 1
  return followsOn ? [...newest, ...earlier] : [...newest]
}

/** A log, newest first, with the page before its oldest message. */
export function withEarlier(
  loaded: readonly LoggedMessage[],
  page: readonly LoggedMessage[],
): LoggedMessage[] {
  const oldest = loaded.at(-1)
  return [...loaded, ...page.filter(({ version }) => oldest && version < oldest.version)]
}
