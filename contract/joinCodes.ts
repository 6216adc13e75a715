import { z } from 'zod'
import { command, read } from './endpoint.ts'
import { EpochMs, JoinCodeId, TeamId, UserId } from './ids.ts'
import { joinCodeUses } from './shared/joinCode.ts'
import { MemberRole } from './teams.ts'
import { TypedCode } from './text.ts'
import { FirstName, LastName } from './users.ts'

const rights = {
  /** The role of everybody who joins with it. */
  role: MemberRole,
  /** True if a member lets each person in; false if everybody with the code is in at once. */
  asks: z.boolean(),
  expiresAt: EpochMs,
}

/** A code with which people join a team. */
export const JoinCode = z.object({
  id: JoinCodeId,
  code: z.string(),
  ...rights,
  uses: z.int(),
  maxUses: z.int(),
  /** The name of the member who shows it. */
  shownBy: z.string().nullable(),
})
export type JoinCode = z.infer<typeof JoinCode>

/** A person who waits to be let in. */
export const JoinRequest = z.object({
  userId: UserId,
  firstName: z.string().nullable(),
  lastName: z.string().nullable(),
  email: z.string().nullable(),
  /** Such as `Chrome` on `Android`; null if unknown. */
  browser: z.string().nullable(),
  system: z.string().nullable(),
  askedAt: EpochMs,
  role: MemberRole,
  /** True for a claim to be the member without an e-mail who has this name. */
  takesOver: z.boolean(),
})
export type JoinRequest = z.infer<typeof JoinRequest>

const ofTeam = z.object({ teamId: TeamId })
const ofPerson = ofTeam.extend({ userId: UserId })

export const joinCodes = {
  show: command({
    auth: 'account',
    limit: 'rare',
    summary: 'Creates a code with which people join the team, for at most four days.',
    input: ofTeam.extend({
      ...rights,
      maxUses: z.int().min(1).max(joinCodeUses.most),
    }),
    output: JoinCode,
  }),
  list: read({
    auth: 'account',
    summary: 'The valid codes of a team, the newest first.',
    input: ofTeam,
    output: z.array(JoinCode),
  }),
  stop: command({
    auth: 'account',
    summary: 'Ends a code at once. People who have joined with it stay.',
    input: ofTeam.extend({ codeId: JoinCodeId }),
    output: z.object({}),
  }),
  find: command({
    auth: 'anyone',
    summary: 'The team of a code, before the caller joins it.',
    input: z.object({ code: TypedCode }),
    output: z.object({
      teamId: TeamId,
      team: z.string(),
      /** The name of the member who shows it. */
      shownBy: z.string().nullable(),
      ...rights,
    }),
  }),
  join: command({
    auth: 'anyone',
    summary:
      'Joins a team. Without a login, the response sets the cookie of a new one with this name and without an e-mail; with one, the caller joins as they are.',
    input: z.object({
      code: TypedCode,
      firstName: FirstName.optional(),
      lastName: LastName.optional(),
      /** Whether the caller is the member of the same name: see the state `same-name`. */
      isSame: z.boolean().optional(),
    }),
    output: z.object({
      teamId: TeamId,
      /** `same-name`: a member without an e-mail has this name. Nothing has happened: repeat with `isSame`. */
      state: z.enum(['in', 'waiting', 'same-name']),
    }),
  }),
  state: read({
    auth: 'anyone',
    summary: 'Whether the caller is in the team, waits to be let in, or neither.',
    input: ofTeam,
    output: z.object({
      state: z.enum(['in', 'waiting', 'not-in']),
      /** The name of the team, unless the caller has nothing to do with it. */
      team: z.string().optional(),
      /** The caller's role in the team. */
      role: MemberRole.optional(),
    }),
  }),
  withdraw: command({
    auth: 'signed-in',
    summary: 'Ends the wait of the caller to be let in. A login that was made for it ends.',
    input: ofTeam,
    output: z.object({}),
  }),
  waiting: read({
    auth: 'signed-in',
    summary: 'People who wait to be let in, the first one first.',
    input: ofTeam,
    output: z.array(JoinRequest),
  }),
  letIn: command({
    auth: 'signed-in',
    summary:
      'Lets a person in. If they take over the name of a member, that needs a caller with an e-mail address, and the member’s other device is signed out.',
    input: ofPerson,
    output: z.object({}),
  }),
  turnAway: command({
    auth: 'signed-in',
    summary: 'Refuses a person who waits to be let in.',
    input: ofPerson,
    output: z.object({}),
  }),
}
