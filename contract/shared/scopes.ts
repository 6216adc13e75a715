// No zod here: both sides need these at run time.

/**
 * Rights of a device's token: `drive` reports the car's position and shows messages to the driver,
 * `read` reads the owner's teams and sessions, `send` sends messages to drivers, `timing` adds official timing.
 */
export const deviceScopes = ['drive', 'read', 'send', 'timing'] as const
export type DeviceScope = (typeof deviceScopes)[number]

export function isDeviceScope(scope: Scope): scope is DeviceScope {
  return scope !== 'wall'
}

/** Rights of any login that is limited: `wall` reads the pit wall of one team, for a television. */
export const scopes = [...deviceScopes, 'wall'] as const
export type Scope = (typeof scopes)[number]
