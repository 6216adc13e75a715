/**
 * Faults of the phone's settings that a driver can repair, most important first: `problems` of the phone's state. A blurred
 * position, a screen that may go dark, saving power, a wrong clock, no storage, no sound.
 */
export const phoneFaults = ['approximate', 'awake', 'power', 'clock', 'storage', 'sound'] as const
export type PhoneFault = (typeof phoneFaults)[number]
