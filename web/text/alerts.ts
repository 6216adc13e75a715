/** Titles of a hidden page after something happened. */
export const alertsText = {
  sessionStarted: (session: string) => `${session} has started`,
  sessionEnded: (session: string) => `${session} has ended`,
  driverSilent: (session: string) => `${session}: driver silent`,
}
