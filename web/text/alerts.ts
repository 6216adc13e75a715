import { part } from './text.ts'

/** Titles of a hidden page after something happened. */
export const alertsText = part('alerts', {
  sessionStarted: (session: string) => `${session} has started`,
  sessionEnded: (session: string) => `${session} has ended`,
  driverSilent: (session: string) => `${session}: driver silent`,
})

declare module './text.ts' {
  interface Text {
    readonly alerts: typeof alertsText
  }
}
