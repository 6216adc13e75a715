import type { Message } from '#contract/messages.ts'

/** The parts of a message that decide its look. */
export interface Coloured extends Pick<Message, 'type'> {
  readonly colour?: Message['colour']
}

/** Tone of a message on boards, plates and the map; null for an empty screen. */
export function toneOf({ type, colour }: Coloured): string | null {
  return colour ?? type?.toLowerCase() ?? null
}
