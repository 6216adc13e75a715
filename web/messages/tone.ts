import type { MessageType } from '#contract/messages.ts'

/** Tone of a message on boards, plates and the map. */
export function toneOf(type: MessageType): Lowercase<MessageType>
export function toneOf(type: MessageType | null): Lowercase<MessageType> | null
export function toneOf(type: MessageType | null) {
  return type === null ? null : type.toLowerCase()
}
