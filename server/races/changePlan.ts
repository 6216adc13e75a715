import type { CarId, RaceId, UserId } from '#contract/ids.ts'
import type { CarPlan, PlanChange, PlannedStint } from '#contract/races.ts'
import { Refusal } from '#contract/refusal.ts'
import type { AppContext } from '../context.ts'
import { changeRaces } from './changeRace.ts'
import { planOf, teamOfRace } from './races.ts'

/** Changes the plan of a car. Refuses a car of another team with `not-found`. */
export async function changePlan(
  context: Pick<AppContext, 'db' | 'live'>,
  userId: UserId,
  { raceId, carId, change }: { raceId: RaceId; carId: CarId | null; change: PlanChange },
) {
  const teamId = await teamOfRace(context.db, raceId, userId)
  await changeRaces(context, { teamId, userId, raceId }, async trx => {
    if (carId !== null) {
      const car = await trx
        .selectFrom('cars')
        .select('id')
        .where('team_id', '=', teamId)
        .where('id', '=', carId)
        .forKeyShare()
        .executeTakeFirst()
      if (!car) throw new Refusal('not-found')
    }
    const plan = JSON.stringify(changedPlan(await planOf(trx, { raceId, carId }), change))
    await trx
      .insertInto('race_plans')
      .values({ race_id: raceId, car_id: carId, plan })
      .onConflict(conflict => conflict.columns(['race_id', 'car_id']).doUpdateSet({ plan }))
      .execute()
  })
}

function changedPlan(plan: CarPlan, change: PlanChange): CarPlan {
  switch (change.kind) {
    case 'drivers':
      return { ...plan, driverIds: [...new Set(change.driverIds)] }
    case 'stop':
      return { ...plan, stopMs: change.stopMs }
    case 'lap':
      return { ...plan, lapMs: change.lapMs }
    case 'stints':
      return { ...plan, stints: withStints(plan.stints, change.stints) }
    case 'reset':
      return { ...plan, stints: plan.stints.filter(({ number }) => number < change.from) }
  }
}

/** Replaces the stints with the same numbers, in order. */
function withStints(
  stints: readonly PlannedStint[],
  changed: readonly PlannedStint[],
): PlannedStint[] {
  const byNumber = new Map([...stints, ...changed].map(stint => [stint.number, stint]))
  return [...byNumber.values()]
    .filter(({ driverId, lengthMs }) => driverId !== null || lengthMs !== null)
    .sort((one, other) => one.number - other.number)
}
