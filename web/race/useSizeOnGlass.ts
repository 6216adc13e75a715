import { useSyncExternalStore } from 'react'
import { answerTo, type KnownAnswers } from '#client/channel/sessionAnswers.ts'
import type { Message } from '#contract/messages.ts'
import { type SizeOnGlass, sizeOnGlass } from '#contract/shared/onGlass.ts'
import type { Visit } from '#racing/race/stopClock.ts'
import { useServerClock } from '#web/live/useLive.ts'
import { onSecond } from '#web/live/useSecond.ts'

/** Returns how large the message is on every screen of its car. Renders again only when that changes. */
export function useSizeOnGlass(
  message: Message | null,
  { reply }: Pick<KnownAnswers, 'reply'>,
  visits: readonly Visit[] = [],
): SizeOnGlass {
  const now = useServerClock()
  return useSyncExternalStore(onSecond, () => {
    if (!message) return 'gone'
    const answered = answerTo(message.version, reply)?.at ?? null
    return sizeOnGlass(message, answered, visits, now())
  })
}
