import { useSyncExternalStore } from 'react'
import type { KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Message } from '#contract/messages.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import type { CarRace } from '#web/race/shownCarRace.ts'
import { useSizeOnGlass } from '#web/race/useSizeOnGlass.ts'
import type { Press } from './delivery.ts'
import { pressesOf } from './presses.ts'

/**
 * Returns the message whose key is lit: the press that is being sent, else the message that fills the driver's screen.
 * Null if the message is only a plate: answered, obeyed, or replaced by a stop.
 */
export function useLitMessage(
  sessionId: string,
  message: Message | null,
  answers: KnownAnswers,
  race: CarRace | undefined,
): Message | Press | null {
  const presses = pressesOf(useChannel(), sessionId)
  const { pending } = useSyncExternalStore(presses.onChange, () => presses.state)
  const size = useSizeOnGlass(message, answers, race?.visits)
  return pending ?? (size === 'full' ? message : null)
}
