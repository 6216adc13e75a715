import type { MessageType } from '#contract/messages.ts'
import type { messageTypes } from '#contract/shared/messageTypes.ts'

/** The key of each message, and of CLEAR: its first letter, unless an earlier one has it. PIT is sent most often. */
const letters: Readonly<Record<string, string>> = {
  Easy: 'E',
  Go: 'G',
  Push: 'U',
  Pit: 'P',
  Fuel: 'F',
  FCY: 'Y',
  SC: 'S',
  Abort: 'A',
  clear: 'C',
} satisfies Record<(typeof messageTypes)[number] | 'clear', string>

/** With Shift it opens the further messages, as on the message screen. */
export const moreLetter = 'M'

/** Returns the letter that sends a message; null is CLEAR. */
export function letterOf(type: MessageType | null): string {
  return letters[type ?? 'clear'] ?? ''
}

/** Returns the message of a letter; null is CLEAR, undefined no message. */
export function messageOf(
  letter: string,
  types: readonly (MessageType | null)[],
): MessageType | null | undefined {
  return types.find(type => letterOf(type) === letter.toUpperCase())
}
