import type { MessageType } from '#contract/messages.ts'

/** `--msg-*` of `web/ui/theme/tokens.css`: teal, green, blue, yellow, orange, light yellow twice, red. */
export const messageColours: Record<MessageType, string> = {
  Easy: 'rgb(23, 190, 196)',
  Go: 'rgb(43, 227, 111)',
  Push: 'rgb(70, 153, 255)',
  Pit: 'rgb(255, 216, 20)',
  Fuel: 'rgb(255, 139, 31)',
  FCY: 'rgb(255, 245, 184)',
  SC: 'rgb(255, 245, 184)',
  Abort: 'rgb(255, 79, 69)',
}
