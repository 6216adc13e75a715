/** Titles of a hidden page after something happened. */
export const alertsText = {
  sessionEnded: (session: string) => `${session} has ended`,
  driverSilent: (session: string) => `${session}: driver silent`,
}
