import { changedPlan } from '#contract/changedPlan.ts'
import type { CarId, RaceId, UserId } from '#contract/ids.ts'
import type { PlanChange } from '#contract/races.ts'
import type { AppContext } from '../context.ts'
import { teamOfRace } from '../rights/teamOfRace.ts'
import { requireCarOfTeam } from '../roster/rosterChecks.ts'
import { recordOngoingChange } from '../teams/teamChanges.ts'
import { changeRaces } from './changeRace.ts'
import { planOf } from './races.ts'

/** Changes the plan of a car. Refuses a car of another team with `not-found`. */
export async function changePlan(
  context: Pick<AppContext, 'db' | 'live' | 'clock'>,
  userId: UserId,
  { raceId, carId, change }: { raceId: RaceId; carId: CarId | null; change: PlanChange },
) {
  const teamId = await teamOfRace(context.db, raceId, userId)
  await changeRaces(context, { teamId, userId, raceId }, async trx => {
    await requireCarOfTeam(trx, teamId, carId)
    const plan = JSON.stringify(changedPlan(await planOf(trx, { raceId, carId }), change))
    await trx
      .insertInto('race_plans')
      .values({ race_id: raceId, car_id: carId, plan })
      .onConflict(conflict => conflict.columns(['race_id', 'car_id']).doUpdateSet({ plan }))
      .execute()
    const { name } = await trx
      .selectFrom('races')
      .select('name')
      .where('id', '=', raceId)
      .executeTakeFirstOrThrow()
    const made = { teamId, actorId: userId, at: context.clock.now(), before: name, after: name }
    await recordOngoingChange(trx, { ...made, kind: 'plan-changed' })
  })
}
