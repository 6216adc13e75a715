import { z } from 'zod'
import { latestEpochMs, latestQueryMs } from './shared/bounds.ts'

/** Ids are normalised to lower case, because names of rooms contain them. */
const Id = z.uuid().toLowerCase()

export const UserId = Id
export type UserId = z.infer<typeof UserId>

export const TeamId = Id
export type TeamId = z.infer<typeof TeamId>

export const InvitationId = Id
export type InvitationId = z.infer<typeof InvitationId>

/** A code with which people join a team. */
export const JoinCodeId = Id
export type JoinCodeId = z.infer<typeof JoinCodeId>

/** A race session. A sign-in is called a login. */
export const SessionId = Id
export type SessionId = z.infer<typeof SessionId>

/** A car of a team. */
export const CarId = Id
export type CarId = z.infer<typeof CarId>

/** A driver of a team's roster, with or without an account. */
export const DriverId = Id
export type DriverId = z.infer<typeof DriverId>

export const StintId = Id
export type StintId = z.infer<typeof StintId>

/** A word that a team made itself. */
export const WordId = Id
export type WordId = z.infer<typeof WordId>

/** A race of a team, in which several of its cars may drive. */
export const RaceId = Id
export type RaceId = z.infer<typeof RaceId>

/** A rule pack: the rules of a series. A pack of the app has a name as its id, a team's own pack has a UUID. */
export const RulePackId = z.string().regex(/^[a-z0-9-]{1,40}$/)
export type RulePackId = z.infer<typeof RulePackId>

/** A correction by a person of which phone was in a car. */
export const RunCorrectionId = Id
export type RunCorrectionId = z.infer<typeof RunCorrectionId>

/** An entry by hand about the official timing. */
export const TimingEntryId = Id
export type TimingEntryId = z.infer<typeof TimingEntryId>

/** A fuel entry: the fuel at the start, or a fill. */
export const FillId = Id
export type FillId = z.infer<typeof FillId>

/** A sign-in of a browser or device. */
export const LoginId = Id
export type LoginId = z.infer<typeof LoginId>

/** The login of a television. */
export const TelevisionId = Id
export type TelevisionId = z.infer<typeof TelevisionId>

export const PasskeyId = Id
export type PasskeyId = z.infer<typeof PasskeyId>

/** Milliseconds since the epoch, by the server's clock unless a field documents another. */
export const EpochMs = z.int().min(0).max(latestEpochMs)
export type EpochMs = z.infer<typeof EpochMs>

/** A time in the query of a URL, where it is text. */
export const QueryEpochMs = z.coerce.number().int().min(0).max(latestQueryMs)
