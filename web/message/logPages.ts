import type { LoggedMessage } from '#contract/messages.ts'

/**
 * Merges the newest page of a log (newest first) with earlier messages that were loaded and directly
 * follow it.
 */
export function withNewest(
  loaded: readonly LoggedMessage[],
  newest: readonly LoggedMessage[],
): LoggedMessage[] {
  const oldest = newest.at(-1)
  const earlier = loaded.filter(({ version }) => oldest && version < oldest.version)
  // With a gap in between, everything before the gap has to be loaded again.
  const followsOn = oldest && earlier[0]?.version === oldest.version - 1
  return followsOn ? [...newest, ...earlier] : [...newest]
}

/** Replaces messages that were read again, perhaps with another name of their sender. */
export function withReread(
  loaded: readonly LoggedMessage[],
  reread: readonly LoggedMessage[],
): LoggedMessage[] {
  const newer = new Map(reread.map(message => [message.version, message]))
  return loaded.map(message => newer.get(message.version) ?? message)
}

/** Appends an earlier page to a log (newest first), without duplicates. */
export function withEarlier(
  loaded: readonly LoggedMessage[],
  page: readonly LoggedMessage[],
): LoggedMessage[] {
  const oldest = loaded.at(-1)
  return [...loaded, ...page.filter(({ version }) => oldest && version < oldest.version)]
}
