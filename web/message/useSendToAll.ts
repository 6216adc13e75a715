import type { MessageType } from '#contract/messages.ts'
import { code60 } from '#contract/shared/messageTypes.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { wallText } from '#web/text/wall.ts'
import { useToasts } from '#web/ui/toasts.ts'
import { laneName } from './laneName.ts'
import type { Lane } from './lanes.ts'
import { usePressTo } from './useSendMessage.ts'

/** The topic of toasts about a message to all cars. */
export const sendToAllTopic = 'send-to-all'

/** Messages that all cars can get at once; null is CLEAR. The others are meant for one car. */
export const ofAll: readonly (MessageType | null)[] = ['Easy', 'FCY', 'SC', code60, 'Abort', null]

export function mayGoToAll(type: MessageType | null): boolean {
  return ofAll.includes(type)
}

/**
 * Returns a function that sends a message to each of these cars. Each gets its own receipt; the cars whose data link is
 * off are named.
 */
export function useSendToAll(lanes: readonly Lane[]): (type: MessageType | null) => void {
  const channel = useChannel()
  const pressTo = usePressTo()
  const toasts = useToasts()
  return type => {
    const skipped: string[] = []
    for (const { session } of lanes) {
      const known = channel.session(session.id).session ?? session
      if (known.dataLink) pressTo(session.id, known.message)(type, { toCar: true })
      else skipped.push(laneName(known).full)
    }
    if (skipped.length > 0)
      toasts.error(wallText.notSentTo(skipped), wallText.linkIsOff, sendToAllTopic)
  }
}
