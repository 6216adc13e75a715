import type { teams } from '#contract/teams.ts'
import type { AppContext, Caller } from '../context.ts'
import type { HandlersOf } from '../http/route.ts'
import { requireMember } from '../rights/requireMember.ts'
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

    async members({ input, caller }) {
      await requireMember(db, input.teamId, caller.userId)
      return membersOf(db, input.teamId)
    },

    async invited({ input, caller }) {
      await requireMember(db, input.teamId, caller.userId)
      return invitedTo(db, input.teamId, clock.now())
    },

    invite: ({ input, caller, request }) =>
      invite(context, { inviterId: caller.userId, ip: request.ip }, input),

    async withdrawInvitation({ input, caller }) {
      await withdrawInvitation(context, caller.userId, input)
      return {}
    },

    invitations: ({ caller }) => invitationsOf(db, caller.userId, clock.now()),

    accept: ({ input, caller }) =>
      acceptInvitation(context, caller.userId, input.invitationId, clock.now()),

    async decline({ input, caller }) {
      await declineInvitation(context, caller.userId, input.invitationId, clock.now())
      return {}
    },

    rename: ({ input, caller }) => renameTeam(context, caller.userId, input),

    setRole: ({ input, caller }) => setRole(context, caller.userId, input),

    async removeMember({ input, caller }) {
      await removeMember(context, caller.userId, input)
      return {}
    },

    async changes({ input, caller }) {
      await requireMember(db, input.teamId, caller.userId)
      return teamChanges(db, input)
    },

    async delete({ input, caller }) {
      await deleteTeam(context, caller.userId, input.teamId)
      return {}
    },

    listDeleted: ({ caller }) => deletedTeams(db, caller.userId, clock.now()),

    restore: ({ input, caller }) => restoreTeam(context, caller.userId, input.teamId),

    async leave({ input, caller }) {
      await leaveTeam(context, input.teamId, caller.userId)
      return {}
    },
  }
}
