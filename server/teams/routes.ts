import type { TeamId, UserId } from '#contract/ids.ts'
import type { joinCodes } from '#contract/joinCodes.ts'
import type { words } from '#contract/ownWords.ts'
import type { Team, teams } from '#contract/teams.ts'
import type { televisions } from '#contract/televisions.ts'
import { setLoginCookie } from '../auth/logins/loginCookie.ts'
import { meFromRow } from '../auth/people.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { lockAsOwner } from '../rights/lockTeam.ts'
import { acceptInvitation, declineInvitation } from './answerInvitation.ts'
import { deletedTeams, deleteTeam, restoreTeam } from './deleteTeam.ts'
import { invitationsOf, invitedTo, openInvitation } from './invitations.ts'
import { invite } from './invite.ts'
import { findCode, listCodes, showCode, stopCode } from './joinCodes.ts'
import { joinState, joinTeam } from './joinTeam.ts'
import { leaveTeam, removeMember } from './leave.ts'
import { joinRequests, letIn, turnAway, withdrawRequest } from './letIn.ts'
import { membersOf, requireRoomForTeam } from './members.ts'
import { ownWords, removeWord, saveWord } from './ownWords.ts'
import { setRole } from './setRole.ts'
import { publishTeamChanged } from './teamChanged.ts'
import { recordTeamChange, teamChanges } from './teamChanges.ts'
import { teamOf, teamsOf } from './teams.ts'
import { allowTelevision, findTelevision, requestCode } from './televisionCodes.ts'
import { collectLogin, listTelevisions, removeTelevision, televisionOf } from './televisions.ts'
import { withdrawInvitation } from './withdrawInvitation.ts'

export function teamCalls(context: AppContext): HandlersOf<typeof teams, Caller> {
  const { db, live, clock } = context
  const { done, forMembers } = handlersOf(context)
  return {
    list: ({ caller }) => teamsOf(db, caller.userId),

    get: ({ input, caller }) => teamOf(db, input.teamId, caller.userId),

    async create({ input, caller }) {
      const made = await db.transaction().execute(async trx => {
        const made = await trx
          .selectFrom(eb =>
            eb
              .fn<{ id: string; name: string }>('create_team', [
                eb.val(input.name),
                eb.cast<string>(eb.val(caller.userId), 'uuid'),
              ])
              .as('made'),
          )
          .select(['made.id', 'made.name'])
          .executeTakeFirstOrThrow()
        await requireRoomForTeam(trx, caller.userId)
        await recordTeamChange(trx, {
          teamId: made.id,
          kind: 'created',
          actorId: caller.userId,
          at: clock.now(),
        })
        return made
      })
      const team = {
        ...made,
        logoUpdatedAt: null,
        photoUpdatedAt: null,
        ownerId: caller.userId,
        role: 'member' as const,
      }
      live.publish(`user:${caller.userId}`, { t: 'team-added', team })
      return team
    },

    members: forMembers((_, { teamId }) => membersOf(db, teamId)),
    invited: forMembers((_, { teamId }) => invitedTo(db, teamId, clock.now())),

    invite: ({ input, caller, request }) =>
      invite(context, { inviterId: caller.userId, ip: request.ip }, input),

    withdrawInvitation: done(withdrawInvitation),
    invitations: ({ caller }) => invitationsOf(db, caller.userId, clock.now()),

    openInvitation: ({ input }) => openInvitation(db, input.invitationId, clock.now()),

    accept: ({ input, caller }) =>
      acceptInvitation(context, caller.userId, input.invitationId, clock.now()),

    decline: done((_, userId, { invitationId }) =>
      declineInvitation(context, userId, invitationId, clock.now()),
    ),

    rename: ({ input, caller }) => renameTeam(context, caller.userId, input),
    setRole: ({ input, caller }) => setRole(context, caller.userId, input),
    removeMember: done(removeMember),
    changes: forMembers(teamChanges),
    delete: done((_, userId, { teamId }) => deleteTeam(context, userId, teamId)),
    listDeleted: ({ caller }) => deletedTeams(db, caller.userId, clock.now()),

    restore: ({ input, caller }) => restoreTeam(context, caller.userId, input.teamId),

    leave: done((_, userId, { teamId }) => leaveTeam(context, teamId, userId)),
  }
}

export function joinCodeCalls(context: AppContext): HandlersOf<typeof joinCodes, Caller> {
  const { db } = context
  const { done } = handlersOf(context)
  return {
    show: ({ input, caller }) => showCode(context, caller.userId, input),
    list: ({ input, caller }) => listCodes(context, caller.userId, input.teamId),
    stop: done(stopCode),

    async find({ input: { code }, request }) {
      const { id: _, ...found } = await findCode(context, { code, ip: request.ip })
      return found
    },

    async join({ input, caller, request, reply }) {
      const { login, ...joined } = await joinTeam(context, {
        ...input,
        ip: request.ip,
        userAgent: request.headers['user-agent'],
        caller: caller && isPerson(caller) ? caller : null,
      })
      if (login) setLoginCookie(reply, context.publicUrl(), login)
      return joined
    },

    state: ({ input, caller }) => joinState(db, caller, input.teamId),
    withdraw: done(withdrawRequest),
    waiting: ({ input, caller }) => joinRequests(db, caller.userId, input.teamId),
    letIn: done(letIn),
    turnAway: done(turnAway),
  }
}

/** True for the browser of somebody who has an account, or joined by a code. */
function isPerson({ kind, scopes }: Caller): boolean {
  return kind !== 'anonymous' && scopes === null
}

export function wordCalls(context: AppContext): HandlersOf<typeof words, Caller> {
  return {
    list: handlersOf(context).forMembers((db, { teamId }) => ownWords(db, teamId)),
    save: ({ input, caller }) => saveWord(context, caller.userId, input),
    remove: ({ input, caller }) => removeWord(context, caller.userId, input),
  }
}

export function televisionCalls(context: AppContext): HandlersOf<typeof televisions, Caller> {
  const { db, clock } = context
  const { done, forMembers } = handlersOf(context)
  return {
    requestCode: ({ request }) =>
      requestCode(context, { ip: request.ip, userAgent: request.headers['user-agent'] }),

    async collect({ input: { secret }, request, reply }) {
      const userAgent = request.headers['user-agent']
      const connected = await collectLogin(context, { secret, userAgent })
      if (!connected) return { login: null }
      const { user, login } = connected
      setLoginCookie(reply, context.publicUrl(), login)
      const television = await televisionOf(db, user.id)
      return {
        login: {
          user: meFromRow(user),
          expiresAt: login.expiresAt,
          ...(television && { television }),
        },
      }
    },

    find: ({ input: { code }, caller, request }) =>
      findTelevision(context, { userId: caller.userId, ip: request.ip, code }),

    allow: done(allowTelevision),
    list: forMembers((_, { teamId }) => listTelevisions(db, teamId, clock.now())),
    remove: done(removeTelevision),
  }
}

/** Renames a team, which only its owner may do. Refuses with `not-a-member`, `not-the-owner` or `too-many`. */
async function renameTeam(
  { db, live, clock }: Pick<AppContext, 'db' | 'live' | 'clock'>,
  callerId: UserId,
  { teamId, name }: { teamId: TeamId; name: string },
): Promise<Team> {
  const team = await db.transaction().execute(async trx => {
    await lockAsOwner(trx, teamId, callerId)
    const { name: before } = await teamOf(trx, teamId, callerId)
    await trx.updateTable('teams').set({ name }).where('id', '=', teamId).execute()
    if (name !== before)
      await recordTeamChange(trx, {
        teamId,
        kind: 'renamed',
        actorId: callerId,
        at: clock.now(),
        before,
        after: name,
      })
    return teamOf(trx, teamId, callerId)
  })
  await publishTeamChanged({ db, live }, teamId)
  return team
}
