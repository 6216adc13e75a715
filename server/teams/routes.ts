import type { teams } from '#contract/teams.ts'
import type { AppContext, Caller } from '../context.ts'
import { handlersOf } from '../handlers.ts'
import type { HandlersOf } from '../http/route.ts'
import { acceptInvitation, declineInvitation } from './answerInvitation.ts'
import { deletedTeams, deleteTeam, restoreTeam } from './deleteTeam.ts'
import { invitationsOf, invitedTo } from './invitations.ts'
import { invite } from './invite.ts'
import { leaveTeam, removeMember } from './leave.ts'
import { membersOf, requireRoomForTeam } from './members.ts'
import { renameTeam } from './rename.ts'
import { setRole } from './setRole.ts'
import { recordTeamChange, teamChanges } from './teamChanges.ts'
import { teamOf, teamsOf } from './teams.ts'
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
