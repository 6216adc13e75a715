// No zod here: the browser needs these at run time.

/** The eight codes, in the order of the pad. */
export const messageTypes = ['Easy', 'Go', 'Push', 'Pit', 'Fuel', 'FCY', 'SC', 'Abort'] as const
