import type { MessageType } from '#contract/messages.ts'
import { messageTypes } from '#contract/shared/messageTypes.ts'
import { settingKeys } from '#web/device/stored.ts'
import { textStore } from '#web/device/textStore.ts'

/** `off` if this device has no keyboard shortcuts. */
const storageKey = settingKeys.wallKeys

/** The messages of the pad, in its order; null is CLEAR. */
export const plates: readonly (MessageType | null)[] = [...messageTypes, null]

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

/** On the wall: the driver change, in the pits the confirmation of the planned driver; and the litres of a stop. */
export const driverLetter = 'D'
export const litresLetter = 'L'

/** Presses "Got it". */
export const gotItLetter = 'K'

/** With Shift it opens the further messages. */
export const moreLetter = 'M'

/** Returns the letter that sends a message; null is CLEAR. */
export function letterOf(type: MessageType | null): string {
  return letters[type ?? 'clear'] ?? ''
}

/** Returns the message of a letter; null is CLEAR, undefined no message. */
export function messageOf(letter: string): MessageType | null | undefined {
  return plates.find(type => letterOf(type) === letter.toUpperCase())
}

/** Returns whether this device has keyboard shortcuts: single keys can be pressed by accident, or by speech input. */
export function areKeysOn(): boolean {
  return textStore.read(storageKey) !== 'off'
}

export function storeKeysOn(isOn: boolean) {
  if (isOn) textStore.remove(storageKey)
  else textStore.write(storageKey, 'off')
}
