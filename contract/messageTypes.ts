// No zod here: the browser needs these at run time.

/** The eight codes, in the order of the pad. */
export const messageTypes = ['Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort'] as const

/** The log gives so many of the newest messages: more than a day at one a minute. The file has all. */
export const mostLogged = 2000

/** How long a message may take to the driver's screen: the team's choice in these bounds, in seconds; 120 at first. */
export const shortestExpiryS = 10
export const longestExpiryS = 3600

/** They hold until they are replaced, however late the phone hears of them; so does a cleared screen. */
export const neverExpire: readonly (string | null)[] = ['FCY', 'SC', null]
