import type { Answer } from '#contract/answers.ts'
import type { Message } from '#contract/messages.ts'
import type { SizeOnGlass } from '#contract/shared/onGlass.ts'

/** Content of the driver's screen. */
export type OnGlass = 'problem' | 'message' | 'stop' | 'laps'

interface State {
  /** The driver's last report of a problem. */
  readonly problem: Answer | null
  readonly size: SizeOnGlass
  readonly isInStop: boolean
}

/**
 * Returns what fills the driver's screen, by the rule of the phone: outside the pits a problem fills it until it is taken
 * back or a newer message arrives, also after "Got it".
 */
export function onGlass(
  { version }: Pick<Message, 'version'>,
  { problem, size, isInStop }: State,
): OnGlass {
  if (problem?.kind === 'Problem' && problem.version === version && !isInStop) return 'problem'
  if (size === 'full') return 'message'
  return isInStop ? 'stop' : 'laps'
}
