import type { Message } from '#contract/messages.ts'
import { code60, isOwnWord } from '#contract/shared/messageTypes.ts'

/** The parts of a message that decide its look. */
export interface Coloured extends Pick<Message, 'type'> {
  readonly colour?: Message['colour']
}

/** Tone of a message on boards, plates and the map; null for an empty screen. */
export function toneOf({ type, colour }: Coloured): string | null {
  return colour ?? type?.toLowerCase() ?? null
}

/** True for own words and Code 60, which can be too long for the type size of other messages. */
export function isLong({ type, colour }: Coloured): boolean {
  return colour !== undefined || type === code60
}

/** True for the messages behind the key More. */
export function isOfMore({ type }: Coloured): boolean {
  return type === code60 || isOwnWord(type)
}
