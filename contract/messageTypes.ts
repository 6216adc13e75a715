// No zod here: the browser needs these at run time.

/** The eight codes, in the order of the pad. */
export const messageTypes = ['Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort'] as const

/** Messages on one page of a log. */
export const messagesPerPage = 100

/** How long a message may take to the driver's screen: the team's choice in these bounds, in seconds; 120 at first. */
export const shortestExpiryS = 10
export const longestExpiryS = 3600

/** These hold until they are replaced, however late the phone receives them; so does a cleared screen. */
export const neverExpire: readonly (string | null)[] = ['FCY', 'SC', 'Abort', null]
