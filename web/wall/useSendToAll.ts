import type { MessageType } from '#contract/messages.ts'
import { code60 } from '#contract/shared/messageTypes.ts'
import { useChannel } from '#web/live/LiveProvider.tsx'
import { usePressTo } from '#web/message/useSendMessage.ts'
import type { Lane } from './lanes.ts'

/** What all cars can be told at once; null is CLEAR. The others are meant for one car. */
const ofAll: readonly (MessageType | null)[] = ['Easy', 'FCY', 'SC', code60, 'Abort', null]

export function mayGoToAll(type: MessageType | null): boolean {
  return ofAll.includes(type)
}

/** Returns a function that sends a message to each of these cars. Each gets its own receipt. */
export function useSendToAll(lanes: readonly Lane[]): (type: MessageType | null) => void {
  const channel = useChannel()
  const pressTo = usePressTo()
  return type => {
    for (const { session } of lanes) {
      const known = channel.session(session.id).session ?? session
      if (known.dataLink) pressTo(session.id, known.message)(type, { toCar: true })
    }
  }
}
