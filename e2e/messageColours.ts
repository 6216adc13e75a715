import type { KnownType } from '#contract/shared/messageTypes.ts'

/** `--msg-*` of `web/ui/theme/tokens.css`: teal, green, blue, yellow, orange, light yellow twice, violet, red. */
export const messageColours: Record<KnownType, string> = {
  Easy: 'rgb(23, 190, 196)',
  Go: 'rgb(43, 227, 111)',
  Push: 'rgb(70, 153, 255)',
  Pit: 'rgb(255, 216, 20)',
  Fuel: 'rgb(255, 139, 31)',
  FCY: 'rgb(255, 245, 184)',
  SC: 'rgb(255, 245, 184)',
  'Code 60': 'rgb(184, 146, 255)',
  Abort: 'rgb(255, 79, 69)',
}
