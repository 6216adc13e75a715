import { z } from 'zod'

export const UserId = z.uuid()
export type UserId = z.infer<typeof UserId>

export const TeamId = z.uuid()
export type TeamId = z.infer<typeof TeamId>

/** A race session. A sign-in is called a login. */
export const SessionId = z.uuid()
export type SessionId = z.infer<typeof SessionId>

/** Milliseconds since the epoch, by the server's clock unless a field says otherwise. */
export const EpochMs = z.int().min(0).max(8.64e15)
export type EpochMs = z.infer<typeof EpochMs>
