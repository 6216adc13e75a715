import type { TeamId, UserId } from '#contract/ids.ts'
import { Refusal } from '#contract/refusal.ts'
import type { Parts } from '../parts.ts'

/** Takes a member out of a team. Their active session in it ends; their lines leave its rooms at once. */
export async function leaveTeam({ db, live }: Parts, teamId: TeamId, userId: UserId) {
  const sessions = await db.transaction().execute(async trx => {
    const left = await trx
      .deleteFrom('team_access')
      .where('team_id', '=', teamId)
      .where('user_id', '=', userId)
      .returning('user_id')
      .executeTakeFirst()
    if (!left) throw new Refusal('not-a-member')
    await trx
      .updateTable('users')
      .set({ status: 'Inactive', active_team_id: null })
      .where('id', '=', userId)
      .where('active_team_id', '=', teamId)
      .execute()
    // Nothing is said in the rooms of sessions that have ended: only these matter.
    const active = await trx
      .selectFrom('sessions')
      .select(['id', 'user_id'])
      .where('team_id', '=', teamId)
      .where('status', '=', 'Active')
      .execute()
    await trx
      .updateTable('sessions')
      .set({ status: 'Complete', date_ended: new Date() })
      .where('team_id', '=', teamId)
      .where('user_id', '=', userId)
      .where('status', '=', 'Active')
      .execute()
    return active
  })
  const { code, message } = new Refusal('not-a-member')
  const gone = { t: 'team-removed', team: teamId } as const
  for (const { id, user_id } of sessions) {
    if (user_id === userId) {
      const ended = { t: 'session-ended', team: teamId, session: id } as const
      live.publish(`team:${teamId}`, ended)
      live.publish(`session:${id}`, ended)
    }
    const room = `session:${id}` as const
    live.evict(room, userId, { t: 'refused', re: 'watch', room, code, message })
  }
  live.evict(`team:${teamId}`, userId, gone)
  live.publish(`team:${teamId}`, { t: 'member-removed', team: teamId, member: userId })
  live.publish(`user:${userId}`, gone)
}
