import { isRecord, readJson, type TextStore } from '#client/textStore.ts'
import type { PlanChange } from '#contract/races.ts'
import { planDraftKey } from '#web/device/stored.ts'

/** The plan that changes belong to. */
export interface PlanOwner {
  readonly raceId: string
  readonly carId: string | null
}

/** Reads the changes of a plan that an earlier page could not send, the oldest first. */
export function readDraft(store: TextStore, owner: PlanOwner): PlanChange[] {
  const stored = readJson(store, planDraftKey)
  if (!isRecord(stored) || stored.owner !== ownerText(owner)) return []
  const { changes } = stored
  return Array.isArray(changes) && changes.every(isPlanChange) ? changes : []
}

/** Replaces the unsent changes of a plan. Only those of the last changed plan are stored. */
export function storeDraft(store: TextStore, owner: PlanOwner, changes: readonly PlanChange[]) {
  if (changes.length > 0)
    store.write(planDraftKey, JSON.stringify({ owner: ownerText(owner), changes }))
  else if (readDraft(store, owner).length > 0) store.remove(planDraftKey)
}

export function isSamePlan(one: PlanOwner, other: PlanOwner): boolean {
  return ownerText(one) === ownerText(other)
}

function ownerText({ raceId, carId }: PlanOwner): string {
  return [raceId, carId].join(' ')
}

/** An older build may have stored another shape. The server checks the values. */
function isPlanChange(value: unknown): value is PlanChange {
  if (!isRecord(value)) return false
  switch (value.kind) {
    case 'drivers':
      return Array.isArray(value.driverIds)
    case 'stop':
      return isNumberOrNull(value.stopMs)
    case 'lap':
      return isNumberOrNull(value.lapMs)
    case 'stints':
      return Array.isArray(value.stints) && value.stints.every(isPlannedStint)
    case 'reset':
      return typeof value.from === 'number'
    default:
      return false
  }
}

function isPlannedStint(value: unknown): boolean {
  return (
    isRecord(value) &&
    typeof value.number === 'number' &&
    isNumberOrNull(value.lengthMs) &&
    (value.driverId === null || typeof value.driverId === 'string')
  )
}

function isNumberOrNull(value: unknown): boolean {
  return value === null || typeof value === 'number'
}
