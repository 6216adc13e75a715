import { z } from 'zod'
import { Login } from './auth.ts'
import { command, read } from './endpoint.ts'
import { EpochMs, TeamId, TelevisionId } from './ids.ts'
import { LineOfText, TypedCode } from './text.ts'

/** The secret with which a television collects its login: 32 random bytes as base64url. */
export const TelevisionSecret = z.string().regex(/^[\w-]{43}$/)

/** The browser that shows a code, described so that a member can check that it is their television. */
export const WaitingTelevision = z.object({
  code: z.string(),
  /** Such as `Chrome` on `Linux`; null if unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  requestedAt: EpochMs,
  /** True if the television has the public IP address of the caller, as on one Wi-Fi. */
  sameNetwork: z.boolean(),
})
export type WaitingTelevision = z.infer<typeof WaitingTelevision>

/** A television that shows the pit wall of a team. */
export const Television = z.object({
  id: TelevisionId,
  name: z.string(),
  browser: z.string().nullable(),
  system: z.string().nullable(),
  /** The name of the member who connected it. */
  allowedBy: z.string().nullable(),
  createdAt: EpochMs,
  /** Accurate to one hour. */
  lastUsedAt: EpochMs,
})
export type Television = z.infer<typeof Television>

const ofTeam = z.object({ teamId: TeamId })

export const televisions = {
  requestCode: command({
    auth: 'anyone',
    summary:
      'Requests a code that a television shows until a member enters it. The secret stays on the television.',
    input: z.object({}),
    output: z.object({ code: z.string(), secret: TelevisionSecret, expiresAt: EpochMs }),
  }),
  collect: command({
    auth: 'anyone',
    summary:
      'Signs in the television once a member has entered its code: the response sets the cookie of a login that reads one team. Null until then.',
    input: z.object({ secret: TelevisionSecret }),
    output: z.object({ login: Login.nullable() }),
  }),
  find: command({
    auth: 'signed-in',
    summary: 'Describes the television that shows this code, before the caller allows it.',
    input: z.object({ code: TypedCode }),
    output: WaitingTelevision,
  }),
  allow: command({
    auth: 'signed-in',
    summary:
      'Lets the television with this code show the pit wall of a team. Each code can be used once.',
    input: ofTeam.extend({ code: TypedCode, name: LineOfText }),
    output: z.object({}),
  }),
  list: read({
    auth: 'signed-in',
    summary: 'The televisions that show the pit wall of a team, the newest first.',
    input: ofTeam,
    output: z.array(Television),
  }),
  remove: command({
    auth: 'signed-in',
    summary: 'Disconnects a television at once.',
    input: ofTeam.extend({ televisionId: TelevisionId }),
    output: z.object({}),
  }),
}
