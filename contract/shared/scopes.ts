// No zod here: both sides need these at run time.

/**
 * Rights of a device's token: `drive` reports the car's position and shows messages to the driver,
 * `read` reads the owner's teams and sessions, `send` sends messages to drivers.
 */
export const scopes = ['drive', 'read', 'send'] as const
export type Scope = (typeof scopes)[number]
